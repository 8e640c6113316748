"""The time as the protocol sees it, and how long silence may last (REGISTRY.md, "Times")."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, log
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

GONE_DELAY: Final = 4.0
"""Seconds of silence after which a seat takes its host for gone, and leaves the link to it."""

MAX_GONE_DELAY: Final = 7.6
"""The same where packets are lost, at most; a slow link has more."""

LOST_DELAY: Final = 15.0
"""Seconds of silence after which a link counts as lost: at 20 % loss honest ones pass 6."""

SLOW: Final = 0.3
"""Seconds to an answer from which on a network is called slow."""

MAX_UNSTEADY_DELAY: Final = 10.0
"""The same where packets are lost or under way for long, at most."""

_NEW_MEAN: Final = 1 / 8
_NEW_DEVIATION: Final = 1 / 4
"""How much the last time counts in the mean and in the deviation (RFC 6298)."""

_NEW_LOSS: Final = 1 / 32
"""How much the last packet counts in the part of packets that are lost."""

_FIRST_LOSS: Final = 0.02
"""That part as long as nothing is known."""

_LOSSY: Final = 0.06
"""The same from which on silence is put down to losses: two of the last answers were late."""

_MAX_LOSS: Final = 0.5

_MIN_RESEND: Final = 0.2
"""Seconds after which TCP sends once more what was not confirmed, at least beyond the mean."""

_CALL_TRIPS: Final = 4
"""Round trips until a host that is called anew has greeted."""

_RARE: Final = 1e-4
"""How often a silence may be as long as one that is put down to losses."""


class RoundTrip:
    """How long an answer takes over one link, and how much is lost, from what was seen of it.

    What waits for several answers, and what a silence means, follows from that: a fast link keeps
    the usual times, and a slow one is not given up because it is slow. Nothing that the safety of
    an election rests on is asked of it.
    """

    __slots__ = ("_deviation", "_loss", "best", "mean")

    def __init__(self, first: float | None = None) -> None:
        """Begin with one time, in seconds, if one is known."""
        self.mean = 0.0
        """Seconds that an answer takes, smoothed; 0 as long as nothing is known."""
        self.best = inf
        """The same when nothing is in the way; infinity as long as nothing is known."""
        self._deviation = 0.0
        self._loss = _FIRST_LOSS
        if first is not None:
            self.measured(first)

    @property
    def lag(self) -> int:
        """Milliseconds that an answer takes if that is felt, in halves of a second; or 0."""
        return max(1, round(self.mean * 2)) * 500 if self.mean >= SLOW else 0

    @property
    def is_known(self) -> bool:
        """Whether anything was measured."""
        return self.best < inf

    def renewed(self, first: float) -> RoundTrip:
        """What is to be expected of another link after this one, whose first answer took so long.

        A new link has its own pace, and what is in the way is still there.
        """
        trip = RoundTrip(first)
        trip._loss = self._loss
        return trip

    def measured(self, seconds: float) -> None:
        """An answer took this long."""
        if not self.is_known:
            self.mean, self._deviation, self.best = seconds, seconds / 2, seconds
            return
        is_late = seconds > self.best * 1.5 + _MIN_RESEND * 0.75
        self._loss += (is_late - self._loss) * _NEW_LOSS
        self._deviation += (abs(seconds - self.mean) - self._deviation) * _NEW_DEVIATION
        self.mean += (seconds - self.mean) * _NEW_MEAN
        self.best = min(seconds, self.best + (seconds - self.best) * _NEW_LOSS)

    def limit(self, least: float, trips: int) -> float:
        """Seconds to wait for so many answers, one after the other; not less than `least`."""
        return max(least, trips * self.mean + 4 * self._deviation)

    @property
    def lost_delay(self) -> float:
        """Seconds of silence after which a link counts as lost."""
        return max(LOST_DELAY, 2 * self.unsteady_delay)

    @property
    def unsteady_delay(self) -> float:
        """Seconds of silence after which nobody is shown as connected any more."""
        return self.silence(PING_INTERVAL, UNSTEADY_DELAY)

    @property
    def gone_delay(self) -> float:
        """Seconds of silence after which a host is taken for gone.

        It has been called anew by then, for as long as that takes.
        """
        called = GONE_DELAY + _CALL_TRIPS * self.mean
        most = MAX_GONE_DELAY + MAX_GONE_DELAY * self.mean
        if self._loss > _LOSSY:
            # Four losses in a row are as long a silence as that of a host that is gone.
            return most
        return min(self.silence(PING_INTERVAL, called), most)

    def silence(self, interval: float, least: float) -> float:
        """Seconds without a sign after which something is wrong, where one comes every `interval`.

        TCP sends a lost packet again after a pause that doubles. As many losses in a row are
        allowed for as happen once in ten thousand signs.
        """
        in_row = ceil(log(_RARE) / log(min(max(self._loss, _RARE), _MAX_LOSS)))
        pauses = (self.mean + _MIN_RESEND) * (2.0**in_row - 1)
        return min(max(least, interval + pauses), max(least, MAX_UNSTEADY_DELAY))


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
