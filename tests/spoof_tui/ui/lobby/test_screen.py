"""The lobby by its keys: what is selected, what the keys lead to, and what stays quiet."""

import subprocess
import sys

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.table.fold import Phase
from protocol.wire.messages import State
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.saved_tables import SavedTable
from spoof_tui.storage.settings import Practice, Settings
from spoof_tui.ui.lobby import screen
from spoof_tui.ui.messages import TablesKept
from spoof_tui.visiting import TABLE_VARIABLE
from tests.helpers.pty import Terminal
from tests.spoof_tui.ui.lobbies import Lobby, found, strange

HERE = Address("10.0.0.1", 7763)
THERE = Address("10.0.0.2", 7763)


async def test_the_first_table_is_selected_however_late_it_comes() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot)
        await app.find(pilot, found())
        assert "Maria's table" in app.selected
        await pilot.press("enter")
    assert app.deeds.joined == [HERE]


async def test_at_first_enter_plays() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
    assert (app.deeds.practised, app.deeds.joined) == (1, [])


async def test_the_newest_table_with_room_is_selected() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(1))
        await app.find(pilot, found(2, name="Newer"), found(1), found(3, seats=3))
        assert "Newer" in app.selected


@pytest.mark.parametrize("keys", [("down",), ("j",), ("end",), ("k", "j", "j", "j")])
async def test_keys_select_another_table(keys: tuple[str, ...]) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(1), found(2, name="Other"))
        await pilot.press(*keys, "enter")
    assert app.deeds.joined == [THERE]


async def test_the_selection_stays_at_its_table_when_others_come_and_go() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(1), found(2, name="Other"))
        await pilot.press("down")
        await app.find(pilot, found(3, name="New"), found(1), found(2, name="Other"))
        assert "Other" in app.selected
        await app.find(pilot, found(2, name="Other"))
        assert "Other" in app.selected


async def test_the_selection_follows_a_table_to_its_new_address() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(1), found(2))
        await pilot.press("down")
        moved = found(2)
        moved = type(moved)(Address("10.0.0.77", 7000), moved.card, 1, "0.1.0")
        await app.find(pilot, moved, found(1))
        await pilot.press("enter")
    assert app.deeds.joined == [Address("10.0.0.77", 7000)]


async def test_a_selected_table_that_is_gone_gives_way_to_its_neighbour() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(1), found(2), found(3, name="Third"))
        await pilot.press("down")
        await app.find(pilot, found(1), found(3, name="Third"))
        assert "Third" in app.selected
        await app.find(pilot)
        assert app.selected.startswith("Play now")


async def test_a_table_of_another_version_is_not_preselected_and_cannot_be_joined() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, strange())
        assert app.selected.startswith("Play now")
        await app.find(pilot, strange(), found(2, name="Mine"))
        assert "Mine" in app.selected
        await pilot.press("down", "enter")
        assert await app.sees(pilot, "another version: both sides need the same one")
    assert app.deeds.joined == []


async def test_a_click_selects_and_another_one_sits_down() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(1), found(2, name="Other"))
        row = next(y for y, line in enumerate(app.lines) if "Maria" in line)
        await pilot.click(offset=(20, row))
        assert "Maria" in app.selected
        assert app.deeds.joined == []
        await pilot.click(offset=(20, 0))
        await pilot.click(offset=(20, row))
    assert app.deeds.joined == [HERE]


def seat_kept(number: int) -> SavedTable:
    identity = number.to_bytes(32, "big")
    return SavedTable(identity, ForeignText("?"), 0, Phase.SPEAKING, 1, 1, b"h" * 32, b"s" * 32)


async def test_a_table_where_a_seat_is_kept_comes_first_and_says_so() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(), found(77, name="Night train", state=State.PLAYING))
        app.screen.post_message(TablesKept((seat_kept(77),)))
        assert await app.sees(pilot, "your seat is kept")
        rule = next(y for y, line in enumerate(app.lines) if "2 tables on" in line)
        first = next(line for line in app.lines[rule + 1 :] if line.strip())
        assert "Night train" in first and "your seat is kept" in first


async def test_the_table_of_the_door_through_which_one_came_is_first_and_selected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(TABLE_VARIABLE, (1).to_bytes(32, "big").hex())
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(2, name="Other"))
        await app.find(pilot, found(2, name="Other"), found(1, name="Own"))
        assert "Own" in app.selected


async def test_p_practises_and_q_leaves() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "q")
    assert app.deeds.practised == 1
    assert not app.is_running


async def test_the_arrows_change_what_is_played_and_it_is_kept() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("left", "tab", "right", "tab", "right", "right")
        assert "2 bots   hard   ← Three Coins →" in app.selected
    assert Settings.load().practice == Practice("three-coins", 2, "hard")


async def test_a_click_on_a_line_a_value_or_a_key_does_what_it_says() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        row = next(y for y, line in enumerate(app.lines) if "Play now" in line)
        await pilot.click(offset=(app.lines[row].index("medium"), row))
        assert "← hard →" in app.selected
        await pilot.click(offset=(8, row))
        await pilot.click(offset=(app.lines[23].index("quit"), 23))
    assert app.deeds.practised == 1
    assert not app.is_running


async def test_a_notice_goes_with_the_next_key() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("w")
        assert await app.sees(pilot, "Select a table first.")
        await pilot.press("down")
        assert await app.misses(pilot, "Select a table first.")


async def test_trouble_is_told_with_and_without_tables() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, trouble="This computer has no network at all.")
        assert "This computer has no network at all." in app.text
        await app.find(pilot, found(), trouble="This computer has no network at all.")
        assert "This computer has no network at all." in app.text


async def test_a_hostile_card_is_text_and_nothing_else() -> None:
    app = Lobby()
    evil = "\x1b]0;owned\x07[@click=app.exit]x[/]\u202e"
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(name=evil, host=evil))
        assert "[@click=app.exit]x[/]" in app.text
        assert "\x1b" not in app.text and "\u202e" not in app.text
        row = next(y for y, line in enumerate(app.lines) if "[@click" in line)
        await pilot.click(offset=(30, row))
        await pilot.pause()
        assert app.is_running


async def test_tables_found_while_a_dialog_is_open_are_there_afterwards() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("n")
        await app.find(pilot, found())
        await pilot.press("escape", "enter")
    assert app.deeds.joined == [HERE]


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
from spoof_tui.ui.app import SpoofApp
from spoof_tui.ui.messages import TablesFound
from spoof_tui.storage.settings import Practice, Settings
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
        lobby.send("k")
        lobby.wait_until(lambda terminal: terminal.mark() > mark)
        lobby.settle()
        assert 0 < len(lobby.painted_since(mark)) < 1200
        lobby.send("q")
        assert lobby.wait_exit() == 0


async def test_why_no_table_is_there_is_offered_while_none_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(screen, "WAIT_DELAY", 0.01)
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        assert await app.sees(pilot, "x why?")
        await app.find(pilot, found())
        assert await app.misses(pilot, "x why?")
