"""The colours and styles of every screen.

All colours are on the 6×6×6 cube or the grey ramp, so that 256-colour terminals show them exactly.
There is one background and one accent; only what has the focus has a bright border.

`use` assigns the names below for a theme. They must be looked up while something is drawn, like
translated sentences: a default value of a parameter would keep the colours of an old theme.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import lru_cache
from typing import Final

from rich.style import Style

from spoof_tui.text import glyphs
from spoof_tui.text.ascii import is_ascii

USUAL: Final = "felt"
"""The default theme."""

TERMINAL: Final = "terminal"
"""The theme that uses the sixteen colours of the terminal."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of a theme, in Textual's notation."""

    ground: str
    """The background of all screens."""
    raised: str
    """The background of a selected line."""
    bar: str
    """The background of the top line."""
    box: str
    """The background of a dialog."""
    felt: str
    """The background of the table."""
    rim: str
    """The wood around the table."""
    ink: str
    faint: str
    line: str
    accent: str
    """Marks whose turn it is, the bid, the focus and the keys."""
    coin: str
    good: str
    """Positive text; colour is never the only sign."""
    bad: str
    """Negative text."""
    yes: str
    """The background of a positive plaque."""
    no: str
    felt_ink: str
    """Text on the felt."""
    felt_faint: str
    """Secondary text on the felt."""
    felt_coin: str
    """Coins on the felt."""
    felt_accent: str
    """The accent on the felt."""
    felt_good: str
    """Positive text on the felt."""
    paper: str
    """The background of a speech bubble."""
    carved: str
    """Characters on the rim."""
    skin: str = "#ffd7af"
    skin_light: str = "#ffffd7"
    skin_shade: str = "#d7af87"
    crease: str = "#875f00"
    coin_face: str = "#875f00"
    """A coin on an open hand, where it must stand out from the skin."""
    coin_light: str = "#af5f00"
    coin_edge: str = "#5f5f00"
    prize: str = "#ffd75f"
    """The table's rim after a win."""
    on_accent: str = "#121212"
    """Text on the accent."""
    on_paper: str = "#121212"
    """Text in a speech bubble, and on a hand."""
    on_coin: str = "#121212"
    """Text on a plaque in the colour of coins."""
    on_plaque: str = "#121212"
    sweat: str = "#87d7ff"
    """Drops of sweat on a fist that decides everything."""
    is_dark: bool = True
    is_ansi: bool = False
    """Whether the colours are the sixteen that the terminal defines."""


