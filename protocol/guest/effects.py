"""The effects of a participant: what the program has to do, in the order of the list.

Safety depends on the order; a program that changes it breaks a promise of the table:

- `Keep` before the seal is sent. A seal whose hand was lost in a crash could never be opened, and a
  player who sealed again could choose by what was heard meanwhile.
- `Store` and `Sync` before the `held` of a ping, and that before this seat's witness. Fists open
  because this disk is said to hold the ending word: see "An opened hand stays open" in
  `protocol/FAILOVER.md`.
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
"""A secret that a participant keeps to itself until it is opened."""


class GuestEffect:
    """Base class of the effects of a participant."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Transmit(GuestEffect):
    """Send the bytes to the host."""

    data: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class Keep(GuestEffect):
    """Save the secret on the owner's disk before any later effect is carried out."""

    secret: Secret


@dataclass(frozen=True, slots=True)
class Store(GuestEffect):
    """Append the entry to the participant's own copy of the log."""

    entry: Entry


@dataclass(frozen=True, slots=True)
class Cut(GuestEffect):
    """Drop the entries after the first `length` from the copy: the table moved to another host
    without them."""

    length: int
    """Number of entries that stay."""


@dataclass(frozen=True, slots=True)
class Sync(GuestEffect):
    """Make sure that the copy of the log is on disk before any later effect is carried out."""


@dataclass(frozen=True, slots=True)
class Promise(GuestEffect):
    """Save, before any later effect is carried out, that this seat follows no epoch before `epoch`
    any more."""

    epoch: int


@dataclass(frozen=True, slots=True)
class Depart(GuestEffect):
    """Save, before any later effect is carried out, that this seat goes along to a new table."""

    mark: bytes | None
    """The new table, as in `continuation.mark`; None if this seat has come back to the old one
    (G8)."""


@dataclass(frozen=True, slots=True)
class WentOn(GuestEffect):
    """The game goes on at a new table, with this seat or without it."""

    entry: Entry
    """The first entry of the new table."""


@dataclass(frozen=True, slots=True)
class HandedOver(GuestEffect):
    """The host hands its role to a seat, and stops hosting."""

    seat: bytes
    """Public key of the seat."""
    support: bytes | None = field(default=None, repr=False)
    """The signed support of the host's own seat for `seat`; None if it gave none."""


@dataclass(frozen=True, slots=True)
class Pledged(GuestEffect):
    """The `Promise` earlier in the list is on disk.

    The seat's support may now be handed over together with the host's role.
    """


@dataclass(frozen=True, slots=True)
class Changed(GuestEffect):
    """The table, the link or somebody's presence has changed."""


@dataclass(frozen=True, slots=True)
class Refused(GuestEffect):
    """The host refused a statement, which has changed nothing."""

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
    """The host's log is inconsistent: stop for good, and keep the evidence."""

    error: RemoteError
    evidence: bytes = field(repr=False)
    """The entry that does not follow from those before it, encoded."""
