"""How far a log goes, and which host wrote which part of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Final

from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import Message, shaped, whole

NO_HASH: Final = bytes(HASH_BYTES)
"""Stands for the hash before the first entry."""


@dataclass(frozen=True, slots=True)
class Head:
    """How far somebody has read: the number of entries and the hash of the last one."""

    length: int
    """Entries read; 0 is an empty log."""
    hash: bytes
    """Hash of the last entry read, 32 bytes; zeros for an empty log."""


EMPTY: Final = Head(0, NO_HASH)
"""The head of an empty log."""


@dataclass(frozen=True, slots=True)
class Term(Message):
    """The part of a log that one host has written; a hello lists the last ones."""

    KIND: ClassVar[str] = "term"
    epoch: int = shaped(whole())
    """Counts the hosts of the table, from 0."""
    start: int = shaped(whole())
    """Position of its first entry."""
