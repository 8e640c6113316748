"""The journal: what one participant saves of one table in one file: the log, secrets, promises and
terms.

A journal is append-only and belongs to a table and a key, whether the owner of the key sits at the
table, hosts it, or both. Each frame is an encoded entry, or an array that begins with its kind: a
secret, a promise, a departure, or the host's terms. The last one of a kind counts; of secrets, the
first one for each place.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final

from protocol.crypto.seals import SealedHand, SealedShare, SealPlace
from protocol.encoding.codec import pack, unpack
from protocol.encoding.untrusted import ForeignText
from protocol.errors import ProtocolError
from protocol.guest.effects import Depart, Promise, Secret
from protocol.limits import MAX_NAME
from protocol.rules.options import MIN_PLAYERS
from protocol.table.fold import Table
from protocol.table.log import Entry, Log
from spoof_tui.storage import archive, files, paths
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.paths import JOURNAL
from spoof_tui.storage.stored_log import NUMBER, StoredLog, folded
from spoof_tui.text.safe_text import show

_PROMISE: Final = "promise"
_DEPARTURE: Final = "along"
_TERMS: Final = "terms"
_HAND: Final = "hand"
_SHARE: Final = "share"


@dataclass(frozen=True, slots=True)
class HostingTerms:
    """How a host runs its table, saved so that the table can be resumed."""

    host: str
    """The host's name."""
    start_when: int
    games: int | None
    port: int
    """The port on which the table listened; 0 if that is not known."""
    is_public: bool


JournalRecord = Entry | Secret | Promise | Depart | HostingTerms
"""A record that can be added to a journal."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The contents of a journal."""

    entries: tuple[Entry, ...] = ()
    """The entries of the log, as far as they are consistent."""
    secrets: tuple[Secret, ...] = ()
    promised: int = 0
    """The highest epoch in which this seat has promised its support; 0 for none."""
    departed: bytes | None = None
    """The mark of the new table that this seat went along to; None if it did not, or came back."""
    terms: HostingTerms | None = None
    """How its owner hosted the table; None if it never did."""


class SeatStore:
    """Where a participant saves what must outlive the program. This base class saves nothing."""

    is_lasting: bool = False
    """Whether anything that is saved outlives the program."""

    def read(self) -> Kept:
        """What was saved before; raises `OSError`."""
        return Kept()

    def write(self, *records: JournalRecord) -> None:
        """Save all of these records on disk, in order, or none; raises `OSError`."""

    def archive(self, table: Table, log: Log | Sequence[Entry]) -> Path | None:
        """Save the finished game; returns the path of its record, or None if nothing is saved.
        Raises `OSError`."""
        return None

    def accuse(self, evidence: bytes, log: Log | Sequence[Entry], why: str) -> Path | None:
        """Save an inconsistent log, with the entry that breaks it; returns the path, or None if
        nothing is saved. Raises `OSError`."""
        return None

    def close(self) -> None:
        """Close the file; the next write opens it again."""


class EvidenceStore(SeatStore):
    """A store that saves nothing but evidence: a log that is inconsistent."""

    def accuse(self, evidence: bytes, log: Log | Sequence[Entry], why: str) -> Path | None:
        return archive.accuse(evidence, log, why)


class Journal(EvidenceStore):
    """A store that saves everything in a file of the state directory."""

    is_lasting = True

    def __init__(self, table: bytes, key: bytes) -> None:
        """The journal of `key` at `table`; raises `OSError` if its folder cannot be made."""
        self._frames = Frames(paths.table_folder(table) / f"{_stem_of(key)}{JOURNAL}")
        self._archive = archive.Archive()
        # What a host writes goes through the disk's thread, which its seat does not wait for.
        self._lock = threading.Lock()
        self._stored = StoredLog()
        """The log in the file, as it was last read or written."""

    def read(self) -> Kept:
        with self._lock:
            return self._read()

    def _read(self) -> Kept:
        self._stored = StoredLog()
        return read_journal(self._frames.read(), self._stored)

    def write(self, *records: JournalRecord) -> None:
        """Append these records and wait until they are on disk; without any, only wait. Raises
        `OSError`."""
        with self._lock:
            # Another window of the same player may have appended to the file, or cut it.
            if self._frames.has_changed:
                self._frames.cut_torn_end()
                self._read()
            log = self._stored.log
            # A host and its own seat write the same entries: each is on the disk once.
            news = (
                each for each in records if not (isinstance(each, Entry) and log.holds(each.head))
            )
            payloads = [_payload(each) for each in news]
            self._frames.append(*payloads)
            for payload in payloads:
                self._stored.take(payload)

    def archive(self, table: Table, log: Log | Sequence[Entry]) -> Path | None:
        return self._archive.save(table, log)

    def close(self) -> None:
        self._frames.close()


