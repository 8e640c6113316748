"""The protocol's view of time, and how long a silence may last (REGISTRY.md, "Times")."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, inf, log
from typing import Final

PING_INTERVAL: Final = 1.0
"""Seconds between two pings; a seat is called unsteady when three are missing."""

UNSTEADY_DELAY: Final = 3.0
"""Seconds of silence after which a seat is no longer shown as connected."""

LEASE: Final = 3.0
"""Seconds for which a seat that has answered a ping of the host follows no other host."""

SUPPORT_DELAY: Final = 3.5
"""Seconds without a ping of the host after which a seat may support another one: longer than
`LEASE`, so that the host is the first to know that it may have lost its table."""

STAND_INTERVAL: Final = 1.0
"""Seconds between the seats' turns to stand for host, in seat order."""

STAND_FOR: Final = 4.0
"""Seconds that a seat stands for host before it lets the next one try."""

JUMP: Final = 2.0
"""Seconds by which the monotonic and the wall clock may drift apart between two looks; more means
that this machine slept."""

MAX_DRIFT: Final = 0.2
"""Seconds by which the two clocks may move apart while a lease runs. With more, the machine slept
or a clock was set, perhaps both at once."""

GONE_DELAY: Final = 4.0
"""Seconds of silence after which a seat treats its host as gone, and leaves the link."""

MAX_GONE_DELAY: Final = 7.6
"""Maximum seconds to which `GONE_DELAY` grows if packets are lost, not counting what a slow link
adds."""

LOST_DELAY: Final = 15.0
"""Seconds of silence after which a link counts as lost; with 20 % packet loss working links are
silent for more than 6."""

SLOW: Final = 0.3
"""Seconds per round trip from which on a network is called slow."""

MAX_UNSTEADY_DELAY: Final = 10.0
"""Maximum seconds to which `UNSTEADY_DELAY` grows if packets are lost or slow."""

_NEW_MEAN: Final = 1 / 8
_NEW_DEVIATION: Final = 1 / 4
"""Weight of the latest sample in the mean and in the deviation (RFC 6298)."""

_NEW_LOSS: Final = 1 / 32
"""Weight of the latest packet in the loss rate."""

_FIRST_LOSS: Final = 0.02
"""The loss rate assumed before anything is known."""

_LOSSY: Final = 0.06
"""The loss rate from which on silence is explained by lost packets: two of the last answers were
late."""

_MAX_LOSS: Final = 0.5

_MIN_RESEND: Final = 0.2
"""Seconds, beyond the mean, before TCP resends what was not acknowledged."""

_CALL_TRIPS: Final = 4
"""Round trips until a host that is connected to again has greeted."""

_RARE: Final = 1e-4
"""The probability with which one silence may last longer than packet loss explains."""


