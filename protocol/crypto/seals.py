"""Commitments: a value is sealed now and opened later, and cannot be changed in between.

`seal = BLAKE2b-256(fields)`, every field preceded by its length as four bytes, big-endian. The
first field is a purpose, so that no seal can be taken for another kind of hash, and the place
(table, game, round, seat) is part of it, so that no seal fits anywhere else.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from protocol.errors import LocalError

HASH_BYTES: Final = 32
"""Bytes of every hash, seal, nonce, share and public key."""

_FIST_PURPOSE: Final = b"spoof fist 1"
_SHARE_PURPOSE: Final = b"spoof lot share 1"
_LOT_PURPOSE: Final = b"spoof lot 1"
_TOSS_PURPOSE: Final = b"spoof toss 1"


def digest(purpose: bytes, parts: Iterable[bytes | int]) -> bytes:
    """BLAKE2b-256 over the purpose and the parts, each preceded by its four-byte length.

    A number counts as eight bytes, big-endian.
    """
    state = hashlib.blake2b(digest_size=HASH_BYTES)
    for part in (purpose, *parts):
        data = part.to_bytes(8, "big") if isinstance(part, int) else part
        state.update(len(data).to_bytes(4, "big") + data)
    return state.digest()


class SealPlace(NamedTuple):
    """The table, game, round and seat for which something is sealed; a seal made for one place
    opens at no other."""

    table: bytes
    """Table id, 32 bytes."""
    game: int
    """Number of the game at this table, from 1."""
    round: int
    """Number of the round in the game, from 1; 0 for the lot."""
    seat: bytes
    """Public key of the seat, 32 bytes."""


@dataclass(frozen=True, slots=True)
class SealedHand:
    """A hand and the nonce that hides it. The `repr` shows neither."""

    place: SealPlace
    coins: int = field(repr=False)
    """The hand: number of coins in the fist, 0 or more."""
    nonce: bytes = field(repr=False)
    """32 random bytes."""

    def __post_init__(self) -> None:
        if self.coins < 0 or len(self.nonce) != HASH_BYTES:
            raise LocalError("a hand is 0 or more coins and a nonce of 32 bytes")

    @property
    def seal(self) -> bytes:
        """The commitment to the hand; it has 32 bytes, whatever the hand."""
        return digest(_FIST_PURPOSE, (*self.place, self.coins, self.nonce))

    def opens(self, seal: bytes) -> bool:
        """Whether `seal` was made of this hand."""
        return hmac.compare_digest(self.seal, seal)


@dataclass(frozen=True, slots=True)
class SealedShare:
    """One player's share of the lot and the nonce that hides it (G1). `repr` shows neither."""

    place: SealPlace
    share: bytes = field(repr=False)
    """32 random bytes."""
    nonce: bytes = field(repr=False)
    """32 random bytes."""

    @property
    def seal(self) -> bytes:
        """The commitment to the share, 32 bytes."""
        return digest(_SHARE_PURPOSE, (*self.place, self.share, self.nonce))

    def opens(self, seal: bytes) -> bool:
        """Whether `seal` was made of this share."""
        return hmac.compare_digest(self.seal, seal)


def draw_lot(table: bytes, game: int, shares: Sequence[bytes]) -> int:
    """The index of the player on whom the lot falls, drawn from all shares together; `shares` are
    in the order of the seats (G1).

    One share that nobody else could foresee makes the result unforeseeable. The bias of the
    remainder is below 2**-250.
    """
    picked = digest(_LOT_PURPOSE, (table, game, *shares))
    return int.from_bytes(picked, "big") % len(shares)


def draw_toss(table: bytes, game: int, round: int, nonces: Sequence[bytes]) -> int:
    """A number of 256 bits that nobody could foresee while any fist of the round was shut (H11).

    `nonces` are those of all opened fists, sorted as bytes.
    """
    picked = digest(_TOSS_PURPOSE, (table, game, round, *nonces))
    return int.from_bytes(picked, "big")
