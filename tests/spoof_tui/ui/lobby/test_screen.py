"""The lobby by its keys: what is selected, where they lead, and what stays quiet."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.events import Key

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.table.fold import Phase
from spoof_tui.clock import now
from spoof_tui.network.addresses import Address
from spoof_tui.network.endpoints import FoundTable
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.storage.settings import Practice, Settings
from spoof_tui.ui.lobby import resumable
from spoof_tui.ui.lobby.menu import typed
from spoof_tui.ui.messages import TablesKept
from spoof_tui.visiting import TABLE_VARIABLE
from tests.helpers.pty import Terminal
from tests.spoof_tui.ui.lobbies import Deeds, Lobby, found, strange, until

HERE, OTHER = found(1), found(2, name="Other")
CROWD = tuple(found(number, name=f"Table {number}") for number in range(1, 31))
NIGHT, POTYAH = found(77, name="Night train"), found(78, name="Нічний потяг")


def joined(*tables: FoundTable) -> Deeds:
    return Deeds(joined=[each.address for each in tables], codes=[None] * len(tables))


def typing(address: str, code: str | None = None, times: int = 1) -> Deeds:
    there = Address.parse(address)
    return Deeds(joined=[there] * times, codes=[code] * times, looked_at=[there] * times)


DEEDS: list[tuple[Sequence[FoundTable], str, Deeds]] = [
    ((), "enter", Deeds(practised=1)),
    ((HERE,), "enter", joined(HERE)),
    *(((HERE, OTHER), keys, joined(OTHER)) for keys in ("down enter", "j space")),
    ((HERE, OTHER), "k j j j enter", joined(OTHER)),
    ((HERE, OTHER), "home enter", Deeds(practised=1)),
    ((found(3),), "i", Deeds(watched=[found(3).address], codes=[None])),
    ((strange(), HERE), "down enter", Deeds()),
    ((), "a 1 0 . 0 . 0 . 7 enter", typing("10.0.0.7")),
    ((), f"a {' '.join('10.0.0.7:80')} enter a enter", typing("10.0.0.7:80", times=2)),
    ((), f"a {' '.join('10.0.0.7:99999')} enter backspace enter", typing("10.0.0.7:9999")),
    ((), "a enter escape", Deeds()),
    ((*CROWD, NIGHT), "slash h t space t r enter", joined(NIGHT)),
    ((*CROWD, POTYAH), "slash п о т я г enter", joined(POTYAH)),
    (CROWD, "slash p l n a c w o u h x q k j ? / tab left space enter", Deeds()),
    *((CROWD, f"slash 3 0 {keys} p", Deeds(practised=1))
      for keys in ("escape", "backspace backspace backspace", "ctrl+p escape")),
    (CROWD, "slash 3 0 enter p", replace(joined(CROWD[29]), practised=1)),
]  # fmt: skip


@pytest.mark.parametrize(("tables", "keys", "deeds"), DEEDS)
async def test_what_keys_lead_to(tables: Sequence[FoundTable], keys: str, deeds: Deeds) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        if tables:
            await app.find(pilot, *tables)
        await pilot.press(*keys.split())
    assert app.deeds == deeds


async def test_a_whole_invitation_can_be_typed_and_a_wrong_address_is_explained() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("a", "enter")
        assert "An address needs" in app.text
        await pilot.press(*"spoof join 10.0.0.7:99999 k7m4q", "enter")
        assert "A port is a number from 1 to 65535" in app.text
        await pilot.press(*["left"] * 6, "backspace", "enter")
    assert app.deeds == typing("10.0.0.7:9999", "K7M4Q")


async def test_the_table_of_the_door_through_which_one_came_is_first_and_selected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(TABLE_VARIABLE, (1).to_bytes(32, "big").hex())
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, OTHER)
        await app.find(pilot, OTHER, found(1, name="Own"))
        assert app.selected.startswith("Own")


async def test_remarks_go_with_the_next_key_and_a_strange_table_says_why() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("i")
        assert await app.sees(pilot, "Select a table first.")
        await pilot.press("down")
        assert await app.misses(pilot, "Select a table first.")
        await app.find(pilot, strange())
        await pilot.press("end", "enter")
        assert await app.sees(pilot, "another version: both sides need the same one")


async def test_the_arrows_change_what_is_played_and_it_is_kept() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("left", "tab", "right", "tab", "right", "right")
        assert "2 bots   hard   ← Three Coins →" in app.selected
        await pilot.press("down", "right", "up", "shift+tab", "left")
    assert Settings.load().practice == Practice("three-coins", 2, "medium")


async def test_the_mouse_does_what_is_written_under_it() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:

        async def click(words: str) -> None:
            y = next(y for y, line in enumerate(app.lines) if words in line)
            await pilot.click(offset=(app.lines[y].index(words) + 1, y))

        await click("medium")
        assert "← hard →" in app.selected
        await click("Play now")
        await app.find(pilot, HERE, OTHER)
        await click("Maria")
        assert app.selected.startswith("Maria") and not app.deeds.joined
        await pilot.click(offset=(20, 0))
        await click("Maria")
        assert app.return_code is None
        await click("quit")
        assert await until(pilot, lambda: app.return_code == 0)
    assert app.deeds == replace(joined(HERE), practised=1)


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


# Tables to continue, and seats that are kept


def saved(
    number: int = 1, phase: Phase = Phase.SPEAKING, game: int = 2, round: int = 3
) -> SavedTable:
    name = ForeignText("Night train" if number == 1 else "Golden Pier")
    time = now().wall - 90_000
    return SavedTable(number.to_bytes(32, "big"), name, time, phase, game, round, b"h" * 32)


async def test_a_game_that_broke_off_is_offered_and_continued_unless_its_table_answers() -> None:
    app, tables = Lobby(), (saved(), saved(2))
    async with app.run_test(size=(80, 24)) as pilot:
        app.screen_stack[0].post_message(TablesKept(tables))
        assert await app.sees(pilot, "Continue “Night train”   game 2, round 3, 1 minute ago")
        await pilot.press("r")
        assert await app.sees(pilot, "Golden Pier", "every seat, coin and sealed fist")
        await pilot.press("down", "enter")
        assert app.deeds == Deeds(resumed=[tables[1]])
        await app.find(pilot, found(1, name="Night train"))
        assert "Continue “Golden Pier”" in app.text
        await app.find(pilot, found(1, name="Night train"), found(2))
        assert "Continue" not in app.text


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


def test_the_lobby_imports_nothing_slow() -> None:
    code = """
