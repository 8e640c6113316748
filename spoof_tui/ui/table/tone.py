"""What a word on the table is meant as; how that looks, the palette says while it is drawn."""

from __future__ import annotations

from enum import Enum

from rich.style import Style

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import glyphs


class Tone(Enum):
    """What a word on the felt is meant as."""

    PLAIN = "plain"
    QUIET = "quiet"
    STRONG = "strong"
    MONEY = "money"
    MARK = "mark"
    """What I should look at."""
    BUBBLE = "bubble"
    """Said aloud."""
    RIGHT = "right"
    """A number that reached its mark."""
    YES = "yes"
    NO = "no"
    STRUCK = "struck"
    """Said, and it does not stand."""

    @property
    def is_plaque(self) -> bool:
        """Whether it has a background of its own, and needs a blank at either side."""
        return self in (Tone.BUBBLE, Tone.YES, Tone.NO, Tone.STRUCK)

    @property
    def style(self) -> Style:
        """How it looks on the felt in the present theme."""
        return {
            Tone.PLAIN: palette.ON_FELT,
            Tone.QUIET: palette.ON_FELT_QUIET,
            Tone.STRONG: palette.ON_FELT_BOLD,
            Tone.MONEY: palette.ON_FELT_MONEY,
            Tone.MARK: palette.ON_FELT_MARK,
            Tone.BUBBLE: palette.BUBBLE,
            Tone.RIGHT: palette.ON_FELT_RIGHT,
            Tone.YES: palette.YES,
            Tone.NO: palette.NO,
            Tone.STRUCK: palette.BUBBLE + Style(strike=True),
        }[self]


def change_words(change: int) -> str:
    """Coins won or lost, with a sign as wide as a digit."""
    return f"+{change}" if change > 0 else f"{glyphs().minus}{-change}"
