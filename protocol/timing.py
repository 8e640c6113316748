"""The time as the protocol sees it, and how long silence may last (README.md, "Limits")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

PING_INTERVAL: Final = 1.0
"""Seconds between two pings: three are lost before anybody is called unsteady."""

UNSTEADY_DELAY: Final = 3.0
"""Seconds of silence after which nobody is shown as connected any more."""

LEASE: Final = 3.0
"""Seconds from a ping of the host for which a seat that answers it follows no other host."""

SUPPORT_DELAY: Final = 3.5
"""Seconds without a ping of the host after which a seat may support another one: more than
`LEASE`, so that a host knows first that it may have lost its table."""

STAND_INTERVAL: Final = 1.0
"""Seconds between the seats' turns to stand for host, in the order of the seats."""

STAND_FOR: Final = 4.0
"""Seconds that one stands for host before it lets another one try."""

JUMP: Final = 2.0
"""Seconds by which the two clocks may go apart; more means that this machine slept."""

LOST_DELAY: Final = 15.0
"""Seconds of silence after which a link counts as lost: at 20 % loss honest ones pass 6."""


@dataclass(frozen=True, slots=True)
class Moment:
    """Now, by two clocks."""

    monotonic: float
    """Seconds since some fixed moment, for intervals."""
    wall: int
    """Milliseconds since 1970, for people."""

    def since(self, earlier: Moment) -> float:
        """Seconds that have passed by whichever clock says more.

        The one for intervals stands still on some machines while they sleep.
        """
        return max(self.monotonic - earlier.monotonic, (self.wall - earlier.wall) / 1000)


class Clocks:
    """Notices that this machine slept: one of its clocks went on without the other."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: Moment | None = None

    def jumped(self, at: Moment) -> bool:
        """Whether the clocks went apart by more than `JUMP` since the last call."""
        last, self._last = self._last, at
        if last is None:
            return False
        apart = (at.wall - last.wall) / 1000 - (at.monotonic - last.monotonic)
        return abs(apart) > JUMP