import sys, spoof_tui.ui.app
slow = {"cryptography", "zeroconf", "msgpack", "ifaddr", "protocol.wire.messages",
        "protocol.rules.options",
        "textual.widgets._footer", "spoof_tui.ui.dialogs.dialog", "spoof_tui.runtime.client"}
print(*sorted(slow & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


PROGRAM = """
import sys
from spoof_tui.ui.messages import TablesFound
from spoof_tui.ui.terminal import run_app
from tests.spoof_tui.ui.lobbies import Lobby, found

class Shown(Lobby):
    def _begin(self):
        super()._begin()
        self.set_interval(0.1, self.again)

    def again(self):
        self.screen_stack[0].post_message(TablesFound((found(1), found(2)), None))

sys.exit(run_app(Shown()))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_a_lobby_in_which_nothing_changes_paints_nothing() -> None:
    with Terminal([sys.executable, "-c", PROGRAM], env={"PYTHONPATH": ":".join(sys.path)}) as lobby:
        lobby.wait("2 tables on this network")
        lobby.settle()
        mark = lobby.mark()
        lobby.settle(0.5)
        assert lobby.painted_since(mark) == b""
        lobby.send("\x1b[A")
        lobby.wait_until(lambda terminal: terminal.mark() > mark)
        lobby.settle()
        assert len(lobby.painted_since(mark)) < 1200
        lobby.send("q")
        assert lobby.wait_exit() == 0


@given(st.text(max_size=80))
def test_what_is_typed_to_find_a_table_is_bounded_and_can_be_taken_back(text: str) -> None:
    search: str | None = ""
    for letter in text:
        search = typed(search or "", Key(letter, letter))
        assert search is not None and len(search) <= MAX_NAME and search.isprintable()
    for _letter in search or "":
        search = typed(search or "", Key("backspace", None))
    assert search == "" and typed(search, Key("backspace", None)) is None
