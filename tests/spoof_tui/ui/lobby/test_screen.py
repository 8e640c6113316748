"""The lobby by its keys: what is selected, what the keys lead to, and what stays quiet."""

import subprocess
import sys

import pytest

from spoof_tui.network.addresses import Address
from spoof_tui.storage.settings import Settings
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


async def test_enter_without_a_table_says_so_and_joins_nothing() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("enter")
        assert await app.sees(pilot, "No table to sit down at yet")
    assert app.deeds.joined == []


@pytest.mark.parametrize("keys", [("down",), ("j",), ("end",), ("j", "j", "j", "k", "j")])
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
        assert app.selected == ""


async def test_a_table_of_another_version_is_not_preselected_and_cannot_be_joined() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, strange())
        await app.find(pilot, strange(), found(2, name="Mine"))
        assert "Mine" in app.selected
        await pilot.press("up", "enter")
        assert await app.sees(pilot, "another version: both sides need the same one")
    assert app.deeds.joined == []


async def test_a_click_selects_and_a_double_click_sits_down() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(1), found(2, name="Other"))
        row = next(y for y, line in enumerate(app.lines) if "Other" in line)
        await pilot.click(offset=(20, row))
        assert "Other" in app.selected
        assert app.deeds.joined == []
        await pilot.click(offset=(20, 1))
        await pilot.double_click(offset=(20, row))
    assert app.deeds.joined == [THERE]


async def test_p_practises_and_q_leaves() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("p", "q")
    assert app.deeds.practised == 1
    assert not app.is_running


async def test_o_toggles_the_second_press_and_keeps_it() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        assert "confirm words: on" in app.text
        await pilot.press("o")
        assert "confirm words: off" in app.text
        assert await app.sees(pilot, "count at once")
    assert Settings.load().confirm_endings is False


async def test_a_notice_goes_with_the_next_key() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await app.find(pilot, found(1), found(2))
        await pilot.press("o", "down")
        assert "count at once" not in app.text


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
from spoof_tui.storage.settings import Settings
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
        lobby.wait("waits for players")
        lobby.settle()
        mark = lobby.mark()
        lobby.settle(0.5)
        assert lobby.painted_since(mark) == b""
        lobby.send("j")
        lobby.settle()
        assert 0 < len(lobby.painted_since(mark)) < 1200
        lobby.send("q")
        assert lobby.wait_exit() == 0
