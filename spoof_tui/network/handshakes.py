"""Which TLS handshakes a table begins, sans-IO: decided before a byte of them is read.

A handshake costs the host more than whoever asks for it, so each address has a rate limit. A
stranger who asks and then is silent gives way to the next one.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from protocol.host.rate_limit import RateLimits
from protocol.limits import (
    KNOCKS_BURST,
    KNOCKS_INTERVAL,
    MAX_HANDSHAKES,
    MAX_HANDSHAKES_OF_ADDRESS,
)


@dataclass(frozen=True, slots=True)
class Handshake:
    """A handshake that may begin."""

    number: int
    """What it is called from now on."""
    evicts: int | None
    """The handshake that is broken off to make room; None if there is room for both."""


class Handshakes:
    """The handshakes that are under way."""

    def __init__(
        self,
        rates: RateLimits | None = None,
        most: int = MAX_HANDSHAKES,
        most_of_address: int = MAX_HANDSHAKES_OF_ADDRESS,
    ) -> None:
        """How often an address is answered, how many are under way at most, and of one address."""
        self._rates = rates or RateLimits(KNOCKS_BURST, KNOCKS_INTERVAL)
        self._most, self._most_of_address = most, most_of_address
        self._under_way: dict[int, str] = {}
        """Addresses of the handshakes that are not over, the oldest first."""
        self._count = 0

    @property
    def under_way(self) -> tuple[int, ...]:
        """The handshakes that are not over, the oldest first."""
        return tuple(self._under_way)

    def accept(self, address: str, now: float) -> Handshake | None:
        """Let a connection that came at `now`, in seconds, begin; None if it is to be refused."""
        if not self._rates.take(address, now):
            return None
        evicts = self._evicted(address)
        if evicts is not None:
            del self._under_way[evicts]
        self._count += 1
        self._under_way[self._count] = address
        return Handshake(self._count, evicts)

    def end(self, number: int) -> None:
        """A handshake is over, well or not; it may have given way before."""
        self._under_way.pop(number, None)

    def _evicted(self, address: str) -> int | None:
        """The oldest handshake of the busiest address, if there is no room."""
        counts = Counter(self._under_way.values())
        if counts[address] >= self._most_of_address:
            return self._oldest(address)
        if len(self._under_way) >= self._most:
            return self._oldest(counts.most_common(1)[0][0])
        return None

    def _oldest(self, address: str) -> int:
        return next(number for number, known in self._under_way.items() if known == address)
