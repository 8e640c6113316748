"""“Why?” over the table."""

import pytest

from protocol.rules.words import Bid
from spoof_tui.ui.table.screen import TableScreen
from spoof_tui.ui.table.why_dialog import WhyDialog
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import pay
from tests.spoof_tui.ui.table.schools import a_school
from tests.spoof_tui.ui.tables import AtTable


def speaking() -> MemoryTable:
    table = MemoryTable(3, "milan", start_when=3)
    table.ready()
    table.choose(1, 2, 3)
    return table


@pytest.mark.parametrize("key", ["escape", "w", "enter", "space", "q"])
async def test_w_asks_why_and_a_key_goes_back(key: str) -> None:
    table = speaking()
    app = AtTable(table, table.speaker())
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("w")
        assert isinstance(app.screen, WhyDialog)
        assert await app.sees(pilot, "What may I say now?", "(R10)")
        await pilot.press(key)
        assert isinstance(app.screen, TableScreen)


async def test_the_answer_follows_the_table() -> None:
    table = speaking()
    app = AtTable(table, next(client for client in table.clients if not client.view.my_turn))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("w")
        assert await app.sees(pilot, "It is not your turn")
        while not app.seat.view.my_turn:
            standing = app.seat.view.standing
            table.say(Bid(standing[1] + 1 if standing else 1))
        await app.look(pilot)
        assert await app.sees(pilot, "What may I say now?")


async def test_a_count_is_explained_only_when_it_is_done() -> None:
    table = a_school((1, 1, 1), 3, 4)
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await pilot.press("w")
        table.say(Bid(5))
        await app.look(pilot)
        assert await app.sees(pilot, "all fists open now")
        assert "Player" not in app.text
        pay(screen.scene)
        screen.redraw()
        assert await app.sees(pilot, "What decided round 1?", "first to leave")


async def test_a_long_answer_scrolls() -> None:
    table = a_school((1, 1, 1), 9, 8, 7)
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(60, 14)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("w")
        assert await app.sees(pilot, "What decided")
        first = app.lines
        await pilot.press("down", "pagedown")
        assert await app.shows(pilot, lambda lines: lines != first)
        await pilot.press("home")
        assert await app.shows(pilot, lambda lines: lines == first)
