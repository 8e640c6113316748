"""Tones: meanings of words on the felt, which the palette turns into styles."""

from __future__ import annotations

from enum import StrEnum

from rich.style import Style

from spoof_tui.telling.outcomes import Fortune, PersonalOutcome
from spoof_tui.text.glyphs import glyphs
from spoof_tui.ui.canvas import palette


class Tone(StrEnum):
    """The meaning of a text on the felt; the value is the name of its style in the palette."""

    PLAIN = "ON_FELT"
    QUIET = "ON_FELT_QUIET"
    STRONG = "ON_FELT_BOLD"
    MONEY = "ON_FELT_MONEY"
    MARK = "ON_FELT_MARK"
    """What the player should look at."""
    BUBBLE = "BUBBLE"
    """A word said by a player."""
    FLAG = "FLAG"
    """The bid that a count is about."""
    RIGHT = "ON_FELT_RIGHT"
    """A number that was reached."""
    YES = "YES"
    NO = "NO"
    PRIZE = "PRIZE"
    """A win."""
    STRUCK = "STRUCK"
    """A call that does not count."""

    @property
    def is_plaque(self) -> bool:
        """Whether the style has a background of its own, so that the text needs a space at either
        side."""
        return self in (Tone.BUBBLE, Tone.YES, Tone.NO, Tone.STRUCK, Tone.PRIZE)

    @property
    def style(self) -> Style:
        """The style of this tone in the current theme."""
        style: Style = getattr(palette, self)
        return style

    @property
    def wood(self) -> Style:
        """The style of a rim in the colour of this plaque."""
        style: Style = getattr(palette, f"LIT_{self}")
        return style


def tone_of(told: PersonalOutcome) -> Tone:
    """The plaque for an outcome, chosen by what it means for the player; a rare one gets the prize
    plaque, unless the player lost by it."""
    if told.is_rare and told.fortune is not Fortune.LOST:
        return Tone.PRIZE
    return {
        Fortune.WON: Tone.PRIZE,
        Fortune.RIGHT: Tone.YES,
        Fortune.LOST: Tone.NO,
        Fortune.NEITHER: Tone.BUBBLE,
    }[told.fortune]


def change_words(change: int) -> str:
    """Coins won or lost with a sign: "+1" or "−1"."""
    return f"+{change}" if change > 0 else f"{glyphs().minus}{-change}"
