"""Our themes as Textual themes."""

from dataclasses import replace

import pytest

from spoof_tui.storage import paths
from spoof_tui.storage.settings import Settings
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import BUILT_IN, TERMINAL, THEMES, USUAL
from spoof_tui.ui.dialogs.options import theme_names
from spoof_tui.ui.themes import dress, read_own, worn
from tests.spoof_tui.ui.lobbies import Lobby


@pytest.mark.parametrize(("kept", "worn"), [(None, USUAL), ("paper", "paper"), ("plaid", USUAL)])
async def test_the_kept_theme_is_worn_at_the_start_and_another_one_at_once(
    kept: str | None, worn: str
) -> None:
    app = Lobby(theme=kept)
    async with app.run_test(size=(80, 24)) as pilot:
        assert app.theme == worn and THEMES[worn].ink == palette.INK
        app.action_change_theme()
        assert await app.sees(pilot, *THEMES)
        await pilot.press("escape")
        for name, colours in reversed(THEMES.items()):
            app.theme = name
            await pilot.pause()
            theme = app.current_theme
            assert Settings.load().theme == name
            assert colours.ink.removeprefix("ansi_") == palette.INK
            assert (theme.background, theme.foreground) == (colours.ground, colours.ink)
            assert (theme.dark, theme.ansi) == (colours.is_dark, colours.is_ansi)
        dress(app, "paper")
        assert (app.theme, palette.INK) == ("paper", THEMES["paper"].ink)
        dress(app, None)
        assert (app.theme, palette.INK) == (USUAL, THEMES[USUAL].ink)


@pytest.mark.parametrize(
    ("environ", "name", "theme"),
    [
        ({"TERM": "xterm-256color"}, None, USUAL),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, None, "paper"),
        ({"TERM": "xterm-256color", "COLORFGBG": "0;15"}, "night", "night"),
        ({"TERM": "linux"}, "night", TERMINAL),
        ({"TERM": "linux"}, "contrast", "contrast"),
    ],
)
def test_the_first_theme_suits_the_terminal(
    environ: dict[str, str], name: str | None, theme: str
) -> None:
    assert worn(name, environ) == theme


@pytest.mark.parametrize(
    ("theme", "no_color", "expected"),
    [(USUAL, "1", True), (TERMINAL, None, True), (USUAL, None, False)],
)
async def test_the_chosen_row_is_in_reverse_where_two_colours_do_not_tell_it(
    theme: str, no_color: str | None, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    if no_color:
        monkeypatch.setenv("NO_COLOR", no_color)
    app = Lobby(theme=theme)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.press("o", "down", "down")
        await pilot.pause()
        strips = app.screen._compositor.render_strips(app.screen.size)
        reversed_ = [
            segment.text.strip()
            for strip in strips
            for segment in strip
            if segment.style and segment.style.reverse and segment.text.strip().isalpha()
        ]
        assert ("Bell" in reversed_) is expected and "Motion" not in reversed_


def test_every_theme_has_a_name_of_its_own() -> None:
    assert len({*theme_names().values()}) == len(THEMES) and list(theme_names()) == list(THEMES)


# A user's own


def test_an_own_theme_is_another_one_but_for_its_colours_and_light_or_dark_as_its_ground_is() -> (
    None
):
    own, trouble = read_own({"midnight": {"like": "night", "felt": "#00005f"}})
    assert own == {"midnight": replace(THEMES["night"], felt="#00005f")} and not trouble
    own, _trouble = read_own({"snow": {"ground": "#ffffff"}, "coal": {"like": "paper"}})
    assert not own["snow"].is_dark and not own["coal"].is_dark
    own, trouble = read_own({"old": {"like": "night", "stale": "#6c6c6c"}})
    assert own == {"old": THEMES["night"]} and not trouble


@pytest.mark.parametrize(
    ("raw", "wrong"),
    [
        ({"felt": {}}, "felt"),
        ({"a": {"like": "plaid"}}, "like"),
        ({"a": {"felt": "green"}}, "felt"),
        ({"a": {"sky": "#000000"}}, "sky"),
    ],
)
def test_what_is_wrong_with_an_own_theme_is_named(raw: dict[str, object], wrong: str) -> None:
    assert read_own(raw) == ({}, f"themes.json: “{wrong}” is not valid.")


async def test_an_own_theme_of_the_disk_can_be_worn() -> None:
    paths.state_folder().mkdir(exist_ok=True)
    paths.themes_path().write_text('{"midnight": {"like": "night", "felt": "#00005f"}}')
    app = Lobby(theme="midnight")
    async with app.run_test(size=(80, 24)):
        assert (app.theme, palette.FELT) == ("midnight", "#00005f")
        assert set(app.available_themes) == {*BUILT_IN, "midnight"}
    dress(app, None)
    assert set(THEMES) == set(BUILT_IN)


async def test_a_file_of_themes_that_cannot_be_read_is_told_and_changes_nothing() -> None:
    paths.state_folder().mkdir(exist_ok=True)
    paths.themes_path().write_text("[1,")
    app = Lobby()
    async with app.run_test(size=(80, 24)) as pilot:
        assert set(app.available_themes) == set(BUILT_IN)
        await pilot.pause()
        assert await app.sees(pilot, "themes.json does not contain a JSON object")
