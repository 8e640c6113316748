"""The log of a table: signed intents, and chained and signed entries (WIRE.md, "Intents and
entries").

Signatures and hashes are over exactly the bytes that are sent, so nothing has to be encoded again
to be checked: an intent is `[payload, signature]`, and so is the entry around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, overload

from protocol.crypto.keys import KEY_BYTES, SIGNATURE_BYTES, SigningKey, is_signed
from protocol.crypto.seals import HASH_BYTES, digest
from protocol.encoding.codec import Message, pack, read_message, unpack
from protocol.errors import BrokenLog, LocalError, Malformed
from protocol.limits import MAX_BATCH, MAX_ENTRIES, MAX_ENTRY, MAX_NUMBER, MAX_STATEMENT
from protocol.table.head import EMPTY, Head, Term
from protocol.table.statements import (
    HOSTS,
    PLAYERS,
    HostMoved,
    TableContinued,
    TableOpened,
    table_of,
)

_INTENT_PURPOSE: Final = b"spoof intent 1"
_ENTRY_PURPOSE: Final = b"spoof entry 1"
_HASH_PURPOSE: Final = b"spoof entry hash 1"


class Forged(Malformed):
    """An intent whose signature is not its author's."""


@dataclass(frozen=True, slots=True)
class Intent:
    """A statement of a participant, signed, with the head of the log that its author had seen."""

    author: bytes
    """Public key of the participant."""
    sequence: int
    """Grows with every intent of this author at this table, so that none counts twice."""
    seen: Head
    """The head of the log that the author had seen."""
    statement: Message
    """The statement: one of `statements.PLAYERS`."""
    blob: bytes
    """The encoded intent with its signature, as it is sent."""

    @classmethod
    def sign(cls, key: SigningKey, sequence: int, seen: Head, statement: Message) -> Intent:
        """A signed intent of the owner of `key`."""
        payload = pack(
            (key.public, sequence, seen.length, seen.hash, statement.packable()),
        )
        blob = pack((payload, key.sign(_INTENT_PURPOSE, payload)))
        return cls(key.public, sequence, seen, statement, blob)

    @classmethod
    def read(cls, blob: bytes) -> Intent:
        """Decode an intent and check its signature; raises `Malformed`, or `Forged` if the
        signature is wrong."""
        payload, signature = _signed_pair(blob, MAX_STATEMENT)
        author, sequence, length, hash_, raw = _fields(payload, 5)
        _check_hashes("an intent names its author and the head that it saw", author, hash_)
        _check_numbers("an intent numbers itself and the head that it saw", sequence, length)
        if not is_signed(author, _INTENT_PURPOSE, payload, signature):
            raise Forged("the signature of an intent is not its author's")
        return cls(author, sequence, Head(length, hash_), read_message(PLAYERS, raw), blob)


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry of the log: an intent, or an announcement of the host."""

    epoch: int
    """The epoch of the host that signed it, from 0."""
    position: int
    """Index in the log, from 0."""
    previous: bytes
    """Hash of the previous entry."""
    time: int
    """Milliseconds since 1970 by the host's clock; never less than in the previous entry."""
    intent: Intent | None
    """The intent of a participant; None for an announcement."""
    statement: Message
    """The statement of the intent, or the announcement."""
    hash: bytes
    """Hash of this entry: BLAKE2b-256 over its payload."""
    blob: bytes
    """The encoded entry with its signature, as it is sent and stored."""

    @classmethod
    def sign(
        cls, key: SigningKey, epoch: int, after: Head, time: int, said: Intent | Message
    ) -> Entry:
        """The entry by which the host with this `key` adds `said` to a log that ends at `after`."""
        intent = said if isinstance(said, Intent) else None
        statement = said.statement if isinstance(said, Intent) else said
        content = intent.blob if intent else pack(statement.packable())
        payload = pack((epoch, after.length, after.hash, time, intent is not None, content))
        hash_ = digest(_HASH_PURPOSE, (payload,))
        blob = pack((payload, key.sign(_ENTRY_PURPOSE, hash_)))
        return cls(epoch, after.length, after.hash, time, intent, statement, hash_, blob)

    @classmethod
    def read(
        cls, blob: bytes, host: bytes | None = None, known: Mapping[bytes, Intent] | None = None
    ) -> Entry:
        """Decode an entry signed by `host`; raises `Malformed`.

        Without `host` it must be a first entry, which names its host itself. The first entry of an
        epoch names its host, too, whatever `host` is: the fold decides whether that key may be
        host. The `known` intents, by their encoded bytes, are not verified again.
        """
        payload, signature = _signed_pair(blob, MAX_ENTRY)
        epoch, position, previous, time, said, content = _fields(payload, 6)
        _check_numbers("an entry has an epoch, a position and a time", epoch, position, time)
        _check_hashes("an entry has the hash of the previous one", previous)
        if not (isinstance(said, bool) and isinstance(content, bytes)):
            raise Malformed("an entry holds an intent or an announcement")
        intent = None
        if said:
            intent = known[content] if known and content in known else Intent.read(content)
        statement = intent.statement if intent else read_message(HOSTS, unpack(content))
        if host is None:
            if not isinstance(statement, TableOpened | TableContinued):
                raise Malformed("a log begins with the opening of its table")
            host = table_of(statement).host
        if isinstance(statement, HostMoved):
            host = statement.host
        hash_ = digest(_HASH_PURPOSE, (payload,))
        if not is_signed(host, _ENTRY_PURPOSE, hash_, signature):
            raise Malformed("the signature of an entry is not the host's")
        return cls(epoch, position, previous, time, intent, statement, hash_, blob)

    @property
    def head(self) -> Head:
        """The head of a log that ends with this entry."""
        return Head(self.position + 1, self.hash)


