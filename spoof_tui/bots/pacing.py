"""How long a bot takes, so that people can follow; depends on public information, never
on a hand."""

from __future__ import annotations

import random
from typing import Final

from protocol.table.fold import Phase
from protocol.views import TableView
from spoof_tui import beats
from spoof_tui.beats import count_seconds
from spoof_tui.bots.odds import at_least, even_total

QUICKEST: Final = 0.6
"""Seconds for a move that needs no thought."""

SLOWEST: Final = 2.0
"""Seconds for the hardest move."""

WAVER: Final = 0.5
"""The part of the span between them that is random."""


def think_seconds(view: TableView, rng: random.Random, pace: float = 1.0) -> float:
    """Seconds before the next move: `QUICKEST` to `SLOWEST`, times `pace` (0: at once).

    The closer the standing bid is to even odds, the longer it takes. Getting ready for a first game
    takes no thought.
    """
    if view.phase is Phase.GATHERING and not view.game_number:
        return 0.0
    thought = WAVER * rng.random() + (1.0 - WAVER) * _difficulty(view)
    return pace * (QUICKEST + (SLOWEST - QUICKEST) * thought)


def patience(view: TableView, since: float) -> float:
    """Seconds to wait, `since` seconds after a count, until people have followed it to its end.

    The first word of the next round waits longer than a fist, which nobody watches.
    """
    is_spoken = bool(view.words or view.calls)
    if not view.past or is_spoken:
        return 0.0
    count = count_seconds(len(view.past[-1].hands), together=view.rules.opens_together)
    return max(count + (0.0 if view.own_fist_due else beats.REST) - since, 0.0)


def _difficulty(view: TableView) -> float:
    """1 for a standing bid that is as likely true as false, 0 for a sure one or for none."""
    if view.standing is None:
        return 0.0
    total = even_total(tuple(sorted(seat.coins for seat in view.seats if seat.coins)))
    return 1.0 - abs(2.0 * at_least(total, view.standing[1]) - 1.0)