class RoundTrip:
    """How long answers take over one link, and how many packets are lost, estimated from samples.

    Everything that waits for answers takes its timeouts from here: a fast link keeps the usual
    ones, and a slow one is not given up for being slow. The safety of an election never depends on
    them.
    """

    __slots__ = ("_deviation", "_loss", "best", "mean")

    def __init__(self, first: float | None = None) -> None:
        """Begin with one sample of `first` seconds; None for no sample."""
        self.mean = 0.0
        """Smoothed seconds per round trip; 0 before the first sample."""
        self.best = inf
        """The fastest round trip, in seconds; infinity before the first sample. It rises slowly if
        the link stays slower."""
        self._deviation = 0.0
        self._loss = _FIRST_LOSS
        if first is not None:
            self.measured(first)

    @property
    def lag(self) -> int:
        """Milliseconds per round trip in steps of 500 on a slow network, 0 on others."""
        return max(1, round(self.mean * 2)) * 500 if self.mean >= SLOW else 0

    @property
    def is_known(self) -> bool:
        """Whether anything was measured."""
        return self.best < inf

    def renewed(self, first: float) -> RoundTrip:
        """The estimate for a new link to the same machine, whose first answer took `first` seconds.

        The new link has a speed of its own, but the loss rate stays.
        """
        trip = RoundTrip(first)
        trip._loss = self._loss
        return trip

    def measured(self, seconds: float) -> None:
        """Add a sample: an answer took this many seconds."""
        if not self.is_known:
            self.mean, self._deviation, self.best = seconds, seconds / 2, seconds
            return
        is_late = seconds > self.best * 1.5 + _MIN_RESEND * 0.75
        self._loss += (is_late - self._loss) * _NEW_LOSS
        self._deviation += (abs(seconds - self.mean) - self._deviation) * _NEW_DEVIATION
        self.mean += (seconds - self.mean) * _NEW_MEAN
        self.best = min(seconds, self.best + (seconds - self.best) * _NEW_LOSS)

    def limit(self, least: float, trips: int) -> float:
        """Seconds to wait for `trips` answers, one after the other; at least `least`."""
        return max(least, trips * self.mean + 4 * self._deviation)

    @property
    def lost_delay(self) -> float:
        """Seconds of silence after which a link counts as lost."""
        return max(LOST_DELAY, 2 * self.unsteady_delay)

    @property
    def unsteady_delay(self) -> float:
        """Seconds of silence after which a seat is no longer shown as connected."""
        return self.silence(PING_INTERVAL, UNSTEADY_DELAY)

    @property
    def gone_delay(self) -> float:
        """Seconds of silence after which a host is treated as gone.

        That is long enough to have connected to the host again.
        """
        called = GONE_DELAY + _CALL_TRIPS * self.mean
        most = MAX_GONE_DELAY + MAX_GONE_DELAY * self.mean
        if self._loss > _LOSSY:
            # Four losses in a row make a silence as long as that of a host that is gone.
            return most
        return min(self.silence(PING_INTERVAL, called), most)

    def silence(self, interval: float, least: float) -> float:
        """Seconds of silence after which something is wrong on a link on which a message is due
        every `interval` seconds; at least `least`.

        TCP resends a lost packet after pauses that double. This allows for as many losses in a row
        as happen once in ten thousand messages.
        """
        in_row = ceil(log(_RARE) / log(min(max(self._loss, _RARE), _MAX_LOSS)))
        pauses = (self.mean + _MIN_RESEND) * (2.0**in_row - 1)
        return min(max(least, interval + pauses), max(least, MAX_UNSTEADY_DELAY))


@dataclass(frozen=True, slots=True)
class Moment:
    """The present time by two clocks."""

    monotonic: float
    """Seconds since some fixed moment, for intervals."""
    wall: int
    """Milliseconds since 1970, for people and for the log."""

    def since(self, earlier: Moment) -> float:
        """Seconds since `earlier`, by whichever clock shows more.

        The monotonic clock stands still on some machines while they sleep.
        """
        return max(self.monotonic - earlier.monotonic, (self.wall - earlier.wall) / 1000)

    def is_surely_within(self, seconds: float, earlier: Moment) -> bool:
        """Whether at most so many seconds have passed since `earlier`, by clocks that agree about
        it: of a sleep in which the wall clock was set back neither tells the length."""
        return self.since(earlier) <= seconds and abs(_apart(earlier, self)) <= MAX_DRIFT


def _apart(earlier: Moment, later: Moment) -> float:
    """Seconds by which the wall clock has gained on the monotonic one between two moments."""
    return (later.wall - earlier.wall) / 1000 - (later.monotonic - earlier.monotonic)


class Clocks:
    """Notices that this machine slept: one of its clocks ran on without the other."""

    __slots__ = ("_last",)

    def __init__(self) -> None:
        self._last: Moment | None = None

    def jumped(self, at: Moment) -> bool:
        """Whether the clocks have drifted apart by more than `JUMP` since the last call."""
        last, self._last = self._last, at
        if last is None:
            return False
        return abs(_apart(last, at)) > JUMP