THEMES: Final = {
    "felt": Colours(
        ground="#121212", raised="#262626", bar="#1c1c1c", box="#1c1c1c",
        felt="#005f00", rim="#875f00",
        ink="#eeeeee", faint="#9e9e9e", line="#585858", accent="#ffaf00",
        coin="#ffd75f", good="#5fafff", bad="#ff8787", yes="#5fafff", no="#ff8787",
        felt_ink="#eeeeee", felt_faint="#afd7af", felt_coin="#ffd75f", felt_accent="#ffd700",
        felt_good="#afd7ff", paper="#d7d7af", carved="#ffffd7",
    ),
    "night": Colours(
        ground="#121212", raised="#262626", bar="#1c1c1c", box="#262626",
        felt="#1c1c1c", rim="#4e4e4e",
        ink="#d0d0d0", faint="#949494", line="#4e4e4e", accent="#ffaf00",
        coin="#ffd75f", good="#5fafff", bad="#ff8787", yes="#5fafff", no="#ff8787",
        felt_ink="#d0d0d0", felt_faint="#949494", felt_coin="#ffd75f", felt_accent="#ffaf00",
        felt_good="#5fafff", paper="#a8a8a8", carved="#d0d0d0",
    ),
    "paper": Colours(
        ground="#ffffff", raised="#e4e4e4", bar="#eeeeee", box="#eeeeee",
        felt="#d7ffd7", rim="#875f00",
        ink="#1c1c1c", faint="#5f5f5f", line="#a8a8a8", accent="#875f00",
        coin="#875f00", good="#005faf", bad="#af0000", yes="#005faf", no="#af0000",
        felt_ink="#1c1c1c", felt_faint="#005f00", felt_coin="#875f00", felt_accent="#875f00",
        felt_good="#005faf", paper="#1c1c1c", carved="#ffffff", skin="#5f0000",
        skin_light="#5f0000", skin_shade="#5f0000", crease="#ffffff",
        coin_face="#ffd700", coin_light="#ffffd7", coin_edge="#875f00",
        prize="#ffd700", on_accent="#ffffff",
        on_paper="#ffffff", on_coin="#ffffff", on_plaque="#ffffff", is_dark=False,
    ),
    "contrast": Colours(
        ground="#000000", raised="#444444", bar="#000000", box="#000000",
        felt="#000000", rim="#ffffff",
        ink="#ffffff", faint="#ffffff", line="#ffffff", accent="#ffff00",
        coin="#ffff00", good="#ffffff", bad="#ffffff", yes="#5fafff", no="#ff8787",
        felt_ink="#ffffff", felt_faint="#ffffff", felt_coin="#ffff00", felt_accent="#ffff00",
        felt_good="#ffffff", paper="#ffffff", carved="#000000",
        skin="#ffffff", skin_light="#ffffff", skin_shade="#ffffff", crease="#000000",
        coin_face="#000000", coin_light="#000000", coin_edge="#000000",
        prize="#ffaf00", on_accent="#000000",
        on_paper="#000000", on_coin="#000000", on_plaque="#000000",
    ),
    # Text has the terminal's own colours: of the sixteen, none can be read on every ground.
    TERMINAL: Colours(
        ground="ansi_default", raised="ansi_default", bar="ansi_default", box="ansi_default",
        felt="ansi_default", rim="ansi_green", ink="ansi_default", faint="ansi_default",
        line="ansi_default", accent="ansi_default", coin="ansi_default",
        good="ansi_default", bad="ansi_default", yes="ansi_cyan", no="ansi_bright_red",
        felt_ink="ansi_default", felt_faint="ansi_default", felt_coin="ansi_default",
        felt_accent="ansi_default", felt_good="ansi_default", paper="ansi_default",
        carved="ansi_default", skin="ansi_default", skin_light="ansi_default",
        skin_shade="ansi_default", crease="ansi_default", coin_face="ansi_yellow",
        prize="ansi_yellow", coin_light="ansi_default", coin_edge="ansi_default",
        sweat="ansi_default", on_accent="ansi_default", on_paper="ansi_default",
        on_coin="ansi_default", on_plaque="ansi_default", is_ansi=True,
    ),
}  # fmt: skip
"""Every theme by name, including the user's own."""

BUILT_IN: Final = tuple(THEMES)
"""The themes that come with the program."""

_GREYS: Final = Colours(
    ground="#121212", raised="#303030", bar="#1c1c1c", box="#1c1c1c",
        felt="#303030", rim="#6c6c6c",
    ink="#eeeeee", faint="#9e9e9e", line="#585858", accent="#ffffff",
    coin="#ffffff", good="#eeeeee", bad="#eeeeee", yes="#eeeeee", no="#eeeeee",
    felt_ink="#eeeeee", felt_faint="#bcbcbc", felt_coin="#ffffff", felt_accent="#ffffff",
    felt_good="#eeeeee", paper="#bcbcbc", carved="#eeeeee",
    skin="#bcbcbc", skin_light="#dadada", skin_shade="#949494", crease="#585858",
    coin_face="#303030", coin_light="#444444", coin_edge="#262626", prize="#ffffff",
)  # fmt: skip
"""The dark theme for users who want no colours."""

GROUND: str
FELT: str
INK: str
COIN: str
GOOD: str
BAD: str
SKIN: str
CREASE: str
ON_PAPER: str
"""Declared for type checkers; `use` assigns every other colour of the theme in the same way."""

TEXT: Style
QUIET: Style
BORDER: Style
BRIGHT: Style
STRONG: Style
BOLD: Style
MONEY: Style
RIGHT: Style
WRONG: Style
KEY: Style
BAR: Style
"""The top line."""
CHOSEN: Style
"""A selected line, and what the player has to do now."""
PRIZE: Style
"""A win."""
YES: Style
"""A positive plaque."""
NO: Style
FLAG: Style
"""The bid that a count decides on."""
BUBBLE: Style
WOOD: Style
"""The rim of the table."""
LIT_YES: Style
"""The rim in the colour of a plaque, after a verdict."""
LIT_NO: Style
LIT_PRIZE: Style
LIT_BUBBLE: Style
NOTCH: Style
"""The rest of the rim where it is notched, beside the felt."""
CARVED: Style
"""Text carved into the rim."""
SURFACE: Style
"""The felt, on which the styles below are drawn."""
ON_FELT: Style
ON_FELT_QUIET: Style
ON_FELT_BOLD: Style
ON_FELT_MONEY: Style
ON_FELT_MARK: Style
ON_FELT_RIGHT: Style
"""A number that was reached."""


