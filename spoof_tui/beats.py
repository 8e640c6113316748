"""How long the count of a round takes, beat by beat: screens show it, and bots wait for it.

Among few fists the beats are over a second apart, so that little has to be sent in any one
second. The beats depend on the number of fists alone: never on a hand, nor on the result.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final, NamedTuple

WORD: Final = 1.1
"""Seconds for which the ending word is shown before the first fist opens."""

FIST: Final = 1.05
"""Seconds from one fist to the next."""

FIST_OF_MANY: Final = 0.25
"""Seconds from one fist to the next in a round with more than `FEW`."""

HELD: Final = 1.02
"""Seconds before the last fist opens."""

LAST: Final = 1.02
"""Seconds from the last fist to the verdict, in which its coins are counted one by one."""

COIN: Final = 0.08
"""Seconds from one coin of a fist to the next, while they move into the track."""

HUSH: Final = 0.35
"""Seconds before the coin with which the bid is reached."""

STAMP: Final = 1.05
"""Seconds from the verdict to the coins won and lost."""

REST: Final = 3.0
"""Seconds from then until the first word of the next round."""

REST_OUT: Final = 8.0
"""Seconds from then until that word for somebody who has just gone out."""

RETOLD_WORD: Final = 0.8
"""Seconds between two words of a round that is shown again."""

NEXT_WORD: Final = 0.25
"""Seconds between two words that a screen has not shown yet."""

FEW: Final = 5
"""Maximum number of fists that are shown one by one at the slow pace."""


class Beat(IntEnum):
    """What a count has shown so far; each beat includes all before it."""

    WORD = 0
    """That the round has ended, and by which word."""
    FIST = 1
    """Some of the fists are counted."""
    HELD = 2
    """All fists but the last one are counted."""
    LAST = 3
    """All fists are counted."""
    STAMP = 4
    """Whether the ender was right is shown."""
    PAID = 5
    """Who wins and loses coins, and what comes next, is shown."""


class Step(NamedTuple):
    """One step of a count."""

    beat: Beat
    opened: int
    """Number of fists that are counted, and drawn open."""
    seconds: float
    """Seconds until the next step; 0 after the last one."""


def steps(fists: int, *, still: bool = False) -> tuple[Step, ...]:
    """The steps of a count of so many fists, one by one; with `still`, only those without
    motion."""
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
    """The steps in which the fists before the last one open."""
    pace = FIST if fists <= FEW else FIST_OF_MANY
    opening = [Step(Beat.FIST, opened, pace) for opened in range(1, fists - 1)]
    return [*opening, Step(Beat.HELD, fists - 1, HELD)] if fists > 1 else []


def coin_seconds(counted: int, bid: int | None) -> float:
    """Seconds before the next coin is counted, after `counted` coins; longer for the one that
    reaches `bid`."""
    return HUSH if counted + 1 == bid else COIN


def count_seconds(fists: int) -> float:
    """Seconds from the ending word until the coins won and lost are shown."""
    return sum(step.seconds for step in steps(fists))
