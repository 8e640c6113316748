"""How the players who are left found a new table, at the program that serves the old one (G8).

If a table can neither vote nor move, those who are connected are offered a new table once the grace
time is over. All of them have to agree to exactly these seats; when somebody comes or goes,
everybody is asked again. Then everybody signs. Why that is safe is in `protocol/FAILOVER.md`.
"""

from __future__ import annotations

from collections.abc import Set

from protocol.crypto.join_code import Entropy
from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES
from protocol.errors import Illegal, Malformed
from protocol.host.connections import Fanout
from protocol.host.effects import Found, HostEffect
from protocol.table.continuation import agrees, draft, goes_along, signed
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.table.state import Table
from protocol.table.statements import TableContinued
from protocol.timeouts import PING_INTERVAL, Moment
from protocol.wire.messages import Agree, Continued, GoAlong, Offer


class TableOffer:
    """The new table that one program offers at the old table, until all have signed it."""

    def __init__(self, key: SigningKey, fanout: Fanout, entropy: Entropy, silent: float) -> None:
        """`key` would host the new table. The old one has been unable to go on for `silent` seconds
        already."""
        self._key = key
        self._fanout = fanout
        self._entropy = entropy
        self._silent = silent
        self._since: float | None = None
        """When the old table became unable to vote or move, in monotonic seconds; None while it
        can."""
        self._salt = b""
        self._draft: TableContinued | None = None
        self._agreements: dict[bytes, bytes] = {}
        """The signatures of those who agree, by public key."""
        self._signatures: dict[bytes, bytes] = {}
        self._told: Offer | Continued | None = None
        self._told_at = float("-inf")
        self.founded: Entry | None = None
        """The first entry of the new table, once all have signed; None before."""

    def tick(
        self, table: Table, here: Set[bytes], at: Moment, *, is_stuck: bool
    ) -> list[HostEffect]:
        """Tell everybody what is offered, whenever that changes and every second.

        `here` are the public keys that are connected; `is_stuck` tells whether they are too few to
        go on at the old table.
        """
        if self.founded is not None:
            return self._tell(Continued(self.founded.blob), at)
        if not is_stuck:
            self._since, self._silent = None, 0.0
        elif self._since is None:
            self._since = at.monotonic - self._silent
        self._note(self._drafted(table, here) if is_stuck else None)
        return self._tell(self._offer(table, at), at)

    def take(self, key: bytes, said: Agree | GoAlong, table: Table, at: Moment) -> list[HostEffect]:
        """Take in that a seat agrees, takes that back, or signs the new table."""
        if self.founded is not None or self._draft is None:
            return []
        offer = self._offer(table, at)
        if isinstance(said, GoAlong):
            return self._sign(key, said.signature, at) if offer.is_final else []
        if offer.wait or key not in offer.along:
            return []
        if said.signature is None:
            self._agreements.pop(key, None)
        elif agrees(key, table.id, offer.host, offer.salt, offer.along, said.signature):
            self._agreements[key] = said.signature
        return self._tell(self._offer(table, at), at)

    def _drafted(self, table: Table, here: Set[bytes]) -> TableContinued | None:
        """A draft of a new table for those who are here; None if the rules allow none."""
        along = {seat.key for seat in table.seats if seat.key in here}
        self._salt = self._salt or self._entropy(HASH_BYTES)
        try:
            return draft(table, along, self._key.public, self._salt)
        except (Illegal, Malformed):
            return None

    def _note(self, drafted: TableContinued | None) -> None:
        """Make this the draft; seats that agreed to a draft with other seats are asked again."""
        if drafted == self._draft:
            return
        before, self._draft, self._signatures = _along(self._draft), drafted, {}
        # Each agreement of those who were asked to sign was good for one signature.
        if self._agreements.keys() >= set(before) or _along(drafted) != before:
            self._agreements = {}

    def _offer(self, table: Table, at: Moment) -> Offer:
        along = _along(self._draft)
        stuck = 0.0 if self._since is None else at.monotonic - self._since
        return Offer(
            host=self._key.public,
            salt=self._salt or bytes(HASH_BYTES),
            along=along,
            agreements=tuple(map(self._agreements.get, along)),
            wait=max(0, -int((stuck - table.opened.grace) // 1)),
        )

    def _tell(self, message: Offer | Continued, at: Moment) -> list[HostEffect]:
        is_none = isinstance(message, Offer) and not message.along
        was_none = self._told is None or (isinstance(self._told, Offer) and not self._told.along)
        is_due = message != self._told or at.monotonic - self._told_at >= PING_INTERVAL
        if not is_due or (is_none and was_none):
            return []
        self._told, self._told_at = message, at.monotonic
        return self._fanout.all(message)

    def _sign(self, key: bytes, signature: bytes, at: Moment) -> list[HostEffect]:
        assert self._draft is not None
        if not goes_along(key, self._draft, signature):
            return []
        self._signatures[key] = signature
        if set(_along(self._draft)) - set(self._signatures):
            return []
        opening = signed(self._draft, self._signatures)
        self.founded = Entry.sign(self._key, 0, EMPTY, at.wall, opening)
        return [Found(self.founded), *self._tell(Continued(self.founded.blob), at)]


def _along(drafted: TableContinued | None) -> tuple[bytes, ...]:
    """The public keys of those who go along to the drafted table."""
    return tuple(seat.key for seat in drafted.seats) if drafted else ()
