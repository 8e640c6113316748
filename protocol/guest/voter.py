"""A seat's part in choosing a host: how long the host was silent, and whom the seat has promised.

Two rules here are half of what keeps a table from having two hosts (`protocol/FAILOVER.md`): a
promise is on disk before the support that it backs is sent, and a seat never supports another host
within `SUPPORT_DELAY` of hearing its own. The other half is `protocol.host.lease`.
"""

from __future__ import annotations

from protocol.crypto.keys import SigningKey
from protocol.guest.effects import GuestEffect, Pledged, Promise, Transmit
from protocol.guest.link import HostLink
from protocol.table.electorate import may_support, owes_seen, sign_support
from protocol.table.state import Table
from protocol.timeouts import SUPPORT_DELAY, Moment
from protocol.wire.messages import Support, write


class Voter:
    """What one seat knows of its host's silence, and what support it has promised."""

    def __init__(self, key: SigningKey, promised: int) -> None:
        """`promised` is the epoch of the promise on disk; 0 if there is none."""
        self._key = key
        self.promised = promised
        """The highest epoch in which this seat has promised its support."""
        self._promised_to: bytes | None = None
        self._heard: float | None = None
        self._leased: float = float("-inf")
        """When this seat last answered its host, or somebody who may be a later host, in monotonic
        seconds."""

    def begin(self, at: Moment) -> None:
        """Count the silence from `at`, unless the host was heard before.

        This seat may have answered the host just before a crash, and the host counts on that answer
        for a while.
        """
        if self._heard is None:
            self._heard = at.monotonic

    def hear(self, at: Moment, *, is_host: bool = True) -> None:
        """Note that the table's host was heard. With `is_host=False` it was a program that says
        that the table has moved to it, and that may count on this seat already."""
        self._leased = at.monotonic
        if is_host:
            self._heard = at.monotonic

    def dismiss(self) -> None:
        """Note that the host has handed its role over: it counts as silent from now on."""
        self._heard = self._leased = float("-inf")

    def silence(self, at: Moment) -> float:
        """Seconds since the table's host was last heard; infinity if it has handed its role
        over."""
        self.begin(at)
        return at.monotonic - (self._heard or 0.0)

    def epoch(self, table_epoch: int) -> int:
        """The highest epoch seen or promised: no host of an earlier one is followed."""
        return max(self.promised, table_epoch)

    def is_bound(self, epoch: int, candidate: bytes) -> bool:
        """Whether this seat has promised its support in `epoch` to anybody but this candidate."""
        return epoch == self.promised and self._promised_to != candidate

    def pledge(self, heir: bytes, table: Table | None) -> list[GuestEffect]:
        """The effects of promising this seat's support to `heir`, to whom its host is about to hand
        its role; empty if this seat has made another promise.

        The promise is for the epoch after the log's. The support may be signed once the effect
        `Pledged` is reached;  no earlier epoch is followed from then on.
        """
        if table is None or self.epoch(table.epoch) != table.epoch:
            return []
        self.promised, self._promised_to = table.epoch + 1, heir
        return [Promise(self.promised), Pledged()]

    def owes_seen(self, link: HostLink, table: Table) -> bool:
        """Whether this seat still has to confirm the last change of the electors to the host at the
        other end.

        A seat that has promised to follow another host must not: the confirmation would be false.
        """
        is_owed = owes_seen(table, self._key.public)
        return is_owed and link.is_followed and self.epoch(table.epoch) == table.epoch

    def support(self, link: HostLink, table: Table | None, at: Moment) -> list[GuestEffect]:
        """The effects that support the candidate at the other end, if that is safe and useful;
        otherwise empty.

        Support is safe once the host has been silent for long enough, nobody else was promised, and
        this seat holds everything that the candidate holds. It is useful once the candidate pings:
        most seats have come to it by then.
        """
        if table is None or not link.is_candidate or link.is_supported or not link.ping:
            return []
        candidate = link.host_key or self._key.public
        is_free = link.epoch > self.epoch(table.epoch) or self._promised_to == candidate
        if link.handshake.goal != table.head.length or not is_free:
            return []
        if not may_support(table, self._key.public):
            return []
        if min(self.silence(at), at.monotonic - self._leased) < SUPPORT_DELAY:
            return []
        link.is_supported = True
        self.promised, self._promised_to = link.epoch, candidate
        signed = sign_support(self._key, table.id, link.epoch, candidate, table.head)
        return [Promise(link.epoch), Transmit(write(Support(signed)))]
