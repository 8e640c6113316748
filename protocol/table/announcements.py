"""What the host of a table may announce in its log."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import (
    Message,
    choice,
    nested,
    octets,
    several,
    shaped,
    whole,
)
from protocol.rules.options import MAX_PLAYERS
from protocol.table.opening import TableContinued, TableOpened
from protocol.table.statements import Measure, by_kind


@dataclass(frozen=True, slots=True)
class GameStarted(Message):
    """The host starts a game with everybody who is ready, in the order of sitting down."""

    KIND: ClassVar[str] = "game-started"
    order: tuple[bytes, ...] = shaped(several(octets(HASH_BYTES), MAX_PLAYERS))
    """Public keys of the players, clockwise."""


@dataclass(frozen=True, slots=True)
class TimeUp(Message):
    """The turn clock of a seat has run out: the game goes on without its fist or word (G4)."""

    KIND: ClassVar[str] = "time-up"
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""


@dataclass(frozen=True, slots=True)
class Backing(Message):
    """That a seat wants somebody for host; part of a `HostMoved`, and no statement on its own."""

    KIND: ClassVar[str] = "backing"
    voter: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""
    signature: bytes = shaped(octets(SIGNATURE_BYTES))
    """See `succession.sign_support`."""


@dataclass(frozen=True, slots=True)
class HostMoved(Message):
    """The table has a new host: the first entry of an epoch, signed by that host."""

    KIND: ClassVar[str] = "host-moved"
    epoch: int = shaped(whole())
    """Of this entry and of those that follow; above the one before."""
    host: bytes = shaped(octets(HASH_BYTES))
    """Public key of the new host."""
    votes: tuple[Backing, ...] = shaped(several(nested(Backing), MAX_PLAYERS))
    """Who wants it; see `succession.supports`."""


@dataclass(frozen=True, slots=True)
class Admitted(Message):
    """Somebody proved the join code: this key is never asked for it again."""

    KIND: ClassVar[str] = "admitted"
    key: bytes = shaped(octets(HASH_BYTES))
    """Public key of the player who did."""


@dataclass(frozen=True, slots=True)
class Decide(Message):
    """The host carries a measure (G5)."""

    KIND: ClassVar[str] = "decide"
    measure: Measure = shaped(choice(Measure))
    """What to do."""
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat that it concerns."""


@dataclass(frozen=True, slots=True)
class Away(Message):
    """The host lost the connection to a seat; the seat is kept (G3)."""

    KIND: ClassVar[str] = "away"
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""


@dataclass(frozen=True, slots=True)
class Vacated(Message):
    """A seat is free again whose owner was never dealt in, and is away for the grace time."""

    KIND: ClassVar[str] = "vacated"
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""


@dataclass(frozen=True, slots=True)
class Back(Message):
    """A seat that was away is connected again (G3)."""

    KIND: ClassVar[str] = "back"
    seat: bytes = shaped(octets(HASH_BYTES))
    """Public key of the seat."""


HOSTS: Final = by_kind(
    TableOpened,
    TableContinued,
    GameStarted,
    Admitted,
    Decide,
    Away,
    Back,
    Vacated,
    TimeUp,
    HostMoved,
)
"""What the host may announce."""
