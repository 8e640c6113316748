"""Encryption between the web page and its door: ChaCha20-Poly1305 with counters, so that nothing
can be replayed."""

from __future__ import annotations

import hashlib
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

NONCE: Final = 32
"""Bytes that each side draws per connection, so that frames of another connection do not open."""

_SALT: Final = b"spoof web door 1"
_COST: Final = 2**14
"""Cost of scrypt: what one guess at a door's word costs somebody who has recorded the traffic."""


class Unsealed(ValueError):
    """Bytes that the other side did not seal, or that are not its next frame."""


def door_key(word: str) -> bytes:
    """The 32-byte key derived from a door's word."""
    return hashlib.scrypt(word.encode(), salt=_SALT, n=_COST, r=8, p=1, dklen=32)


class Channel:
    """One connection: a key for each direction, and a number for each frame."""

    def __init__(self, key: bytes, door_nonce: bytes, page_nonce: bytes, *, is_door: bool) -> None:
        """`key` is the door's; the nonces are the 32 bytes that each side drew."""
        drawn = HKDF(SHA256(), 64, door_nonce + page_nonce, b"spoof web").derive(key)
        to_door, to_page = ChaCha20Poly1305(drawn[:32]), ChaCha20Poly1305(drawn[32:])
        self._in, self._out = (to_door, to_page) if is_door else (to_page, to_door)
        self._sent = self._taken = 0

    def seal(self, data: bytes) -> bytes:
        """Seal `data` as the next frame."""
        self._sent += 1
        return self._out.encrypt(self._sent.to_bytes(12, "little"), data, None)

    def open(self, frame: bytes) -> bytes:
        """The contents of the next frame; raises `Unsealed`."""
        try:
            data = self._in.decrypt((self._taken + 1).to_bytes(12, "little"), frame, None)
        except InvalidTag:
            raise Unsealed from None
        self._taken += 1
        return data
