"""The app itself: its themes."""

from spoof_tui.storage.settings import Settings
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import THEMES, USUAL
from tests.spoof_tui.ui.lobbies import Lobby


async def test_a_theme_is_worn_by_widgets_and_drawings_and_kept() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        for name in reversed(THEMES):
            app.theme = name
            await pilot.pause()
            assert app.current_theme.accent == THEMES[name].accent
            assert THEMES[name].ink.removeprefix("ansi_") == palette.INK
            assert Settings.load().theme == name
        app.theme = USUAL
    assert Settings.load().theme == USUAL


async def test_the_palette_chooses_a_theme_by_its_name() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        app.action_change_theme()
        assert await app.sees(pilot, *THEMES)
        await pilot.press("escape")
