"""How a round ended, in the two words of a stamp, and what it moved."""

from __future__ import annotations

from collections.abc import Sequence

from protocol.rules.game import PlayedRound
from protocol.rules.outcome import Verdict
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette


def stamp(played: PlayedRound) -> tuple[str, bool]:
    """The verdict with its sign, and whether what was judged is true."""
    text, holds = {
        Verdict.CALL_BID_TRUE: (_("good bid"), True),
        Verdict.CALL_BID_FALSE: (_("too high"), False),
        Verdict.CLIFF_RIGHT: (_("exact"), True),
        Verdict.CLIFF_AT_CAP: (_("exact"), True),
        Verdict.CLIFF_WRONG: (_("not exact"), False),
        Verdict.SPOOF_RIGHT: (_("all are in"), True),
        Verdict.SPOOF_WRONG: (_("not all in"), False),
        Verdict.ZERO_RIGHT: (_("all empty"), True),
        Verdict.ZERO_WRONG: (_("not empty"), False),
        Verdict.GUESSED: (_("guessed"), True),
        Verdict.NOT_GUESSED: (_("nobody guessed"), False),
    }.get(played.outcome.verdict, (_("void"), False))
    signs = palette.glyphs()
    return f"{signs.yes if holds else signs.no} {text}", holds


def moved(played: PlayedRound, names: Sequence[str], me: int | None = None) -> str:
    """Whose coins the round changed, and by how much: "Krona −1"; or that none did."""
    if played.outcome.verdict is Verdict.GUESSED:
        out = " ".join(_called(seat, names, me) for seat in played.outcome.went_out)
        return _("{names} left").format(names=out)
    signs = palette.glyphs()
    told = [
        f"{_called(seat, names, me)} {'+' if change > 0 else signs.minus}{abs(change)}"
        for seat, change in sorted(played.outcome.changes.items())
    ]
    return " ".join(told) or _("nobody pays")


def _called(seat: int, names: Sequence[str], me: int | None) -> str:
    return _("you") if seat == me else names[seat]
