"""The options: everything that is chosen once, in one place."""

from collections.abc import Iterator

import pytest
from textual import constants

from spoof_tui.storage.settings import Bell, Motion, Settings
from spoof_tui.text import i18n
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import THEMES, USUAL
from spoof_tui.ui.dialogs.options import theme_names
from tests.spoof_tui.ui.lobbies import Lobby
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.tables import AtTable


@pytest.fixture(autouse=True)
def as_usual_afterwards() -> Iterator[None]:
    i18n.install("en")
    yield
    i18n.install("en")
    palette.use(USUAL)


async def test_what_is_chosen_is_kept() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press(
            "o", "down", "right", "down", "right", "down", "2", "down", "right", "enter"
        )
        assert len(app.screen_stack) == 1
    kept = Settings.load()
    assert (kept.motion, kept.bell) == (Motion.NONE, Bell.ALL)
    assert (kept.confirm_endings, kept.cover_keys) == (False, True)
    assert kept.theme is None, "what was not chosen stays open"


async def test_a_theme_is_worn_while_it_is_looked_at_and_kept_by_enter() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "right")
        assert app.theme == list(THEMES)[1] != USUAL
        assert Settings.load().theme is None
        await pilot.press("enter")
        assert app.theme == list(THEMES)[1] == Settings.load().theme


async def test_escape_gives_the_colours_back_and_keeps_nothing() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "right", "down", "right", "escape")
        assert app.theme == USUAL
    assert Settings.load() == Settings()


async def test_without_motion_nothing_is_shown_step_by_step(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(constants, "TEXTUAL_ANIMATIONS", "full")
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        levels = [app.animation_level]
        await pilot.press("o", "down", "right", "enter")
        levels.append(app.animation_level)
    assert levels == ["full", "none"]


async def test_a_language_is_spoken_at_once() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "end", "right", "enter")
        assert await app.sees(pilot, "Столи в цій мережі")
    assert Settings.load().language == "uk"


async def test_a_name_is_changed_and_a_blank_one_refused() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "up", "ctrl+u", "enter")
        assert await app.sees(pilot, "A name needs a visible letter")
        await pilot.press(*"Olha", "enter")
        assert await app.sees(pilot, "e Olha")
    assert Settings.load().name == "Olha"


async def test_at_a_table_the_options_hold_at_once() -> None:
    table = at("choosing")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await pilot.press("o", "down", "down", "down", "right", "down", "right", "enter")
        assert await app.sees(pilot, "space shows where you are")
        assert not screen.scene.controls.confirm_endings


@pytest.mark.parametrize("size", [(80, 24), (60, 20), (40, 12)])
async def test_the_options_fit_every_useful_terminal(size: tuple[int, int]) -> None:
    app = Lobby()
    async with app.run_test(size=size) as pilot:
        await pilot.press("o", "end")
        assert await app.sees(pilot, "Language")
        assert len(app.lines) <= size[1]


def test_every_theme_has_a_name() -> None:
    names = theme_names()
    assert list(names) == list(THEMES)
    assert len(set(names.values())) == len(THEMES)
