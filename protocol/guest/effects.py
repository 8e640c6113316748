"""What a participant wants done in the world, to be carried out in the order of the list.

Safety depends on the order; a program that changes it breaks a promise of the table:

- `Keep` before the seal is sent. A seal whose hand was lost in a crash could never be opened, and a
  player who sealed again could choose by what was heard meanwhile.
- `Store` and `Settle` before the `held` of a ping, and that before this seat's witness. Fists open
  on the word that this disk holds it: see "An opened hand stays open" in `protocol/FAILOVER.md`.
- `Promise` before the support. A seat that forgot its promise could help two hosts in one epoch.
- `Depart` before the signature. A seat that forgot going along to a new table could play on at the
  old one.
- `Cut` before the entries that replace those that are gone.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from protocol.crypto.seals import SealedHand, SealedShare
from protocol.encoding.codec import Message
from protocol.errors import Reason, RemoteError
from protocol.table.log import Entry
from protocol.wire.messages import Farewell

Secret = SealedHand | SealedShare
"""What a participant keeps to itself until it is opened."""


class GuestEffect:
    """Base of everything that a participant wants done."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Transmit(GuestEffect):
    """Send the bytes to the host."""

    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Keep(GuestEffect):
    """Put the secret on the owner's disk before anything that follows is carried out."""

    secret: Secret


@dataclass(frozen=True, slots=True)
class Store(GuestEffect):
    """Append the entry to the participant's own copy of the log."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Cut(GuestEffect):
    """Drop the entries from this position on: the table moved to another host without them."""

    length: int
    """Entries that stay."""


@dataclass(frozen=True, slots=True)
class Settle(GuestEffect):
    """Make sure that the copy of the log is on disk before anything that follows is carried out."""


@dataclass(frozen=True, slots=True)
class Promise(GuestEffect):
    """Note on disk, before anything that follows, that no earlier epoch is followed any more."""

    epoch: int


@dataclass(frozen=True, slots=True)
class Depart(GuestEffect):
    """Note on disk, before anything that follows, that this seat goes along to a new table."""

    mark: bytes | None
    """As in `continuation.mark`; None: it is back at this table, and knows it (G8)."""


@dataclass(frozen=True, slots=True)
class WentOn(GuestEffect):
    """The game goes on at a new table, with this seat or without it."""

    entry: Entry
    """The first entry of the new table."""


@dataclass(frozen=True, slots=True)
class HandedOver(GuestEffect):
    """The host hands its role to a seat, and goes."""

    seat: bytes
    """Public key of the seat."""
    support: bytes | None = field(default=None, repr=False)
    """The support of the host's own seat for `seat`, if given."""


@dataclass(frozen=True, slots=True)
class Pledged(GuestEffect):
    """The promise kept earlier in the list is on disk.

    The support may be handed over with the host's role.
    """


@dataclass(frozen=True, slots=True)
class Changed(GuestEffect):
    """The table, the link or somebody's presence has changed."""


@dataclass(frozen=True, slots=True)
class Refused(GuestEffect):
    """The host refused a statement; it changed nothing."""

    statement: Message
    reason: Reason


@dataclass(frozen=True, slots=True)
class Hangup(GuestEffect):
    """Close the link."""

    why: Farewell


@dataclass(frozen=True, slots=True)
class CodeWanted(GuestEffect):
    """The table asks for its join code: ask the player, then `Guest.use_code`, then connect."""

    why: Farewell
    """`NO_CODE` the first time, otherwise why the last try failed: `WRONG_CODE`,
    `TOO_MANY_TRIES`."""


@dataclass(frozen=True, slots=True)
class Halt(GuestEffect):
    """The host's log does not hold together: stop, and keep the evidence."""

    error: RemoteError
    evidence: bytes = field(repr=False)
    """The entry that does not follow."""