def open_journal(table: bytes, key: bytes) -> SeatStore:
    """The journal of `key` at `table`, or, if its folder cannot be made, a store that saves
    nothing.

    On a full disk it is the journal all the same, which waits for room and so loses nothing.
    """
    try:
        return Journal(table, key)
    except OSError:
        return SeatStore()


def _payload(record: JournalRecord) -> bytes:
    match record:
        case Entry():
            return record.blob
        case SealedHand():
            return pack((_HAND, *record.place, record.coins, record.nonce))
        case SealedShare():
            return pack((_SHARE, *record.place, record.share, record.nonce))
        case Promise():
            return pack((_PROMISE, record.epoch))
        case Depart():
            return pack((_DEPARTURE, record.mark or b""))
        case HostingTerms():
            return pack((_TERMS, *astuple(record)))


def read_journal(frames: Iterable[bytes], log: StoredLog | None = None) -> Kept:
    """The contents of a journal with these frames; a frame that no program wrote is ignored.

    `log` is filled with the entries in it.
    """
    log = StoredLog() if log is None else log
    secrets: list[Secret] = []
    promised, departed, terms = 0, None, None
    for payload in frames:
        said = _read(payload)
        match said:
            case None:
                log.take(payload)
            case SealedHand() | SealedShare():
                secrets.append(said)
            case Promise():
                promised = max(promised, said.epoch)
            case Depart():
                departed = said.mark
            case HostingTerms():
                terms = said
    return Kept(tuple(log.log), tuple(secrets), promised, departed, terms)


def has_terms(frames: Iterable[bytes]) -> bool:
    """Whether the owner of a journal with these frames ever hosted the table."""
    return any(isinstance(_read(payload), HostingTerms) for payload in frames)


def _read(payload: bytes) -> Secret | Promise | Depart | HostingTerms | None:
    """The record in a frame that is not an entry; None for an entry, or for a frame that no program
    wrote."""
    try:
        fields: Any = unpack(payload)
        kind, *values = fields
        if kind in (_HAND, _SHARE):
            *where, value, nonce = values
            place = SealPlace(*where)
            return (SealedHand if kind == _HAND else SealedShare)(place, value, nonce)
        if kind == _TERMS:
            return _read_terms(values)
        (value,) = values
    except (ProtocolError, TypeError, ValueError):
        return None
    if kind == _PROMISE and NUMBER.fits(value):
        return Promise(value)
    if kind == _DEPARTURE and isinstance(value, bytes):
        return Depart(value or None)
    return None


def _read_terms(values: Sequence[Any]) -> HostingTerms | None:
    host, start_when, games, port, is_public = values
    numbers = (start_when, port, 0 if games is None else games)
    is_sound = isinstance(host, str) and isinstance(is_public, bool)
    if not (is_sound and all(NUMBER.fits(number) for number in numbers)):
        return None
    return HostingTerms(host, start_when, games, port, is_public)


def assumed_terms(table: Table | None) -> HostingTerms:
    """Terms to use in place of those lost in a crash; the host's name is taken from its seat."""
    name = table.names.get(table.host, table.opened.name) if table else ForeignText("")
    return HostingTerms(show(name, MAX_NAME), MIN_PLAYERS, None, 0, is_public=True)


def _stem_of(key: bytes) -> str:
    """The file name, without suffix, for a participant."""
    return key.hex()[:16]


def journals() -> list[Path]:
    """The journals of all tables, the most recently changed first; raises `OSError`."""
    tables = paths.home() / "tables"
    return files.newest_first(tables.glob(f"*/*{JOURNAL}"))


def belongs_to(path: Path, key: bytes) -> bool:
    """Whether this is the journal of `key`."""
    return path.stem == _stem_of(key)


def seat_of(path: Path, table: Table) -> bytes | None:
    """The public key of the seat whose journal this is; None if it has no seat at `table`."""
    return next((seat.key for seat in table.seats if belongs_to(path, seat.key)), None)


def is_seated(table: bytes, key: bytes) -> bool:
    """Whether `key` has a seat at the table with this id and somebody else hosts it, according to
    its journal."""
    try:
        kept = folded(Journal(table, key).read().entries)
    except OSError:
        return False
    return kept is not None and kept.host != key and kept.seat(key) is not None
