"""The colours and glyphs of every screen, in one place.

All colours lie on the 6×6×6 cube or the grey ramp, so that 256-colour terminals show them as
they are meant. One background, one accent; a bright border only on focus.

The names below are those of the theme that `use` took last. Like sentences, they are looked up
while something is drawn: a default of a parameter would keep the colour of another theme.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from rich.style import Style

USUAL: Final = "night"
"""The theme of a player who has chosen none."""


@dataclass(frozen=True, slots=True)
class Colours:
    """The colours of one theme, each as Textual writes it."""

    ground: str
    """The one background."""
    raised: str
    """The background of a selected line."""
    felt: str
    """The background of the table and of dialogs."""
    rim: str
    """The edge of the table."""
    ink: str
    faint: str
    line: str
    stale: str
    """Everything on a table that may have moved on unseen."""
    accent: str
    """The one accent: whose turn it is, the standing bid, the focus."""
    coin: str
    good: str
    bad: str
    felt_faint: str
    """Secondary text on the felt, where it is not that of the ground."""
    paper: str
    """The background of a speech bubble."""
    skin: str
    crease: str
    is_dark: bool = True
    is_ansi: bool = False
    """Whether these are the sixteen colours that the player set in the terminal."""


THEMES: Final = {
    "felt": Colours(
        ground="#121212", raised="#262626", felt="#005f00", rim="#875f00", ink="#eeeeee",
        faint="#9e9e9e", line="#585858", stale="#6c6c6c", accent="#ffaf00", coin="#ffd75f",
        good="#5fafff", bad="#ff8787", felt_faint="#afd7af", paper="#d7d7af", skin="#d7af87",
        crease="#875f5f",
    ),
    "night": Colours(
        ground="#121212", raised="#262626", felt="#1c1c1c", rim="#4e4e4e", ink="#d0d0d0",
        faint="#8a8a8a", line="#4e4e4e", stale="#6c6c6c", accent="#ffaf00", coin="#ffd75f",
        good="#87d787", bad="#ff5f5f", felt_faint="#8a8a8a", paper="#d7d7af", skin="#d7af87",
        crease="#875f5f",
    ),
    "paper": Colours(
        ground="#eeeeee", raised="#d0d0d0", felt="#d7ffd7", rim="#875f00", ink="#1c1c1c",
        faint="#5f5f5f", line="#a8a8a8", stale="#8a8a8a", accent="#af5f00", coin="#875f00",
        good="#005faf", bad="#af0000", felt_faint="#5f875f", paper="#ffffff", skin="#d7af87",
        crease="#875f5f", is_dark=False,
    ),
    "contrast": Colours(
        ground="#000000", raised="#444444", felt="#000000", rim="#ffffff", ink="#ffffff",
        faint="#ffffff", line="#ffffff", stale="#bcbcbc", accent="#ffff00", coin="#ffff00",
        good="#ffffff", bad="#ffffff", felt_faint="#ffffff", paper="#ffffff", skin="#ffffff",
        crease="#000000",
    ),
    "ansi": Colours(
        ground="ansi_default", raised="ansi_bright_black", felt="ansi_default",
        rim="ansi_yellow", ink="ansi_default", faint="ansi_white", line="ansi_white",
        stale="ansi_white", accent="ansi_yellow", coin="ansi_bright_yellow",
        good="ansi_bright_cyan", bad="ansi_bright_red", felt_faint="ansi_white",
        paper="ansi_white", skin="ansi_yellow", crease="ansi_black", is_ansi=True,
    ),
}  # fmt: skip
"""Every theme by its name."""

GROUND: str
RAISED: str
FELT: str
INK: str
FAINT: str
LINE: str
STALE: str
ACCENT: str
COIN: str
GOOD: str
BAD: str

SURFACE: Style
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


def use(name: str) -> None:
    """Draw in the colours of a theme from now on; in the usual ones if there is no such theme."""
    colours = THEMES.get(name, THEMES[USUAL])
    names = ("ground", "raised", "felt", "ink", "faint", "line", "stale", "accent", "coin")
    plain = {each: getattr(colours, each).removeprefix("ansi_") for each in (*names, "good", "bad")}
    globals().update({each.upper(): colour for each, colour in plain.items()})
    globals().update(_styles(**plain))


def _styles(
    *, felt: str, ink: str, faint: str, line: str, accent: str, coin: str, good: str, bad: str,
    **_others: str,
) -> dict[str, Style]:  # fmt: skip
    return {
        "SURFACE": Style(bgcolor=felt),
        "TEXT": Style(color=ink),
        "QUIET": Style(color=faint),
        "BORDER": Style(color=line),
        "BRIGHT": Style(color=accent),
        "STRONG": Style(color=accent, bold=True),
        "BOLD": Style(color=ink, bold=True),
        "MONEY": Style(color=coin),
        "RIGHT": Style(color=good),
        "WRONG": Style(color=bad),
        "KEY": Style(color=accent, bold=True),
    }


use(USUAL)


@dataclass(frozen=True, slots=True)
class Glyphs:
    """Single-cell signs; the Linux console has few of them."""

    coin: str = "●"
    no_coin: str = "○"
    pointer: str = "▶"
    star: str = "★"
    right: str = "→"
    left: str = "←"
    up: str = "↑"
    down: str = "↓"
    dot: str = "·"
    yes: str = "✓"
    no: str = "✗"


_CONSOLE: Final = Glyphs("o", ".", ">", "*", ">", "<", "^", "v", "·", "+", "x")


def glyphs() -> Glyphs:
    """The signs that this terminal's font surely has."""
    return _CONSOLE if os.environ.get("TERM") == "linux" else Glyphs()
