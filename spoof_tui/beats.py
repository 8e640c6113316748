"""How long the count of a round takes, beat by beat: what a screen shows, and a bot waits for.

The beats follow from the number of fists alone: never from a hand, nor from the result.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

WORD: Final = 0.9
"""Seconds of the ending word, before the first fist opens."""

FIST: Final = 0.4
"""Seconds from one fist to the next."""

LATER_FIST: Final = 0.25
"""Seconds before each fist from the sixth on."""

HELD: Final = 0.9
"""Seconds before the last fist."""

LAST: Final = 0.5
"""Seconds from the last fist to the verdict."""

STAMP: Final = 0.6
"""Seconds from the verdict to its price."""

REST: Final = 3.0
"""Seconds from then until the first word of the next round."""

RETOLD_WORD: Final = 0.8
"""Seconds from word to word of a round that is shown again."""

NEXT_WORD: Final = 0.25
"""Seconds between two words that a screen has yet to show."""

_SIXTH: Final = 6


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
    opening = [
        Step(Beat.FIST, opened, FIST if opened + 1 < _SIXTH else LATER_FIST)
        for opened in range(1, fists - 1)
    ]
    return [*opening, Step(Beat.HELD, fists - 1, HELD)] if fists > 1 else []


def count_seconds(fists: int) -> float:
    """Seconds from the ending word until the count is paid."""
    return sum(step.seconds for step in steps(fists))