def position_of(blob: bytes) -> int:
    """The position that an encoded entry claims, without a check of its signature; raises
    `Malformed`."""
    payload, _ = _signed_pair(blob, MAX_ENTRY)
    position = _fields(payload, 6)[1]
    _check_numbers("an entry has a position", position)
    return int(position)


def is_by(host: bytes, blob: bytes) -> bool:
    """Whether `host` signed `blob` as an entry, whatever its content and position."""
    try:
        payload, signature = _signed_pair(blob, MAX_ENTRY)
    except Malformed:
        return False
    return is_signed(host, _ENTRY_PURPOSE, digest(_HASH_PURPOSE, (payload,)), signature)


def _signed_pair(blob: bytes, most: int) -> tuple[bytes, bytes]:
    if len(blob) > most:
        raise Malformed(f"{len(blob)} bytes where {most} are the most")
    payload, signature = _fields(blob, 2)
    if not isinstance(payload, bytes) or not isinstance(signature, bytes):
        raise Malformed("a signed thing is its bytes and a signature")
    if len(signature) != SIGNATURE_BYTES:
        raise Malformed(f"a signature has {SIGNATURE_BYTES} bytes, not {len(signature)}")
    return payload, signature


def _fields(data: bytes, count: int) -> tuple[Any, ...]:
    raw = unpack(data)
    if not isinstance(raw, tuple) or len(raw) != count:
        raise Malformed(f"an array of {count} was expected, not {raw!r:.80}")
    return raw


def _check_numbers(rule: str, *values: object) -> None:
    for value in values:
        if type(value) is not int or not 0 <= value <= MAX_NUMBER:
            raise Malformed(rule)


def _check_hashes(rule: str, *values: object) -> None:
    for value in values:
        if not isinstance(value, bytes) or not len(value) == HASH_BYTES == KEY_BYTES:
            raise Malformed(rule)


def _ends(terms: Sequence[Term], length: int) -> dict[Term, int]:
    """Each term with the position after its last entry, in a log of `length` entries."""
    starts = [term.start for term in terms[1:]]
    return dict(zip(terms, (*starts, length), strict=False))


class Log:
    """The entries of one table from the first on, each chained to the previous one."""

    __slots__ = ("_entries", "_terms", "head")

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._entries: list[Entry] = []
        self.head = EMPTY
        """Length and hash of the log."""
        self._terms: list[Term] = []
        for entry in entries:
            self.append(entry)

    @property
    def terms(self) -> tuple[Term, ...]:
        """The terms of this log, in order."""
        return tuple(self._terms)

    def common(self, terms: Iterable[Term], length: int) -> int | None:
        """Number of entries that this log has in common with another of `length` entries and these
        `terms`.

        One epoch has one host, which signs one sequence of entries. So two logs agree up to the
        last epoch that both have and, within that epoch, as far as the shorter of the two goes.
        None if this log has no later epoch than the other: nothing then says which one counts.
        """
        others = list(terms)
        own_ends = _ends(self._terms, len(self._entries))
        if not others or not self._terms or self._terms[-1].epoch <= others[-1].epoch:
            return None
        for term, end in reversed(list(_ends(others, length).items())):
            if term in own_ends:
                return min(end, own_ends[term]) or None
        return None

    def check(self, entry: Entry) -> None:
        """Raise `BrokenLog` unless `entry` is the next one."""
        head = self.head
        if entry.position != head.length:
            raise BrokenLog(head.length, f"position {entry.position} where {head.length} is due")
        if entry.previous != head.hash:
            raise BrokenLog(head.length, "it does not follow from the previous entry")
        if self._entries and entry.time < self._entries[-1].time:
            raise BrokenLog(head.length, "it is older than the previous entry")
        if entry.intent and not self.holds(entry.intent.seen):
            raise BrokenLog(head.length, "its author saw another log: two stories are being told")

    def append(self, entry: Entry) -> None:
        """Add the next entry; raises `BrokenLog`, and adds nothing, if it is not the next one."""
        self.check(entry)
        self.add(entry)

    def add(self, entry: Entry) -> None:
        """Add the next entry, which `check` must have accepted before."""
        self._entries.append(entry)
        self.head = entry.head
        if not self._terms or self._terms[-1].epoch != entry.epoch:
            self._terms.append(Term(entry.epoch, entry.position))

    def cut(self, length: int) -> None:
        """Keep only the first `length` entries, because a new host goes on from there."""
        if not 0 < length <= len(self._entries):
            raise LocalError(f"of {len(self._entries)} entries no {length} can be kept")
        del self._entries[length:]
        self.head = self._entries[-1].head
        self._terms = [term for term in self._terms if term.start < length]

    def holds(self, head: Head) -> bool:
        """Whether this log, or a beginning of it, ends with `head`."""
        if head.length == 0:
            return head == EMPTY
        return (
            head.length <= len(self._entries) and self._entries[head.length - 1].hash == head.hash
        )

    def batch(self, start: int) -> tuple[bytes, ...]:
        """The encoded entries from `start` on, as many as fit into one frame."""
        batch: list[bytes] = []
        size = 0
        for entry in self[start : start + MAX_ENTRIES]:
            batch.append(entry.blob)
            size += len(entry.blob)
            if size >= MAX_BATCH:
                break
        return tuple(batch)

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    @overload
    def __getitem__(self, index: int) -> Entry: ...
    @overload
    def __getitem__(self, index: slice) -> list[Entry]: ...
    def __getitem__(self, index: int | slice) -> Entry | list[Entry]:
        return self._entries[index]
