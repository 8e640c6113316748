"""The app itself: themes, the command palette, and remarks in the corner."""

import pytest
from textual.pilot import Pilot

from spoof_tui.storage.storage import Settings
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import THEMES, USUAL
from spoof_tui.ui.notices import tell
from tests.spoof_tui.ui.lobbies import Lobby


async def looked_for(app: Lobby, pilot: Pilot[int], words: str) -> None:
    """What the palette finds first for these words is done."""
    await pilot.press("ctrl+p", *words)
    await app.sees(pilot, words)
    for _wait in range(50):
        if app.screen.query("CommandList").first().display:
            break
        await pilot.pause(0.01)
    await pilot.press("enter")
    await pilot.pause()


async def test_a_theme_is_worn_by_widgets_and_drawings_and_kept() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        for name in THEMES:
            app.theme = name
            await pilot.pause()
            assert app.current_theme.accent == THEMES[name].accent
            assert THEMES[name].ink.removeprefix("ansi_") == palette.INK
            assert Settings.load().theme == name
        app.theme = USUAL
    assert Settings.load().theme == USUAL


@pytest.mark.parametrize(("kept", "worn"), [(None, USUAL), ("paper", "paper"), ("plaid", USUAL)])
async def test_the_kept_theme_is_worn_at_the_start(kept: str | None, worn: str) -> None:
    app = Lobby(theme=kept)
    async with app.run_test(size=(80, 24)):
        assert app.theme == worn
        assert THEMES[worn].ink == palette.INK
        assert set(app.available_themes) == set(THEMES)
    palette.use(USUAL)


async def test_t_chooses_a_theme_by_its_name() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("t")
        assert await app.sees(pilot, *THEMES)
        await pilot.press("escape")


async def test_the_palette_lists_the_acts_of_the_screen_with_their_keys() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 40)) as pilot:
        await pilot.press("ctrl+p")
        assert await app.sees(pilot, "Search for a command", "new table", "practise", "help")
        assert "Screenshot" not in app.text
        await pilot.press("escape")
        assert len(app.screen_stack) == 1


async def test_an_act_is_done_by_its_name() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        await looked_for(app, pilot, "practise")
        assert app.deeds.practised == 1


@pytest.mark.parametrize("sentence", ["[red]x[/]", "[@click=app.exit]y[/]", "bob[/]"])
async def test_a_remark_is_text_and_nothing_else(sentence: str) -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        tell(app, sentence)
        assert await app.sees(pilot, sentence)
        tell(app, "")
        assert await app.misses(pilot, sentence)
