"""The app below every screen: its palette, its remarks, its languages, and keys by place."""

from __future__ import annotations

import string
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from spoof_tui.storage.settings import Settings
from spoof_tui.text import i18n
from spoof_tui.ui.actions import tell
from spoof_tui.ui.keyboard import latin
from spoof_tui.ui.replay.screen import ReplayApp
from tests.spoof_tui.ui.lobbies import Lobby, found, until
from tests.spoof_tui.ui.replay.recordings import TWO_GAMES, recording


@pytest.fixture
def app() -> Iterator[Lobby]:
    """A lobby in English, and English again afterwards."""
    i18n.install("en")
    yield Lobby()
    i18n.install("en")


# The command palette


async def test_the_palette_lists_the_acts_of_the_screen_and_does_them(app: Lobby) -> None:
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.press("ctrl+p", "ctrl+p")
        assert len(app.screen_stack) == 2 and not app.screen.query_one(Input).cursor_blink
        assert await app.sees(pilot, "Search for a command", "open a table", "play now", "help")
        assert "Screenshot" not in app.text
        await pilot.press(*"zzz")
        assert await app.sees(pilot, "No matches found")
        await pilot.press("escape")
        for key, words in (("b", "leave"), ("h", "another rulebook")):
            await pilot.press(key, "ctrl+p")
            assert await app.sees(pilot, words)
            await pilot.press("escape", "escape")
            assert len(app.screen_stack) == 1
        assert [each.title for each in app.get_system_commands(app.screen)] == ["Theme", "Quit"]
        await looked_for(app, pilot, "play now")
        assert app.deeds.practised == 1


async def looked_for(app: Lobby, pilot: Pilot[int], words: str) -> None:
    """Do the first thing that the palette finds for these words."""
    await pilot.press("ctrl+p", *words)
    await app.sees(pilot, words)
    assert await until(pilot, lambda: app.screen.query("CommandList").first().display)
    await pilot.press("enter")
    await pilot.pause()


async def test_a_replay_by_itself_has_a_palette_too() -> None:
    app = ReplayApp(recording(TWO_GAMES))
    async with app.run_test() as pilot:
        await pilot.press("ctrl+p")
        assert len(app.screen_stack) == 2


# Remarks


@pytest.mark.parametrize("sentence", ["[red]x[/]", "[@click=app.exit]y[/]", "bob[/]"])
async def test_a_remark_is_text_and_takes_the_place_of_the_one_before(
    app: Lobby, sentence: str
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        tell(app, "The first.")
        assert await app.sees(pilot, "The first.")
        tell(app, sentence)
        assert await app.sees(pilot, sentence) and await app.misses(pilot, "The first.")
        tell(app, "")
        assert await app.misses(pilot, sentence)


# Languages


async def test_a_key_switches_the_language_of_everything_at_once_and_for_good(
    app: Lobby, state: Path
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        assert "u українська" in app.text
        await pilot.press("u")
        assert "u English" in app.text and "Столи в цій мережі" in app.text
        assert Settings.load().language == "uk"
        await pilot.press("o")
        assert "Налаштування" in app.text
        await pilot.press("escape", "г")  # the same key of a Cyrillic keyboard
        assert "Tables on this network" in app.text
        (state / "settings.json").unlink()
        (state / "settings.json").mkdir()
        await pilot.press("u")
        assert "u English" in app.text and await app.sees(pilot, "зберегти")


# Keys by their place, whatever alphabet the keyboard is set to


def test_a_cyrillic_letter_is_the_latin_one_on_the_same_key_and_no_other_key_changes() -> None:
    assert "".join(map(latin, "сдіыягйЙ")) == "clsszuqQ"
    ukrainian = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"
    assert set(string.ascii_lowercase) <= {*map(latin, ukrainian)}
    others = ["c", "C", "enter", "question_mark", "ctrl+c", "3", "ж", "ї", ""]
    assert [*map(latin, others)] == others


async def test_a_cyrillic_keyboard_is_obeyed_and_what_is_typed_as_text_stays(app: Lobby) -> None:
    async with app.run_test(size=(80, 30)) as pilot:
        await app.find(pilot, found(1), found(2, name="Other"))
        await pilot.press("з")  # on the key of p
        await pilot.press("щ", "up", "ctrl+u", *"Ігор", "enter")  # on the key of o
        assert app.settings.name == "Ігор"
        await pilot.press("т", "down", "down", "2", "enter")  # on that of n
    ((_plan, bots, _level),) = app.deeds.opened
    assert bots == 2 and app.deeds.practised == 1
