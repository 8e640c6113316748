"""A table introduces itself by datagram to those who ask: with its card, and with their question.

On a slow network a greeting over TCP takes four round trips; an introduction takes one, and tells
how long that is. Anybody can forge one: a table is shown by it for a moment only, until it greets.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from typing import Final

from protocol.encoding.codec import pack, read_message, unpack
from protocol.errors import Malformed
from protocol.version import PROTOCOL
from protocol.wire.messages import Card

NONCE_BYTES: Final = 8
"""Bytes by which a question is known again."""

MAX_TRIP: Final = 3.0
"""Seconds from a question to an introduction that still counts: nobody plays on a slower way, and
whoever forges one keeps nothing on a list for longer than it takes to greet on such a way."""

MAX_SIZE: Final = 512
"""Bytes of an introduction."""

_LAYOUT: Final = struct.Struct("!5sHH8s")
_MAGIC: Final = b"SPOF="
_MAX_PORT: Final = 0xFFFF


@dataclass(frozen=True, slots=True)
class Introduction:
    """What a table says of itself. Raises `ValueError`."""

    port: int
    """TCP port of the table; its address is that of the sender."""
    nonce: bytes
    """That of the question."""
    card: Card
    """The table, without those that it goes on from."""

    def __post_init__(self) -> None:
        if not 0 < self.port <= _MAX_PORT or len(self.nonce) != NONCE_BYTES:
            raise ValueError(self)

    def write(self) -> bytes:
        """The datagram."""
        card = replace(self.card, continues=())
        return _LAYOUT.pack(_MAGIC, PROTOCOL, self.port, self.nonce) + pack(card.packable())

    @classmethod
    def read(cls, data: bytes) -> Introduction | None:
        """What a datagram says; None if it is no introduction of this version."""
        if not _LAYOUT.size < len(data) <= MAX_SIZE:
            return None
        magic, protocol, port, nonce = _LAYOUT.unpack_from(data)
        if (magic, protocol) != (_MAGIC, PROTOCOL):
            return None
        try:
            card = read_message({Card.KIND: Card}, unpack(data[_LAYOUT.size :]))
            return cls(port, nonce, card) if isinstance(card, Card) else None
        except (Malformed, ValueError):
            return None
