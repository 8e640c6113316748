"""The options: everything that is chosen once, in one place."""

from collections.abc import Iterator

import pytest

from spoof_tui.storage.settings import Bell, Motion, Settings
from spoof_tui.text import i18n
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import THEMES, USUAL
from spoof_tui.ui.dialogs.options import theme_names
from tests.spoof_tui.ui.lobbies import Lobby, until
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.tables import AtTable


@pytest.fixture
def app() -> Iterator[Lobby]:
    """A lobby, and afterwards the usual language and colours."""
    i18n.install("en")
    yield Lobby()
    i18n.install("en")
    palette.use(USUAL)


async def test_what_is_chosen_is_kept_and_what_is_not_stays_open(app: Lobby) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        keys = "o down right down right down 2 down right down right enter"
        await pilot.press(*keys.split())
        assert len(app.screen_stack) == 1
    kept = Settings.load()
    assert (kept.motion, kept.bell, kept.plain) == (Motion.NONE, Bell.ALL, True)
    assert (kept.confirm_endings, kept.cover_keys) == (False, True)
    assert kept.theme is kept.language is None


async def test_a_theme_is_worn_while_it_is_looked_at_and_kept_by_enter(app: Lobby) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "right")
        assert app.theme == list(THEMES)[1] != USUAL
        await pilot.press("down", "right", "escape")
        assert app.theme == USUAL and Settings.load() == Settings()
        await pilot.press("o", "right", "enter")
        assert app.theme == list(THEMES)[1] == Settings.load().theme
    assert len({*theme_names().values()}) == len(THEMES) and list(theme_names()) == list(THEMES)


async def test_a_name_is_changed_and_a_blank_one_refused_and_a_language_spoken_at_once(
    app: Lobby,
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "up", "ctrl+u", "enter")
        assert await app.sees(pilot, "A name needs a visible letter")
        await pilot.press(*"Olha", "enter")
        assert await until(pilot, lambda: app.settings.name == "Olha")
        await pilot.press("o", "end", "right", "enter")
        assert await app.sees(pilot, "Столи в цій мережі")
    assert (Settings.load().name, Settings.load().language) == ("Olha", "uk")


async def test_at_a_table_the_options_hold_at_once() -> None:
    table = at("choosing")
    app = AtTable(table, table.clients[0])
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await app.sit_down(pilot)
        await pilot.press("o", "down", "down", "down", "right", "down", "right", "enter")
        assert await app.sees(pilot, "space shows where you are")
        assert not screen.scene.controls.confirm_endings
