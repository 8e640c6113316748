"""A seat's part in founding a new table when too many players are gone (G8).

Three things keep that safe, as `protocol/FAILOVER.md` argues ("Why a new table is safe"): a seat
signs only what follows from its own copy of the log, with the seats that its owner agreed to; it
saves on disk that it goes along before the signature is sent, and says nothing at the old table
from then on; and it goes to no other table than the one it has signed.
"""

from __future__ import annotations

from math import ceil, isfinite

from protocol.crypto.keys import SigningKey
from protocol.encoding.replacing import replace
from protocol.errors import BrokenLog, Illegal, Malformed, Reason
from protocol.guest.effects import Changed, Depart, GuestEffect, Halt, Transmit, WentOn
from protocol.guest.link import HostLink
from protocol.table.continuation import agree, agrees, draft, mark, sign, unsigned
from protocol.table.fold import Origin, fold, origin_of
from protocol.table.head import Head
from protocol.table.log import Entry, Log
from protocol.table.state import Table
from protocol.table.statements import TableContinued
from protocol.timeouts import UNSTEADY_DELAY, Moment
from protocol.wire.messages import Agree, Continued, GoAlong, Offer, write


class Departure:
    """The offers of a new table that one seat has received, agreed to and signed."""

    def __init__(self, key: SigningKey, signed: bytes | None) -> None:
        """`signed` is the hash on disk (see `continuation.mark`) of the new table that this seat
        has gone along to; None if there is none."""
        self._key = key
        self.signed = signed
        """The mark of the new table that this seat has gone along to; None if it has not. It says
        nothing at the old table since then."""
        self._agreed: tuple[bytes, ...] = ()
        self._table = b""
        """Id of the table at which the offer was made."""
        self._stuck_since: float | None = None
        """When the old table became unable to go on, as seen here, in monotonic seconds; None while
        it can."""
        self._served_since: float | None = None
        """When a host that makes no offer was first connected, in monotonic seconds; None without
        one."""
        self._told: bytes | None = None
        """Encoded first entry of the new table without this seat that was last reported; None
        before the first."""
        self.offer: Offer | None = None
        """The present offer on this link, to which its seats may agree once its `wait` is 0; None
        while there is none."""

    def has_signed(self, continued: TableContinued) -> bool:
        """Whether `continued` is the new table for which this seat has signed."""
        return self.signed == mark(unsigned(continued))

    def check(self) -> None:
        """Raise `Illegal` if this seat has gone along to a new table."""
        if self.signed:
            raise Illegal(Reason.WENT_ALONG)

    def agree(self, *, yes: bool = True) -> list[GuestEffect]:
        """Agree to the present offer, or with `yes=False` take that back; raises `Illegal` without
        an offer that can be agreed to."""
        offer = self.offer
        if offer is None or offer.wait or self._key.public not in offer.along:
            raise Illegal(Reason.NOT_NOW)
        self._agreed = offer.along if yes else ()
        signed = agree(self._key, self._table, offer.host, offer.salt, offer.along) if yes else None
        return [Transmit(write(Agree(signed))), Changed()]

    def come_back(self) -> list[GuestEffect]:
        """Play on at the old table after having gone along to a new one."""
        self.signed, self._agreed = None, ()
        return [Depart(None), Changed()]

    def parted(self) -> None:
        """Take in that the link ended, and with it the offer that was made there."""
        self.offer, self._agreed = None, ()

    def tick(self, at: Moment, *, is_served: bool) -> None:
        """Note the time; `is_served` tells whether the table's host is at the other end of the
        link."""
        if self.offer is not None or not is_served:
            self._served_since = None
            self._stuck_since = at.monotonic if self._stuck_since is None else self._stuck_since
        elif self._served_since is None:
            self._served_since = at.monotonic
        elif at.monotonic - self._served_since >= UNSTEADY_DELAY:
            # A standing offer is repeated every second.
            self._stuck_since = None

    def hear(
        self,
        link: HostLink,
        said: Offer | Continued,
        log: Log,
        table: Table | None,
        silence: float,
        at: Moment,
    ) -> list[GuestEffect]:
        """Take in what the server of `table` says about a new table; raises `Malformed`.

        `silence` is the number of seconds since the host was last heard. If the host signed a new
        table that does not follow from the log, the guest has to halt.
        """
        if isinstance(said, Continued):
            return self._continued(link, said.blob, log, table)
        return self._offered(link, said, table, silence, at)

    def _offered(
        self, link: HostLink, offer: Offer, table: Table | None, silence: float, at: Moment
    ) -> list[GuestEffect]:
        if link.host_key not in (None, offer.host):
            raise Malformed("only the seat that would host a new table offers it")
        before, drafted = self.offer, None if table is None else _drafted(offer, table)
        if table is None or drafted is None:
            self.offer = None
            return [] if before is None else [Changed()]
        if self._stuck_since is None:
            self._stuck_since = at.monotonic
        wait = table.opened.grace - self._waited(silence, at)
        self.offer = offer = replace(offer, wait=max(offer.wait, ceil(wait)))
        self._table = table.id
        changed: list[GuestEffect] = [] if offer == before else [Changed()]
        if not offer.is_final or self._key.public not in offer.along:
            return changed
        this = mark(drafted)
        goes = Transmit(write(GoAlong(sign(self._key, drafted))))
        if self.signed == this:
            return [goes, *changed]
        if self._agreed != offer.along:
            return changed
        self.signed, self._agreed = this, ()
        return [Depart(this), goes, Changed()]

    def _waited(self, silence: float, at: Moment) -> float:
        """Seconds that the old table has been unable to go on, as far as this seat knows."""
        stuck = 0.0 if self._stuck_since is None else at.monotonic - self._stuck_since
        return max(stuck, silence if isfinite(silence) else 0.0)

    def _continued(
        self, link: HostLink, blob: bytes, log: Log, table: Table | None
    ) -> list[GuestEffect]:
        entry = Entry.read(blob)
        continued = entry.statement
        if table is None or not isinstance(continued, TableContinued):
            raise Malformed("a new table names the old one")
        host = continued.opened.host
        if continued.table != table.id or link.host_key not in (None, host):
            raise Malformed("a new table names the old one, and is told of by its host")
        if blob == self._told:
            return []
        try:
            fold(None, entry)
            # It was made from this seat's own log when it was signed: nothing in it can be made up.
            # And a host without a seat goes where its own program has founded it.
            if self.has_signed(continued) or host == self._key.public:
                return [WentOn(entry)]
            if _is_made_up(continued, log):
                raise BrokenLog(0, "its seats, coins or starter do not follow from the old table")
        except BrokenLog as error:
            if host == table.host:
                return [Halt(error, blob)]
            # Anybody can sign that under a key of their own: it proves nothing.
            raise Malformed(str(error)) from error
        self._told = blob
        # It is found where it is served, and asked about there: nobody is taken along.
        return []


def _is_made_up(continued: TableContinued, log: Log) -> bool:
    """Whether the seats, coins or starter of a new table contradict the entry of `log` that it
    names."""
    is_held = log.holds(Head(continued.length, continued.last))
    return is_held and origin_of(continued, log) is Origin.OTHER_GAME


def _drafted(offer: Offer, table: Table) -> TableContinued | None:
    """The new table that is offered; None unless the whole offer follows from what is known.

    It has to be made by the table's host or by a seat that goes along, name the seats that go along
    in their order, and carry valid signatures of those who are said to agree.
    """
    if offer.host != table.host and offer.host not in offer.along:
        return None
    try:
        drafted = draft(table, set(offer.along), offer.host, offer.salt)
    except (Illegal, Malformed):
        return None
    in_order = tuple(seat.key for seat in drafted.seats) == offer.along
    if not in_order or len(offer.agreements) != len(offer.along):
        return None
    given = zip(offer.along, offer.agreements, strict=True)
    is_true = all(
        agrees(key, table.id, offer.host, offer.salt, offer.along, signature)
        for key, signature in given
        if signature is not None
    )
    return drafted if is_true else None
