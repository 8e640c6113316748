"""What travels on a link while those who stay find a new table (G8).

All of it goes between those who are here and whoever serves the old table: its host, or who stands
for it. Nothing of it is in the log, which cannot go on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from protocol.crypto.keys import KEY_BYTES, SIGNATURE_BYTES
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import Message, blob, maybe, octets, several, shaped, whole
from protocol.limits import MAX_ENTRY
from protocol.rules.options import MAX_PLAYERS


@dataclass(frozen=True, slots=True)
class Offer(Message):
    """The game can be carried on at a new table; replaces what was said before.

    The rest of what is to be signed follows from the log: see `continuation.draft`.
    """

    KIND: ClassVar[str] = "offer"
    host: bytes = shaped(octets(KEY_BYTES))
    """Public key of its host: of whoever makes the offer."""
    salt: bytes = shaped(octets(HASH_BYTES))
    """Random bytes of the new table."""
    along: tuple[bytes, ...] = shaped(several(octets(KEY_BYTES), MAX_PLAYERS))
    """Public keys of the seats that are here, all of which have to agree; none: no offer now."""
    agreements: tuple[bytes | None, ...] = shaped(
        several(maybe(octets(SIGNATURE_BYTES)), MAX_PLAYERS)
    )
    """What each of them has signed by `Agree`, in the same order; nil: it has not agreed."""
    wait: int = shaped(whole())
    """Seconds of the grace time that are left: nobody can agree before."""

    @property
    def agreed(self) -> tuple[bytes, ...]:
        """Those who have agreed; once it is all, each of them signs."""
        pairs = zip(self.along, self.agreements, strict=False)
        return tuple(key for key, signature in pairs if signature is not None)

    @property
    def is_final(self) -> bool:
        """Whether everybody agrees, so that it is to be signed."""
        return bool(self.along) and not self.wait and self.agreed == self.along


@dataclass(frozen=True, slots=True)
class Agree(Message):
    """This seat wants to go along, or does not any more."""

    KIND: ClassVar[str] = "agree"
    signature: bytes | None = shaped(maybe(octets(SIGNATURE_BYTES)))
    """As in `continuation.agree`, over what was offered; nil takes it back."""


@dataclass(frozen=True, slots=True)
class GoAlong(Message):
    """This seat goes along: from now on it says nothing at the old table."""

    KIND: ClassVar[str] = "go-along"
    signature: bytes = shaped(octets(SIGNATURE_BYTES))
    """As in `continuation.sign`."""


@dataclass(frozen=True, slots=True)
class Continued(Message):
    """The new table stands, and is served where the old one was."""

    KIND: ClassVar[str] = "continued"
    blob: bytes = shaped(blob(MAX_ENTRY, least=1))
    """Its first entry."""
