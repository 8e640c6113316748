"""The lobby by its keys: what is selected, where they lead, and what stays quiet."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.events import Key

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.table.fold import Phase
from spoof_tui.clock import now
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.telling import resumable
from spoof_tui.ui.dialogs.rows import ActScreen
from spoof_tui.ui.keyboard import typed
from spoof_tui.ui.lobby.dialogs import resume_dialog
from spoof_tui.ui.lobby.menu import MenuRow
from spoof_tui.ui.lobby.screen import LobbyScreen
from spoof_tui.visiting import DOOR_VARIABLE, TABLE_VARIABLE
from tests.helpers.pages import on_a_page
from tests.helpers.pty import Terminal
from tests.spoof_tui.ui.lobbies import Lobby, found

HERE, OTHER = found(1), found(2, name="Other")


async def test_the_table_of_the_door_through_which_one_came_is_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(TABLE_VARIABLE, (1).to_bytes(32, "big").hex())
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, OTHER)
        await app.find(pilot, OTHER, found(1, name="Own"))
        assert app.text.index("Own") < app.text.index("Other")


async def test_a_visitor_joins_only_where_a_table_was_heard(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(DOOR_VARIABLE, "host")
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, HERE)
        for typed_address in ("127.0.0.1:631", "10.0.0.1"):
            assert app.deeds == []
            await pilot.press("a", "ctrl+u", *typed_address, "enter")
            await pilot.pause()
        assert app.deeds == ["look at 10.0.0.1", "join 10.0.0.1"]


async def test_the_menu_of_a_page_has_what_no_line_of_the_lobby_does() -> None:
    app = Lobby()
    async with app.run_test(size=(45, 20)) as pilot:
        lobby = app.screen
        assert isinstance(lobby, LobbyScreen)
        first = lobby.buttons()
        menu = [each.key for row in first.more for each in row]
        assert len(first.more) <= 3 and menu[0] == "q"
        assert not {*menu} & {"enter", "question_mark", *(row.value for row in MenuRow)}
        assert [each.key for each in first.also] == ["left", "right"]
        await pilot.press("down")
        assert lobby.buttons() == first._replace(also=())


async def test_the_golden_button_of_a_screen_says_what_it_does() -> None:
    app = Lobby()
    async with app.run_test(size=(45, 20)) as pilot:
        for key, first in (("h", ("escape", "back")), ("g", ("enter", "replay"))):
            await pilot.press(key)
            await pilot.pause()
            screen = app.screen
            assert isinstance(screen, ActScreen)
            buttons = screen.buttons()
            assert buttons.main[0][1][:2] == first
            menu = {each.key for row in buttons.more for each in row}
            assert not menu & {first[0], "up", "down", "question_mark"} and menu
            await pilot.press("escape")


async def test_a_dialog_on_a_page_says_which_buttons_change_a_line() -> None:
    with on_a_page():
        app = Lobby()
        async with app.run_test(size=(45, 20)) as pilot:
            await pilot.press("n")
            await pilot.pause()
            assert "◂ and ▸ change" in app.text and "Left" not in app.text


async def test_a_hostile_card_is_text_and_nothing_else() -> None:
    app = Lobby()
    evil = "\x1b]0;owned\x07[@click=app.exit]x[/]\u202e"
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(name=evil, host=evil))
        assert not {"\x1b", "\u202e"} & {*app.text}
        row = next(y for y, line in enumerate(app.lines) if "[@click=app.exit]x[/]" in line)
        await pilot.click(offset=(30, row))
        await pilot.pause()
        assert app.is_running


# Tables to continue


def saved(
    number: int = 1, phase: Phase = Phase.SPEAKING, game: int = 2, round: int = 3
) -> SavedTable:
    name = ForeignText("Night train" if number == 1 else "Golden Pier")
    time = now().wall - 90_000
    return SavedTable(number.to_bytes(32, "big"), name, time, phase, game, round, b"h" * 32)


@pytest.mark.parametrize(
    ("seat", "help"),
    [(None, "goes on where it stopped"), (b"s" * 32, "Spoof looks for the table")],
)
def test_who_continues_reads_whether_the_table_goes_on_here_or_is_looked_for(
    seat: bytes | None, help: str
) -> None:
    kept = replace(saved(), seat=seat)
    [line] = resume_dialog([kept], kept.time).choices
    assert help in line.help


@pytest.mark.parametrize(
    ("kept", "ago", "where", "reminder"),
    [
        (saved(), 90, "game 2, round 3", "game 2, round 3, 1 minute ago"),
        (saved(phase=Phase.GATHERING), 90, "after game 2", ""),
        (saved(), 24 * 3600, "game 2, round 3", ""),
    ],
)
def test_a_table_says_how_far_it_came_and_what_broke_off_of_late_reminds_of_it(
    kept: SavedTable, ago: int, where: str, reminder: str
) -> None:
    assert resumable.where(kept) == where
    assert resumable.reminder(kept, kept.time + 1000 * ago) == reminder


# What it costs


def test_the_lobby_imports_nothing_slow_not_even_on_the_first_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = """
import sys, spoof_tui.commands.play, spoof_tui.commands.summaries, spoof_tui.ui.app
from spoof_tui.runtime.launch import first_settings
slow = {"cryptography", "hashlib", "zeroconf", "msgpack", "ifaddr", "protocol.wire.messages",
        "protocol.rules.options", "protocol.table", "spoof_tui.bots",
        "textual.widgets._footer", "spoof_tui.ui.dialogs.dialog", "spoof_tui.runtime.client"}
assert first_settings().name
print(*sorted(slow & set(sys.modules)))
"""
    monkeypatch.setenv("SPOOF_STATE", str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


def test_a_lobby_in_which_nothing_changes_paints_nothing() -> None:
    with Terminal([sys.executable, "-m", "tests.spoof_tui.ui.probes", "Unchanged"]) as lobby:
        lobby.wait("2 tables on this network")
        lobby.settle()
        mark = lobby.mark()
        lobby.settle(0.5)
        assert lobby.painted_since(mark) == b""
        lobby.send("\x1b[B")
        lobby.wait_until(lambda terminal: terminal.mark() > mark)
        lobby.settle()
        assert len(lobby.painted_since(mark)) < 1200
        lobby.send("q")
        assert lobby.wait_exit() == 0


@given(st.text(max_size=80))
def test_what_is_typed_to_find_a_table_is_bounded_and_can_be_taken_back(text: str) -> None:
    search: str | None = ""
    for letter in text:
        search = typed(search or "", Key(letter, letter), MAX_NAME)
        assert search is not None and len(search) <= MAX_NAME and search.isprintable()
    for _letter in search or "":
        search = typed(search or "", Key("backspace", None), MAX_NAME)
    assert search == "" and typed(search, Key("backspace", None), MAX_NAME) is None
