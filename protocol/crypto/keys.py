"""Ed25519 keys; the only module of the protocol that imports `cryptography`.

Every signature is over a purpose and a message, each preceded by its length, so a signature for one
purpose verifies for no other.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from protocol.errors import LocalError

SEED_BYTES: Final = 32
KEY_BYTES: Final = 32
SIGNATURE_BYTES: Final = 64

_KEYS_KEPT: Final = 64
"""Number of public keys kept in memory ready to verify with: more than sit at a table and watch."""

_PRIME: Final = 2**255 - 19
_SIGN_BIT: Final = 1 << 255

_SMALL_ORDER: Final = frozenset(
    {
        0,
        1,
        _PRIME - 1,
        0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
        _PRIME - 0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
    }
)
"""The y coordinates of the eight points of small order, for which anybody can sign."""


class SigningKey:
    """A participant's private key. Its `repr` shows only the public key."""

    __slots__ = ("_key", "public")

    def __init__(self, seed: bytes) -> None:
        """Take the 32 secret bytes of the key; raises `LocalError` for another number of bytes."""
        if len(seed) != SEED_BYTES:
            raise LocalError(f"a key is made of {SEED_BYTES} bytes, not {len(seed)}")
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.public: Final[bytes] = self._key.public_key().public_bytes_raw()
        """The public key, 32 bytes, which identifies the seat."""

    @property
    def seed(self) -> bytes:
        """The 32 secret bytes, from which the owner's certificate is made."""
        return self._key.private_bytes_raw()

    def sign(self, purpose: bytes, message: bytes) -> bytes:
        """A signature of 64 bytes over `message`, good for `purpose` only."""
        return self._key.sign(_framed(purpose, message))

    def __repr__(self) -> str:
        return f"<SigningKey of {self.public.hex()[:8]}>"


def is_signed(public: bytes, purpose: bytes, message: bytes, signature: bytes) -> bool:
    """Whether the owner of `public` signed `message` for `purpose`."""
    key = _verifying(public)
    if key is None:
        return False
    try:
        key.verify(signature, _framed(purpose, message))
    except InvalidSignature:
        return False
    return True


@lru_cache(_KEYS_KEPT)
def _verifying(public: bytes) -> Ed25519PublicKey | None:
    """The object that verifies signatures of `public`; None if that is not a valid key."""
    if not is_key(public):
        return None
    try:
        return Ed25519PublicKey.from_public_bytes(public)
    except ValueError:
        return None


def is_key(public: bytes) -> bool:
    """Whether `public` is a key for which only its owner can sign: canonically encoded, and not of
    small order."""
    if len(public) != KEY_BYTES:
        return False
    second = int.from_bytes(public, "little") & ~_SIGN_BIT
    return second < _PRIME and second not in _SMALL_ORDER


def _framed(purpose: bytes, message: bytes) -> bytes:
    return len(purpose).to_bytes(4, "big") + purpose + len(message).to_bytes(4, "big") + message
