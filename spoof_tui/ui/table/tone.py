"""The meaning of a word on the table; the palette turns it into a style at drawing time."""

from __future__ import annotations

from enum import Enum
from typing import Final

from rich.style import Style

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.palette import glyphs


class Tone(Enum):
    """The meaning of a word on the felt."""

    PLAIN = "plain"
    QUIET = "quiet"
    STRONG = "strong"
    MONEY = "money"
    MARK = "mark"
    """What I should look at."""
    BUBBLE = "bubble"
    """Said aloud."""
    RIGHT = "right"
    """A number that reached its goal."""
    YES = "yes"
    NO = "no"
    PRIZE = "prize"
    """Who has won."""
    STRUCK = "struck"
    """Said, but it does not count."""

    @property
    def is_plaque(self) -> bool:
        """Whether it has a background of its own, and needs a space at either side."""
        return self in (Tone.BUBBLE, Tone.YES, Tone.NO, Tone.STRUCK)

    @property
    def style(self) -> Style:
        """Its style on the felt in the current theme."""
        look: Style = getattr(palette, _LOOKS[self])
        return look + _STRIKE if self is Tone.STRUCK else look


_LOOKS: Final = {
    Tone.PLAIN: "ON_FELT",
    Tone.QUIET: "ON_FELT_QUIET",
    Tone.STRONG: "ON_FELT_BOLD",
    Tone.MONEY: "ON_FELT_MONEY",
    Tone.MARK: "ON_FELT_MARK",
    Tone.BUBBLE: "BUBBLE",
    Tone.RIGHT: "ON_FELT_RIGHT",
    Tone.YES: "YES",
    Tone.NO: "NO",
    Tone.PRIZE: "PRIZE",
    Tone.STRUCK: "BUBBLE",
}
"""The names of the styles in the palette."""

_STRIKE: Final = Style(strike=True)


def change_words(change: int) -> str:
    """Coins won or lost, with a sign as wide as a digit."""
    return f"+{change}" if change > 0 else f"{glyphs().minus}{-change}"