_theme = USUAL

_TOKENS: Final = {
    ("pebbles", True): ("#bcbcbc", "#eeeeee", "#808080"),
    ("pebbles", False): ("#5f5f5f", "#8a8a8a", "#3a3a3a"),
    ("buttons", True): ("#87afff", "#d7ffff", "#005fd7"),
    ("buttons", False): ("#005fd7", "#5f87ff", "#00005f"),
}
"""Base colour, highlight and edge of tokens other than coins, by token and whether the theme is
dark."""


def _coloured(colours: Colours) -> Colours:
    """The colours with those of the current token; themes with few colours keep theirs."""
    found = _TOKENS.get((glyphs.token(), colours.is_dark))
    if found is None or colours.is_ansi or colours in (THEMES["contrast"], _GREYS):
        return colours
    coin, light, edge = found
    return replace(
        colours,
        coin=coin,
        felt_coin=coin,
        coin_face=coin,
        coin_light=light,
        coin_edge=edge,
        prize=coin,
    )


def _colours_of(name: str) -> Colours:
    return THEMES.get(name, THEMES[USUAL])


def wanted(colours: Colours) -> Colours:
    """The colours of a theme or, if the user wants no colours and the theme is dark, greys."""
    is_grey = is_colourless() and colours.is_dark and not colours.is_ansi
    return _GREYS if is_grey else colours


def use(name: str) -> None:
    """Draw with the theme of this name, and the signs that this terminal has, from now on.

    An unknown name stands for the default theme.
    """
    global _theme, _has_blocks
    _theme = name
    glyphs.refresh()
    _has_blocks = not is_ascii() and not is_colourless()
    colours = _coloured(wanted(_colours_of(name)))
    plain = {
        each.name: value.removeprefix("ansi_")
        for each in fields(Colours)
        if isinstance(value := getattr(colours, each.name), str)
    }
    globals().update({each.upper(): colour for each, colour in plain.items()})
    globals().update(_styles(plain), **_felt_styles(plain))
    if colours.is_ansi:
        globals().update(_marked_styles())


def play_with(token: str) -> None:
    """Draw coins as "coins", "pebbles" or "buttons" from now on; anything else means coins."""
    if token != glyphs.token():
        glyphs.choose(token)
        use(_theme)


def is_colourless() -> bool:
    """Whether the user wants no colours ($NO_COLOR is set)."""
    return "NO_COLOR" in os.environ


def reverses_rows() -> bool:
    """Whether a selected row is shown in reverse, since too few colours are available to mark
    it."""
    return is_colourless() or _colours_of(_theme).is_ansi


def _styles(plain: Mapping[str, str]) -> dict[str, Style]:
    ink, accent = plain["ink"], plain["accent"]
    return {
        "TEXT": Style(color=ink),
        "QUIET": Style(color=plain["faint"]),
        "BORDER": Style(color=plain["line"]),
        "BRIGHT": Style(color=accent),
        "STRONG": Style(color=accent, bold=True),
        "BOLD": Style(color=ink, bold=True),
        "MONEY": Style(color=plain["coin"]),
        "RIGHT": Style(color=plain["good"]),
        "WRONG": Style(color=plain["bad"]),
        "KEY": Style(color=accent, bold=True),
        "BAR": Style(bgcolor=plain["bar"]),
        "CHOSEN": Style(color=plain["on_accent"], bgcolor=accent, bold=True),
        "PRIZE": Style(color=plain["on_coin"], bgcolor=plain["coin"], bold=True),
        "YES": Style(color=plain["on_plaque"], bgcolor=plain["yes"], bold=True),
        "NO": Style(color=plain["on_plaque"], bgcolor=plain["no"], bold=True),
        "FLAG": Style(color=plain["on_accent"], bgcolor=plain["felt_accent"], bold=True),
        "BUBBLE": Style(color=plain["on_paper"], bgcolor=plain["paper"]),
        "STRUCK": Style(color=plain["on_paper"], bgcolor=plain["paper"], strike=True),
        "WOOD": Style(color=plain["rim"]),
        "LIT_YES": Style(color=plain["yes"]),
        "LIT_NO": Style(color=plain["no"]),
        "LIT_PRIZE": Style(color=plain["prize"]),
        "LIT_BUBBLE": Style(color=plain["paper"]),
        "CARVED": Style(color=plain["carved"], bgcolor=plain["rim"]),
    }


