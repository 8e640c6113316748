"""The colours and glyphs of every screen."""

from collections.abc import Iterator
from dataclasses import fields

import pytest
from rich.cells import cell_len
from rich.color import Color
from rich.style import Style

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import TERMINAL, THEMES, USUAL, Colours, Glyphs, glyphs

STYLES = [name for name, kind in palette.__annotations__.items() if kind == "Style"]


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    """The usual theme for whoever draws next."""
    yield
    palette.use(USUAL)


def colours_of(colours: Colours) -> list[str]:
    values = [getattr(colours, each.name) for each in fields(colours)]
    return [value for value in values if isinstance(value, str)]


@pytest.mark.parametrize("name", [name for name, each in THEMES.items() if not each.is_ansi])
def test_a_terminal_of_256_colours_shows_every_colour_as_it_is_meant(name: str) -> None:
    cube = {0, 0x5F, 0x87, 0xAF, 0xD7, 0xFF}
    grey = {8 + 10 * step for step in range(24)}
    for colour in colours_of(THEMES[name]):
        parts = set(bytes.fromhex(colour.removeprefix("#")))
        assert parts <= cube or (len(parts) == 1 and parts <= grey), colour


def test_the_theme_of_the_terminal_has_no_colours_but_the_sixteen() -> None:
    for colour in colours_of(THEMES[TERMINAL]):
        name = colour.removeprefix("ansi_")
        assert name == "default" or (Color.parse(name).number or 0) < 16, colour


@pytest.mark.parametrize("name", THEMES)
def test_a_theme_that_is_used_gives_every_name_its_colour(name: str) -> None:
    palette.use(name)
    assert THEMES[name].accent.removeprefix("ansi_") == palette.ACCENT
    assert Style(color=palette.ACCENT) == palette.BRIGHT
    assert all(isinstance(getattr(palette, style), Style) for style in STYLES)


def test_a_theme_that_is_not_there_is_the_usual_one() -> None:
    palette.use("paper")
    palette.use("plaid")
    assert THEMES[USUAL].ink == palette.INK


def test_yes_and_no_are_never_told_by_green_and_red() -> None:
    for name, colours in THEMES.items():
        if not colours.is_ansi:
            red, green, blue = bytes.fromhex(colours.yes.removeprefix("#"))
            assert blue > max(red, green), name


def test_where_no_colours_are_wanted_all_is_grey(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    palette.use("felt")
    styles = [getattr(palette, name) for name in STYLES]
    colours = [color.triplet for each in styles for color in (each.color, each.bgcolor) if color]
    assert all(len(set(triplet)) == 1 for triplet in colours if triplet)


def test_a_terminal_without_any_colour_is_given_marks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    palette.use(TERMINAL)
    assert palette.CHOSEN.reverse and palette.BUBBLE.reverse


def test_an_ascii_locale_is_given_ascii_signs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    assert "".join(getattr(glyphs(), each.name) for each in fields(Glyphs)).isascii()
    assert not palette.has_pixels()


@pytest.mark.parametrize("terminal", ["xterm-256color", "linux"])
def test_every_sign_takes_one_cell_and_says_one_thing(
    monkeypatch: pytest.MonkeyPatch, terminal: str
) -> None:
    monkeypatch.setenv("TERM", terminal)
    signs = [getattr(glyphs(), each.name) for each in fields(Glyphs)]
    assert {cell_len(sign) for sign in signs} == {1}
    assert glyphs().coin != glyphs().no_coin and glyphs().yes != glyphs().no


def test_the_linux_console_is_given_no_sign_that_its_font_may_lack(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "linux")
    signs = "".join(getattr(glyphs(), each.name) for each in fields(Glyphs))
    assert signs.encode("latin-1")
