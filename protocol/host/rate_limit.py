"""Rate limits by token buckets: a burst at once, and then one more per interval."""

from __future__ import annotations

from collections.abc import Hashable, Sequence

from protocol.limits import (
    MAX_ADDRESSES,
    RETURNS_BURST,
    RETURNS_INTERVAL,
    RETURNS_OF_ADDRESS_BURST,
    RETURNS_OF_ADDRESS_INTERVAL,
    RETURNS_OF_ALL_BURST,
    RETURNS_OF_ALL_INTERVAL,
)


class Bucket:
    """How many more times one participant or address may do something; the number grows back over
    time."""

    __slots__ = ("_burst", "_every", "_left", "_told")

    def __init__(self, burst: float, every: float) -> None:
        """Begin full: `burst` at once, then one more every `every` seconds."""
        self._burst = burst
        self._every = every
        self._left = burst
        self._told = float("-inf")

    def left(self, now: float) -> float:
        """How many are allowed at `now`, in monotonic seconds; negative if too many were spent."""
        self._left = min(self._burst, self._left + max(0.0, now - self._told) / self._every)
        self._told = max(now, self._told)
        return self._left

    def take(self, now: float) -> bool:
        """Use up one of those that are left at `now`, in monotonic seconds; returns False if none
        was left."""
        if self.left(now) < 1:
            return False
        self._left -= 1
        return True

    def spend(self, count: float, now: float) -> float:
        """Use up `count`, whether so many are left or not; returns the seconds from `now` until one
        more is allowed."""
        self._left = self.left(now) - count
        return max(0.0, -self._left * self._every)


class RateLimits:
    """A bucket for each asker, that is for each key or address; the memory for them is bounded."""

    __slots__ = ("_buckets", "_burst", "_every", "_most")

    def __init__(self, burst: int, every: float, most: int = MAX_ADDRESSES) -> None:
        """`burst` and `every` as in `Bucket`; beyond `most` askers the one that asked least
        recently is forgotten."""
        self._burst = burst
        self._every = every
        self._most = most
        self._buckets: dict[Hashable, Bucket] = {}

    def take(self, asker: Hashable, now: float) -> bool:
        """Whether `asker` may do one more thing at `now`, in monotonic seconds; if so, it counts as
        done."""
        bucket = self._buckets.pop(asker, None)
        if bucket is None:
            bucket = Bucket(self._burst, self._every)
            if len(self._buckets) >= self._most:
                del self._buckets[next(iter(self._buckets))]
        # Moved to the end, so that the quietest asker comes first.
        self._buckets[asker] = bucket
        return bucket.take(now)

    def __contains__(self, asker: Hashable) -> bool:
        """Whether `asker` has asked before and is not forgotten."""
        return asker in self._buckets

    def __len__(self) -> int:
        return len(self._buckets)


class Crowd:
    """Chooses which address gives way where too many strangers are connected: the one with the most
    connections or, of several such addresses, the one that gave way most often before. So an
    address that comes for the first time stays."""

    __slots__ = ("_gave_way",)

    def __init__(self) -> None:
        self._gave_way: dict[str, int] = {}

    def gives_way(self, addresses: Sequence[str]) -> str:
        """The address that has to give up a connection; the loss is noted. `addresses` has one
        item for each connection, the oldest first."""
        busiest = max(addresses, key=lambda each: (addresses.count(each), self._times(each)))
        count = self._gave_way.pop(busiest, 0)
        if len(self._gave_way) >= MAX_ADDRESSES:
            del self._gave_way[next(iter(self._gave_way))]
        self._gave_way[busiest] = count + 1
        return busiest

    def _times(self, address: str) -> int:
        return self._gave_way.get(address, 0)


class ReturnLimits:
    """How often a host lets guests in: by key, by address, and in all."""

    def __init__(self) -> None:
        self._keys = RateLimits(RETURNS_BURST, RETURNS_INTERVAL)
        self._addresses = RateLimits(RETURNS_OF_ADDRESS_BURST, RETURNS_OF_ADDRESS_INTERVAL)
        half = RETURNS_OF_ALL_BURST // 2, 2 * RETURNS_OF_ALL_INTERVAL
        self._all = {was_here: Bucket(*half) for was_here in (False, True)}
        """One half for addresses that came before (True), the other for new ones."""

    def take(self, key: bytes, address: str | None, now: float) -> bool:
        """Whether `key` may be let in from `address` at `now`, in monotonic seconds; if so, it
        counts as let in.

        Without an address only the key is limited: it has a seat, or belongs to the host's own
        program.
        """
        # A key that has used up its own ration takes nothing of the shared one.
        if not self._keys.take(key, now):
            return False
        if address is None:
            return True
        was_here = address in self._addresses
        return self._addresses.take(address, now) and self._all[was_here].take(now)
