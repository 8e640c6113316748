"""Leaving by keys: asked once, and only where somebody would miss the player."""

from __future__ import annotations

from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.runtime.notices import Explained
from spoof_tui.ui.lobby.screen import LobbyScreen
from spoof_tui.ui.table.leave_dialog import LeaveDialog
from spoof_tui.ui.table.screen import TableScreen
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.tables import AtTable


def in_front_of(table: MemoryTable, client: int = 0) -> AtTable:
    return AtTable(table, table.clients[client])


async def test_who_plays_is_asked_once_and_told_what_it_means() -> None:
    app = in_front_of(at("speaking"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("q")
        assert await app.sees(pilot, "Leave the table?", "Your seat and your coins are kept")
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, LobbyScreen)


async def test_a_second_press_of_the_same_key_leaves() -> None:
    app = in_front_of(at("speaking"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("q", "q")
        await pilot.pause()
        assert isinstance(app.screen, LobbyScreen)


async def test_escape_stays() -> None:
    app = in_front_of(at("speaking"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("q", "escape")
        await pilot.pause()
        assert isinstance(app.screen, TableScreen)


async def test_who_is_not_missed_leaves_at_once() -> None:
    app = in_front_of(at("gathering"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot)
        await pilot.press("q")
        await pilot.pause()
        assert isinstance(app.screen, LobbyScreen)


async def test_a_host_hands_the_table_to_a_seat_that_can_take_it() -> None:
    table = at("gathering")
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot, is_host=True)
        heir = table.clients[2].guest.key
        app.give_heirs(heir)
        await pilot.press("q")
        assert await app.sees(pilot, "moves to Player3", "Player3’s program")
        await pilot.press("enter")
        await pilot.pause()
    assert app.heirs == [heir]


async def test_a_host_closes_the_table_where_nobody_can_take_it_and_is_told_why() -> None:
    app = in_front_of(at("gathering"))
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot, is_host=True)
        apart = Finding(Code.GUESTS_APART, Severity.WARNING, names=("Ben", "Cy"))
        await app.hear(pilot, Explained((apart,)))
        await pilot.press("q")
        assert await app.sees(pilot, "closes for everybody", "the table cannot move", "Ben, Cy")
        await pilot.press("enter")
        await pilot.pause()
    assert app.heirs == [None]


async def test_the_choice_follows_who_comes_and_goes() -> None:
    table = at("gathering")
    app = in_front_of(table)
    async with app.run_test(size=(80, 24)) as pilot:
        await app.sit_down(pilot, is_host=True)
        app.give_heirs(*(client.guest.key for client in table.clients))
        await app.look(pilot)
        await pilot.press("q")
        assert await app.sees(pilot, "moves to Player2")
        table.cut(table.clients[1])
        await app.look(pilot)
        assert await app.sees(pilot, "moves to Player3")
        assert isinstance(app.screen, LeaveDialog)
