"""How a browser and a door agree on keys, and how the browser proves who it is.

Each side draws an X25519 key for one connection, and both mix what these agree on with the key of
the door's word. So who listens reads nothing, even with the word; and who has not got the word
cannot stand between them. Whose browser it is, an Ed25519 key says, by a signature over both keys
of the connection. Frames are sealed with ChaCha20-Poly1305 and counters, so that nothing can be
replayed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from protocol.crypto.keys import is_signed

KEY: Final = 32
"""Bytes of a public key."""

PURPOSE: Final = b"spoof web hello"
"""What a browser signs for."""

_SALT: Final = b"spoof web door 1"
_COST: Final = 2**14
"""Cost of scrypt: what one guess at a door's word costs somebody who stands in between."""


class Unproven(ValueError):
    """A hello that shows neither the door's word nor whose it is."""


def door_key(word: str) -> bytes:
    """The 32-byte key derived from a door's word."""
    return hashlib.scrypt(word.encode(), salt=_SALT, n=_COST, r=8, p=1, dklen=32)


class Channel:
    """The frames of one connection: a key for each direction, and a number for each frame."""

    def __init__(self, secret: bytes, keys: bytes, *, is_door: bool) -> None:
        """`secret` is known to both sides only; `keys` are the public ones that they drew."""
        drawn = HKDF(SHA256(), 64, keys, b"spoof web").derive(secret)
        to_door, to_page = ChaCha20Poly1305(drawn[:32]), ChaCha20Poly1305(drawn[32:])
        self._in, self._out = (to_door, to_page) if is_door else (to_page, to_door)
        self._sent = self._taken = 0

    def seal(self, data: bytes) -> bytes:
        """Seal `data` as the next frame."""
        self._sent += 1
        return self._out.encrypt(self._sent.to_bytes(12, "little"), data, None)

    def open(self, frame: bytes) -> bytes:
        """The contents of the next frame; raises `InvalidTag` for bytes that the other side did not
        seal, or that are not its next frame."""
        data = self._in.decrypt((self._taken + 1).to_bytes(12, "little"), frame, None)
        self._taken += 1
        return data


@dataclass(frozen=True, slots=True)
class Hello:
    """What a browser said first."""

    browser: bytes
    """The public key of whose browser it is, proven."""
    said: dict[str, Any]
    """What it says about itself, unchecked."""
    channel: Channel


class Handshake:
    """The door's side of one connection's first two messages."""

    def __init__(self, key: bytes) -> None:
        """`key` is that of the door's word."""
        self._key, self._own = key, X25519PrivateKey.generate()
        self.offer: Final = self._own.public_key().public_bytes_raw()
        """The first message, from the door: its public key for this connection."""

    def take(self, message: bytes) -> Hello:
        """Read the second one: the browser's public key, and its sealed hello.

        Raises `Unproven` for anything that is not one.
        """
        theirs, frame = message[:KEY], message[KEY:]
        keys = self.offer + theirs
        try:
            shared = self._own.exchange(X25519PublicKey.from_public_bytes(theirs))
            channel = Channel(shared + self._key, keys, is_door=True)
            said = json.loads(channel.open(frame))
            browser, signature = bytes.fromhex(said["id"]), bytes.fromhex(said["sign"])
        except (InvalidTag, ValueError, TypeError, KeyError, RecursionError) as error:
            raise Unproven from error
        if not is_signed(browser, PURPOSE, keys, signature):
            raise Unproven
        return Hello(browser, said, channel)
