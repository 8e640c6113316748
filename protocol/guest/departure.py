"""A seat's part in finding a new table when too many are gone (G8).

The other half of the argument is in `protocol.table.continuation`. Here it rests on two things: a
seat signs only what follows from its own copy of the log, with those whom its owner agreed to; and
that it goes along is on the disk before the signature leaves. From then on it is silent here.
"""

from __future__ import annotations

from protocol.crypto.keys import SigningKey
from protocol.errors import BrokenLog, Illegal, Malformed, Reason
from protocol.guest.effects import Changed, Depart, GuestEffect, Transmit, WentOn
from protocol.guest.link import HostLink
from protocol.table.continuation import draft, mark, sign
from protocol.table.fold import fold
from protocol.table.log import Entry
from protocol.table.state import Table
from protocol.wire.messages import write
from protocol.wire.new_table import Agree, Continued, GoAlong, Offer


class Departure:
    """What one seat was offered, has agreed to and has signed."""

    def __init__(self, key: SigningKey, signed: bytes | None) -> None:
        """`signed` is the mark that is on the disk, if this seat has gone along before."""
        self._key = key
        self._signed = signed
        self._agreed: tuple[bytes, ...] = ()
        self.offer: Offer | None = None
        """What is offered on this link now."""

    @property
    def is_gone(self) -> bool:
        """Whether this seat has gone along: it says nothing at this table."""
        return self._signed is not None

    def check(self) -> None:
        """Raise `Illegal` for whoever has gone along."""
        if self.is_gone:
            raise Illegal(Reason.WENT_ALONG)

    def agree(self, *, yes: bool = True) -> list[GuestEffect]:
        """Go along with those who are here, or rather not; raises `Illegal` without an offer."""
        offer = self.offer
        if offer is None or offer.wait or self._key.public not in offer.along:
            raise Illegal(Reason.NOT_NOW)
        self._agreed = offer.along if yes else ()
        return [Transmit(write(Agree(self._agreed))), Changed()]

    def come_back(self) -> list[GuestEffect]:
        """Play on at the old table after all."""
        self._signed, self._agreed = None, ()
        return [Depart(None), Changed()]

    def parted(self) -> None:
        """The link is gone, and with it what was offered there."""
        self.offer, self._agreed = None, ()

    def offered(self, link: HostLink, offer: Offer, table: Table | None) -> list[GuestEffect]:
        """Whoever serves the table offers a new one; raises `Malformed`."""
        if link.host_key not in (None, offer.host):
            raise Malformed("a new table is offered by whoever is to host it")
        before, self.offer = self.offer, offer if offer.along else None
        changed: list[GuestEffect] = [] if self.offer == before else [Changed()]
        if table is None or not offer.is_final or self._key.public not in offer.along:
            return changed
        try:
            drafted = draft(table, set(offer.along), offer.host, offer.salt)
        except Illegal as error:
            raise Malformed(str(error)) from error
        this = mark(drafted)
        said = Transmit(write(GoAlong(sign(self._key, drafted))))
        if self._signed == this:
            return [said, *changed]
        if set(self._agreed) != set(offer.along):
            return changed
        self._signed, self._agreed = this, ()
        return [Depart(this), said, Changed()]

    def continued(
        self, link: HostLink, message: Continued, table: Table | None
    ) -> list[GuestEffect]:
        """The new table stands; raises `Malformed` if that is none which goes on from this one."""
        entry = Entry.read(message.blob)
        try:
            new = fold(None, entry)
        except BrokenLog as error:
            raise Malformed(str(error)) from error
        is_other = table is None or not new.continues or new.continues.table != table.id
        if is_other or link.host_key not in (None, new.host):
            raise Malformed("a new table names the old one, and is told of by its host")
        return [WentOn(entry)]
