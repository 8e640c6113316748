"""The measures in the words of `spoof verify`."""

from __future__ import annotations

from protocol.table.statements import Measure
from spoof_tui.text.i18n import _


def carried(measure: Measure) -> str:
    """A measure that is in force from now on; {name} is whom it concerns."""
    return {
        Measure.MUTE: _("{name} is muted from now on (G5)."),
        Measure.UNMUTE: _("{name} may talk again."),
        Measure.REMOVE: _("{name} is to go when this round is over (G5)."),
        Measure.BAR: _("{name} may not sit here any more (G5)."),
        Measure.PARDON: _("{name} may sit here again (G5)."),
        Measure.PLAY_ON: _("The table plays on without {name} (G3)."),
        Measure.PAUSE: _("The game is paused (G5)."),
        Measure.GO_ON: _("The pause is over (G5)."),
        Measure.LOCK: _("The table takes nobody new from now on."),
        Measure.UNLOCK: _("The table takes everybody again."),
        # Nobody will ever read this.
        Measure.BAN_WOBBLE: _("The Wobble is banned (S5)."),
    }[measure]


def asked(measure: Measure) -> str:
    """A measure that somebody, {name}, is for; {other} is whom it concerns."""
    return {
        Measure.MUTE: _("{name} wants {other} to be muted (G5)."),
        Measure.UNMUTE: _("{name} wants {other} to talk again (G5)."),
        Measure.REMOVE: _("{name} wants {other} to be removed (G5)."),
        Measure.BAR: _("{name} wants {other} to be banned (G5)."),
        Measure.PARDON: _("{name} wants {other} to be let in again (G5)."),
        Measure.PLAY_ON: _("{name} wants to play on without {other} (G3)."),
        Measure.PAUSE: _("{name} wants a pause (G5)."),
        Measure.GO_ON: _("{name} wants to go on (G5)."),
        Measure.LOCK: _("{name} wants the table to be locked."),
        Measure.UNLOCK: _("{name} wants the table to be unlocked."),
        Measure.BAN_WOBBLE: _("{name} wants the Wobble banned. Mr. A. L. Shearn vetoes it (S5)."),
    }[measure]