def _felt_styles(plain: Mapping[str, str]) -> dict[str, Style]:
    felt = plain["felt"]
    return {
        "SURFACE": Style(bgcolor=felt),
        "NOTCH": Style(color=plain["rim"], bgcolor=felt),
        "ON_FELT": Style(color=plain["felt_ink"], bgcolor=felt),
        "ON_FELT_QUIET": Style(color=plain["felt_faint"], bgcolor=felt),
        "ON_FELT_BOLD": Style(color=plain["felt_ink"], bgcolor=felt, bold=True),
        "ON_FELT_MONEY": Style(color=plain["felt_coin"], bgcolor=felt),
        "ON_FELT_MARK": Style(color=plain["felt_accent"], bgcolor=felt, bold=True),
        "ON_FELT_RIGHT": Style(color=plain["felt_good"], bgcolor=felt, bold=True),
    }


def _marked_styles() -> dict[str, Style]:
    """Reversed styles for a terminal's own colours, replacing those that have a background."""
    marked = Style(reverse=True, bold=True)
    return {
        "CHOSEN": marked,
        "PRIZE": marked,
        "YES": marked,
        "NO": marked,
        "FLAG": marked,
        "BUBBLE": Style(reverse=True),
        "STRUCK": Style(reverse=True, strike=True),
        "CARVED": Style(reverse=True),
    }


def has_blocks() -> bool:
    """Whether pictures are drawn with coloured block characters."""
    return _has_blocks


def has_pixels() -> bool:
    """Whether hands are drawn in blocks; otherwise in lines, because shades are needed to show
    fingers."""
    colours = _colours_of(_theme)
    return has_blocks() and colours.skin != colours.skin_light


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours such as "#d7af87", from 1 to 21 (WCAG 2.2)."""
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@lru_cache(maxsize=256)
def luminance(color: str) -> float:
    """The relative luminance of a colour such as "#d7af87", from 0 to 1 (WCAG 2.2)."""
    parts = (part / 255 for part in bytes.fromhex(color.removeprefix("#")))
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@lru_cache(maxsize=256)
def grey(color: str) -> str:
    """The grey of a 256-colour terminal whose lightness is nearest to that of this colour."""
    return min(_RAMP, key=lambda each: contrast(each, color))


_CUBE: Final = (0, 95, 135, 175, 215, 255)
"""The values of each channel on the colour cube."""


@lru_cache(maxsize=64)
def shadow(color: str, *, is_dark: bool) -> str:
    """The colour two steps darker on the colour cube or, if not `is_dark`, two steps lighter."""
    told = "#"
    for part in bytes.fromhex(color.removeprefix("#")):
        step = min(range(len(_CUBE)), key=lambda each: abs(_CUBE[each] - part))
        told += f"{_CUBE[min(max(step + (-2 if is_dark else 2), 0), len(_CUBE) - 1)]:02x}"
    return told


def of_hands() -> frozenset[str]:
    """The current colours of hands and of the coins on them."""
    colours = _colours_of(_theme)
    return frozenset(
        {colours.skin, colours.skin_light, colours.skin_shade, colours.crease, colours.coin_face,
         colours.coin_light, colours.coin_edge}
    )  # fmt: skip


_RAMP: Final = ("#000000", *("#" + 3 * f"{8 + 10 * step:02x}" for step in range(24)), "#ffffff")


PRESS: Final = "press"
"""The key of a style's `meta` under which a clickable style stores the key to press."""


@lru_cache(maxsize=512)
def pressing(style: Style, key: str) -> Style:
    """`style`, made to press `key` (Textual's name) on a click; unchanged if `key` is empty."""
    return style + Style(meta={PRESS: key}) if key else style


def pressed_by(style: Style | None) -> str:
    """The key that a click on this style presses; empty for none."""
    return str(style.meta.get(PRESS, "")) if style else ""


def key_sign(caption: str) -> str:
    """The caption of a key with the arrow signs that this terminal can show."""
    signs = glyphs.glyphs()
    arrows = {"←": signs.left, "→": signs.right, "↑": signs.up, "↓": signs.down}
    return arrows.get(caption, caption)


_has_blocks: bool
use(USUAL)
