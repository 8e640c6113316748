"""What is asked of somebody whose seat is in another window."""

import pytest

from spoof_tui.runtime.notices import CannotOpen, KeyInUse, SeatHeld, TakenOver
from spoof_tui.storage.identity import Holder
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.tables import AtTable

HOLDER = Holder(4711, "/dev/pts/3")


@pytest.mark.parametrize(
    ("keys", "deeds"),
    [(["enter"], ["take over"]), (["right", "enter"], ["sit apart"]), (["escape"], ["leave"])],
)
async def test_the_seat_is_taken_over_or_left_where_it_is(
    keys: list[str], deeds: list[str]
) -> None:
    table = at("speaking")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.come()
        await app.hear(pilot, SeatHeld(HOLDER, is_other_free=True))
        assert await app.sees(pilot, "process 4711 at /dev/pts/3", "take over here")
        await pilot.press(*keys)
        await pilot.pause()
        assert (app.takeovers or ["leave"]) == deeds
        assert (app.client is None) == (deeds == ["leave"])


async def test_the_own_table_can_only_be_taken_over() -> None:
    table = at("speaking")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.come()
        await app.hear(pilot, SeatHeld(Holder(4711, ""), is_other_free=False))
        await pilot.press("right", "enter")
        assert app.takeovers == ["take over"]


async def test_both_windows_say_where_the_seat_is() -> None:
    table = at("speaking")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await app.hear(pilot, TakenOver(HOLDER))
        assert await app.sees(pilot, "it is now held by process 4711 at /dev/pts/3")
        assert await app.sees(pilot, "Your seat is in another window")
        await app.hear(pilot, CannotOpen(KeyInUse(HOLDER)))
        assert await app.sees(pilot, "kill -9 4711")
