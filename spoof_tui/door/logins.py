"""Who is logging in, sans-IO: connections whose keys are exchanged and that nobody proved yet.

People take long here, so that nobody gives way to somebody who came later from the same place.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

MAX_LOGINS: Final = 64
"""Connections that are logging in. For a new place, one of the busiest place gives way."""

MAX_OF_PLACE: Final = 16
"""Of these, from one place: more are refused, until the oldest of them has had its time."""

PATIENCE: Final = 30.0
"""Seconds after which one that is logging in may give way to another of its place."""


class Logins:
    """Those who are logging in."""

    def __init__(self) -> None:
        self._begun: dict[int, tuple[str, float]] = {}
        """Places and times of beginning, by the number of the connection; the oldest first."""

    def begin(self, number: int, place: str, now: float) -> int | None:
        """Let a connection of this number log in at `now`, in seconds.

        Returns the number of one that gives way, which may be the same, or None if none has to.
        """
        counts = Counter(where for where, _ in self._begun.values())
        gives_way = None
        if counts[place] >= MAX_OF_PLACE:
            gives_way = next(each for each, (where, _) in self._begun.items() if where == place)
            if now - self._begun[gives_way][1] < PATIENCE:
                return number
        elif len(self._begun) >= MAX_LOGINS:
            busiest = counts.most_common(1)[0][0]
            of_it = [each for each, (where, _) in self._begun.items() if where == busiest]
            gives_way = of_it[-1]
        if gives_way is not None:
            del self._begun[gives_way]
        self._begun[number] = place, now
        return gives_way

    def end(self, number: int) -> None:
        """A connection has logged in, or is gone, whether it had begun or not."""
        self._begun.pop(number, None)
