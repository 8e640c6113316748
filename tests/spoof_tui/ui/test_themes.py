"""The themes as Textual's own."""

import pytest

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import TERMINAL, THEMES, USUAL
from spoof_tui.ui.themes import dress, worn
from tests.spoof_tui.ui.lobbies import Lobby


@pytest.mark.parametrize(("kept", "worn"), [(None, USUAL), ("paper", "paper"), ("plaid", USUAL)])
async def test_the_kept_theme_is_worn_at_the_start(kept: str | None, worn: str) -> None:
    app = Lobby(theme=kept)
    async with app.run_test(size=(80, 24)):
        assert app.theme == worn
        assert THEMES[worn].ink == palette.INK
        assert set(app.available_themes) == set(THEMES)
    palette.use(USUAL)


async def test_textual_takes_its_colours_from_the_theme() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)):
        for name, colours in THEMES.items():
            theme = app.get_theme(name)
            assert theme
            assert (theme.background, theme.foreground) == (colours.ground, colours.ink)
            assert (theme.accent, theme.error) == (colours.accent, colours.bad)
            assert (theme.dark, theme.ansi) == (colours.is_dark, colours.is_ansi)


async def test_the_box_of_a_dialog_can_be_told_from_the_felt_below_it() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)):
        theme = app.get_theme("felt")
        assert theme and theme.surface != THEMES["felt"].felt


async def test_to_dress_again_changes_what_is_worn() -> None:
    app = Lobby()
    async with app.run_test(size=(80, 24)):
        dress(app, "paper")
        assert (app.theme, palette.INK) == ("paper", THEMES["paper"].ink)
        dress(app, None)
        assert (app.theme, palette.INK) == (USUAL, THEMES[USUAL].ink)


@pytest.mark.parametrize(
    ("environ", "name", "theme"),
    [
        ({"TERM": "xterm-256color"}, None, USUAL),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, None, "paper"),
        ({"TERM": "xterm-256color", "COLORFGBG": "15;0"}, None, USUAL),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, "night", "night"),
        ({"TERM": "linux"}, "night", TERMINAL),
        ({"TERM": "linux"}, "contrast", "contrast"),
        ({"TERM": "screen", "COLORTERM": "truecolor"}, None, USUAL),
    ],
)
def test_the_first_theme_suits_the_terminal(
    environ: dict[str, str], name: str | None, theme: str
) -> None:
    assert worn(name, environ) == theme
