"""The tables that can be continued, and a table to watch, from the lobby."""

from __future__ import annotations

from protocol.encoding.untrusted import ForeignText
from protocol.table.fold import Phase
from spoof_tui.clock import now
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.ui.messages import TablesKept
from tests.spoof_tui.ui.lobbies import Lobby, found


def saved(name: str, number: int = 1, phase: Phase = Phase.SPEAKING) -> SavedTable:
    return SavedTable(
        number.to_bytes(32, "big"), ForeignText(name), now().wall - 90_000, phase, 2, 3, b"h" * 32
    )


async def test_a_game_that_broke_off_is_offered_and_continued() -> None:
    app = Lobby()
    tables = (saved("Night train"), saved("Golden Pier", 2))
    async with app.run_test(size=(80, 24)) as pilot:
        app.screen_stack[0].post_message(TablesKept(tables))
        await pilot.pause()
        assert await app.sees(pilot, "Continue “Night train”   game 2, round 3, 1 minute ago")
        await pilot.press("c")
        assert await app.sees(pilot, "Golden Pier", "every seat, coin and sealed fist")
        await pilot.press("down", "enter")
    assert app.deeds.resumed == [tables[1]]


async def test_a_table_that_is_on_the_list_is_not_offered_twice() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        app.screen_stack[0].post_message(TablesKept((saved("Night train"),)))
        await app.find(pilot, found(1, name="Night train"))
        assert "Continue" not in app.text


async def test_without_a_table_to_continue_the_key_says_so() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("c")
        assert await app.sees(pilot, "There is no table to continue")


async def test_a_table_is_watched_by_one_key() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(3))
        assert "w watch" in app.text
        await pilot.press("w")
    assert [address.host for address in app.deeds.watched] == ["10.0.0.3"]
    assert app.deeds.joined == []
