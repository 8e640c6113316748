"""How long the count of a round takes, beat by beat: what a screen shows, and a bot waits for.

The heavy beats are about a second apart, so that no second of a count is much to send.

The beats follow from the number of fists alone: never from a hand, nor from the result.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

WORD: Final = 1.1
"""Seconds of the ending word, before the first fist opens."""

FIST: Final = 0.8
"""Seconds from one fist to the next."""

FIST_OF_MANY: Final = 0.25
"""Seconds from one fist to the next in a round with more than five."""

HELD: Final = 1.0
"""Seconds before the last fist."""

BEFORE_HELD: Final = 1.05
"""Seconds before it is said what depends on the last fist."""

LAST: Final = 1.0
"""Seconds from the last fist to the verdict, in which its coins are counted one by one."""

COIN: Final = 0.08
"""Seconds from one coin of a fist to the next, on the way into the track."""

HUSH: Final = 0.35
"""Seconds before the coin with which the bid is reached."""

STAMP: Final = 1.05
"""Seconds from the verdict to its price."""

REST: Final = 3.0
"""Seconds from the price of a verdict until the first word of the next round."""

REST_OUT: Final = 8.0
"""Seconds from the price to that word for somebody who has just gone out."""

RETOLD_WORD: Final = 0.8
"""Seconds from word to word of a round that is shown again."""

NEXT_WORD: Final = 0.25
"""Seconds between two words that a screen has yet to show."""

FEW: Final = 5
"""So many fists have time and room for a scene of their own each."""


class Beat(IntEnum):
    """What a count has shown so far; each includes all before it."""

    WORD = 0
    """That the round has ended, and with which word."""
    FIST = 1
    """Some of the fists are counted."""
    HELD = 2
    """All fists but the last one."""
    LAST = 3
    """All fists."""
    STAMP = 4
    """Whether the ender was right."""
    PAID = 5
    """Who wins and loses coins, and what comes next."""


class Step(NamedTuple):
    """One beat of a count."""

    beat: Beat
    opened: int
    """Fists that are counted, and drawn open."""
    seconds: float
    """Until the next step; 0 after the last one."""


def steps(fists: int, *, still: bool = False) -> tuple[Step, ...]:
    """The count of this many fists, one by one; `still` without motion."""
    one_by_one = () if still else tuple(_one_by_one(fists))
    last = () if still or not fists else (Step(Beat.LAST, fists, LAST),)
    return (
        Step(Beat.WORD, 0, WORD),
        *one_by_one,
        *last,
        Step(Beat.STAMP, fists, STAMP),
        Step(Beat.PAID, fists, 0.0),
    )


def _one_by_one(fists: int) -> list[Step]:
    """The fists before the last one, which waits."""
    pace, last = (FIST, BEFORE_HELD) if fists <= FEW else (FIST_OF_MANY, FIST_OF_MANY)
    opening = [
        Step(Beat.FIST, opened, pace if opened < fists - 2 else last)
        for opened in range(1, fists - 1)
    ]
    return [*opening, Step(Beat.HELD, fists - 1, HELD)] if fists > 1 else []


def coin_seconds(counted: int, bid: int | None) -> float:
    """Seconds before one more coin than `counted` is counted."""
    return HUSH if counted + 1 == bid else COIN


def count_seconds(fists: int) -> float:
    """Seconds from the ending word until the count is paid."""
    return sum(step.seconds for step in steps(fists))
