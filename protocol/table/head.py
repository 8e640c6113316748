"""How many entries a log has, and which host wrote which of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import Message, shaped, whole

NO_HASH: Final = bytes(HASH_BYTES)
"""The hash that stands before the first entry: zeros."""


@dataclass(frozen=True, slots=True)
class Head:
    """The end of a log: the number of entries and the hash of the last one."""

    length: int
    """Number of entries; 0 for an empty log."""
    hash: bytes
    """Hash of the last entry, 32 bytes; zeros for an empty log."""


EMPTY: Final = Head(0, NO_HASH)
"""The head of an empty log."""


@dataclass(frozen=True, slots=True)
class Term(Message):
    """The part of a log that belongs to one epoch, and so was written by one host."""

    KIND: ClassVar[str] = "term"
    epoch: int = shaped(whole())
    """The epoch of that host, from 0."""
    start: int = shaped(whole())
    """Position of the first entry of that part."""
