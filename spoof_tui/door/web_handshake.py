"""How a browser and a door agree on keys, and how the browser proves who it is.

Each side draws an X25519 key for one connection, and both mix the shared secret with the key of the
door's word. So somebody who only listens can read nothing, even with the word, and nobody without
the word can relay the connection. Whose browser it is, is proven by an Ed25519 signature over both
keys of the connection. Frames are sealed with ChaCha20-Poly1305 and counters, so that nothing can
be replayed.
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
"""The purpose of a browser's signature."""

_SALT: Final = b"spoof web door 1"
_COST: Final = 2**14
"""Cost of scrypt, so that each guess at a door's word is expensive for somebody who relays the
connection."""


class Unproven(ValueError):
    """A hello that is not made with the door's word, or does not prove whose it is."""


def door_key(word: str) -> bytes:
    """The 32-byte key derived from a door's word."""
    return hashlib.scrypt(word.encode(), salt=_SALT, n=_COST, r=8, p=1, dklen=32)


class Channel:
    """Encrypts and decrypts the frames of one connection, with a key for each direction and a
    counter."""

    def __init__(self, secret: bytes, keys: bytes, *, is_door: bool) -> None:
        """`secret` is known only to both sides; `keys` are the public keys that they drew, the
        door's first."""
        drawn = HKDF(SHA256(), 64, keys, b"spoof web").derive(secret)
        to_door, to_page = ChaCha20Poly1305(drawn[:32]), ChaCha20Poly1305(drawn[32:])
        self._in, self._out = (to_door, to_page) if is_door else (to_page, to_door)
        self._sent = self._taken = 0

    def seal(self, data: bytes) -> bytes:
        """`data`, encrypted as the next frame to send."""
        self._sent += 1
        return self._out.encrypt(self._sent.to_bytes(12, "little"), data, None)

    def open(self, frame: bytes) -> bytes:
        """The contents of the next frame received; raises `InvalidTag` if it is not the one that
        the other side sealed next."""
        data = self._in.decrypt((self._taken + 1).to_bytes(12, "little"), frame, None)
        self._taken += 1
        return data


@dataclass(frozen=True, slots=True)
class Hello:
    """The first message of a browser."""

    browser: bytes
    """The public key that identifies the browser, proven by its signature."""
    said: dict[str, Any]
    """What the browser says about itself, unchecked."""
    channel: Channel


class Handshake:
    """The door's side of the first two messages of one connection."""

    def __init__(self, key: bytes) -> None:
        """`key` is the key of the door's word."""
        self._key, self._own = key, X25519PrivateKey.generate()
        self.offer: Final = self._own.public_key().public_bytes_raw()
        """The first message, which the door sends: its public key for this connection."""

    def take(self, message: bytes) -> Hello:
        """Read the second message: the browser's public key, and its sealed hello.

        Raises `Unproven` for anything else.
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
