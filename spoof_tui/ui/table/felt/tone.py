"""The meaning of a word on the table; the palette turns it into a style at drawing time."""

from __future__ import annotations

from enum import StrEnum

from rich.style import Style

from spoof_tui.telling.outcomes import Fortune, PersonalOutcome
from spoof_tui.text.glyphs import glyphs
from spoof_tui.ui.canvas import palette


class Tone(StrEnum):
    """The meaning of a word on the felt, and the name of its style in the palette."""

    PLAIN = "ON_FELT"
    QUIET = "ON_FELT_QUIET"
    STRONG = "ON_FELT_BOLD"
    MONEY = "ON_FELT_MONEY"
    MARK = "ON_FELT_MARK"
    """What I should look at."""
    BUBBLE = "BUBBLE"
    """Said aloud."""
    FLAG = "FLAG"
    """The bid that a count is about."""
    RIGHT = "ON_FELT_RIGHT"
    """A number that reached its goal."""
    YES = "YES"
    NO = "NO"
    PRIZE = "PRIZE"
    """Who has won."""
    STRUCK = "STRUCK"
    """Said, but it does not count."""

    @property
    def is_plaque(self) -> bool:
        """Whether it has a background of its own, and needs a space at either side."""
        return self in (Tone.BUBBLE, Tone.YES, Tone.NO, Tone.STRUCK, Tone.PRIZE)

    @property
    def style(self) -> Style:
        """Its style on the felt in the current theme."""
        style: Style = getattr(palette, self)
        return style

    @property
    def wood(self) -> Style:
        """The rim in the colour of this plaque."""
        style: Style = getattr(palette, f"LIT_{self}")
        return style


def tone_of(told: PersonalOutcome) -> Tone:
    """The plaque of a verdict: what it brings whoever is told of it; gold for what is rare."""
    if told.is_rare and told.fortune is not Fortune.LOST:
        return Tone.PRIZE
    return {
        Fortune.WON: Tone.PRIZE,
        Fortune.RIGHT: Tone.YES,
        Fortune.LOST: Tone.NO,
        Fortune.NEITHER: Tone.BUBBLE,
    }[told.fortune]


def change_words(change: int) -> str:
    """Coins won or lost, with a sign as wide as a digit."""
    return f"+{change}" if change > 0 else f"{glyphs().minus}{-change}"
