"""The app below every screen: its palette, its remarks, its languages, and keys by place."""

from __future__ import annotations

import string
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from textual.widgets import Input

from protocol.rules.options import PRESETS
from spoof_tui.acts.table_form import TableForm
from spoof_tui.runtime import program
from spoof_tui.runtime.hosted_table import TablePlan
from spoof_tui.storage import keeping
from spoof_tui.storage.settings import Settings
from spoof_tui.text import i18n
from spoof_tui.text.layouts import latin
from spoof_tui.ui.app_protocol import tell
from spoof_tui.ui.replay.screen import ReplayApp
from tests.spoof_tui.ui.lobbies import Lobby, until
from tests.spoof_tui.ui.replay.recordings import TWO_GAMES, recording
from tests.spoof_tui.ui.scripts import first


@pytest.fixture
def app() -> Iterator[Lobby]:
    """A lobby in English, and English again afterwards."""
    i18n.install("en")
    yield Lobby()
    i18n.install("en")


# The command palette


async def test_the_palette_does_the_acts_of_the_screen_and_little_of_textual(app: Lobby) -> None:
    async with app.run_test(size=(80, 40)) as pilot:
        assert [each.title for each in app.get_system_commands(app.screen)] == ["Theme", "Quit"]
        await pilot.press("ctrl+p", *"play now")
        assert not app.screen.query_one(Input).cursor_blink
        assert await until(pilot, lambda: app.screen.query("CommandList").first().display)
        await pilot.press("enter")
        assert await until(pilot, lambda: app.deeds == ["practise"])


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


# Keys by their place, whatever alphabet the keyboard is set to


def test_a_cyrillic_letter_is_the_latin_one_on_the_same_key_and_no_other_key_changes() -> None:
    assert "".join(map(latin, "сдіыягйЙ")) == "clsszuqQ"
    ukrainian = "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя"
    assert set(string.ascii_lowercase) <= {*map(latin, ukrainian)}
    others = ["c", "C", "enter", "question_mark", "ctrl+c", "3", "ж", "ї", ""]
    assert [*map(latin, others)] == others


async def test_what_was_played_last_is_suggested_next() -> None:
    app, opened = Lobby(), []

    def open_table(plan: TablePlan, *_others: object, **_more: object) -> None:
        opened.append(plan.rules.preset)

    async with app.run_test():
        app.client = cast(Any, SimpleNamespace(open=open_table))
        app.carry_out(TableForm("Pub", PRESETS["hollywood"]).launch("Olha"))
        app.client = None
    assert opened == [Settings.load().practice.preset] == ["hollywood"]


async def test_lobby_and_table_say_that_nothing_is_kept_for_as_long_as_it_is_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trouble = ""
    monkeypatch.setattr(program, "LOOK_INTERVAL", 0.01)
    monkeypatch.setattr(keeping, "trouble", lambda: trouble)
    app = first("choosing")
    async with app.run_test(size=(80, 24)) as pilot:
        app.background.spawn(app._watch_folder())
        for sits in (False, True):
            if sits:
                await app.sit_down(pilot)
            trouble = "Nothing can be saved in ~/x: no."
            assert await app.sees(pilot, trouble)
            trouble = ""
            assert await until(pilot, lambda: "Nothing is kept" not in app.text)
