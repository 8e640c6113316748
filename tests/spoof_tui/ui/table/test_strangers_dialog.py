"""What a host is asked before everybody is banned who has never played at the table."""

from __future__ import annotations

from typing import cast

import pytest

from spoof_tui.runtime.notices import SeatState
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.tables import AtTable, _Chair


def open_table(*strangers: int) -> tuple[MemoryTable, AtTable, tuple[bytes, ...]]:
    table = at("speaking")
    keys = tuple(table.clients[each].guest.key for each in strangers)
    return table, AtTable(table, table.clients[0]), keys


@pytest.mark.parametrize(("key", "are_cleared"), [("enter", True), ("escape", False)])
async def test_the_strangers_are_named_and_go_by_one_more_key(key: str, are_cleared: bool) -> None:
    table, app, strangers = open_table(1, 2)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot, is_host=True)
        cast(_Chair, app.client).known = SeatState(strangers=strangers)
        await pilot.press("e")
        names = [table.host.table.names[each].raw for each in strangers]
        assert await app.sees(pilot, "Send the strangers away?", *names, "banned", "locked")
        await pilot.press(key)
        assert app.screen is screen
        assert app.cleared == (strangers if are_cleared else ())


async def test_a_friend_who_is_new_may_stay() -> None:
    _, app, strangers = open_table(1, 2)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot, is_host=True)
        cast(_Chair, app.client).known = SeatState(strangers=strangers)
        await pilot.press("e", "right", "enter")
        assert app.cleared == strangers[1:]
