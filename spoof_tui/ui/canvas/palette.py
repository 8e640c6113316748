"""The colours and glyphs of every screen, in one place.

All colours lie on the 6×6×6 cube or the grey ramp, so that 256-colour terminals show them as
they are meant. One background, one accent; a bright border only on focus.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final

from rich.style import Style

GROUND: Final = "#121212"
"""The one background."""
RAISED: Final = "#262626"
"""The background of a selected line and of dialogs."""
FELT: Final = "#1c1c1c"
"""The background of the table itself."""
INK: Final = "#d0d0d0"
FAINT: Final = "#8a8a8a"
LINE: Final = "#4e4e4e"
STALE: Final = "#6c6c6c"
"""Everything on a table that may have moved on unseen."""
ACCENT: Final = "#ffaf00"
"""The one accent: whose turn it is, the standing bid, the focus."""
COIN: Final = "#ffd75f"
GOOD: Final = "#87d787"
BAD: Final = "#ff5f5f"

SURFACE: Final = Style(bgcolor=FELT)
TEXT: Final = Style(color=INK)
QUIET: Final = Style(color=FAINT)
BORDER: Final = Style(color=LINE)
BRIGHT: Final = Style(color=ACCENT)
STRONG: Final = Style(color=ACCENT, bold=True)
BOLD: Final = Style(color=INK, bold=True)
MONEY: Final = Style(color=COIN)
RIGHT: Final = Style(color=GOOD)
WRONG: Final = Style(color=BAD)
KEY: Final = Style(color=ACCENT, bold=True)


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
