"""What one participant keeps of one table, in one file: the log, secrets, promises and terms.

A journal is append-only and belongs to a table and a key, whether the owner of the key sits at the
table, hosts it, or both. Each frame is an entry as it travels, or an array that begins with its
kind: a cut, a secret, a promise, a departure, or the host's terms. The last one of a kind counts;
for secrets, the first one of each place.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final

from protocol.crypto.seals import Place, SealedHand, SealedShare
from protocol.encoding.codec import pack, unpack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import ProtocolError
from protocol.guest.effects import Cut, Depart, Promise, Secret
from protocol.limits import MAX_NAME
from protocol.rules.options import MIN_PLAYERS
from protocol.table.fold import Table
from protocol.table.log import Entry, Log
from protocol.table.statements import Opening, table_of
from spoof_tui.storage import archive, files, paths
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.paths import JOURNAL
from spoof_tui.storage.stored_log import NUMBER, folded, read_cut, read_entries, write_cut
from spoof_tui.text.safe_text import show

_PROMISE: Final = "promise"
_DEPARTURE: Final = "along"
_TERMS: Final = "terms"
_HAND: Final = "hand"
_SHARE: Final = "share"


@dataclass(frozen=True, slots=True)
class HostingTerms:
    """How a host runs its table, in case it is to be resumed."""

    host: str
    """The host's name."""
    start_when: int
    games: int | None
    port: int
    """The port that the table listened on."""
    is_public: bool


JournalRecord = Entry | Secret | Cut | Promise | Depart | HostingTerms
"""What can be added to a journal."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a journal says."""

    entries: tuple[Entry, ...] = ()
    """The log, as far as it is consistent."""
    secrets: tuple[Secret, ...] = ()
    promised: int = 0
    """The last epoch that was promised to somebody; 0 for none."""
    departed: bytes | None = None
    """The mark of the new table that this seat went along to; None if it is still at this one."""
    terms: HostingTerms | None = None
    """How its owner ran the table; None if it never did."""


class SeatStore:
    """Where a participant keeps what must outlive the program; this one keeps nothing."""

    is_lasting: bool = False
    """Whether anything outlives the program."""

    def read(self) -> Kept:
        """What was kept before; raises `OSError`."""
        return Kept()

    def write(self, *records: JournalRecord) -> None:
        """Put all of these on the disk, in order, or none; raises `OSError`."""

    def archive(self, table: Table, log: Log | Sequence[Entry]) -> Path | None:
        """Save the finished game; return the path of its record. Raises `OSError`."""
        return None

    def accuse(self, evidence: bytes, log: Log | Sequence[Entry], why: str) -> Path | None:
        """Save an inconsistent log, with the entry that breaks it."""
        return None

    def close(self) -> None:
        """Close the file; the next write opens it again."""


class EvidenceStore(SeatStore):
    """Keeps nothing but evidence: a log that is inconsistent."""

    def accuse(self, evidence: bytes, log: Log | Sequence[Entry], why: str) -> Path | None:
        return archive.accuse(evidence, log, why)


class Journal(EvidenceStore):
    """Keeps everything in a file of the state directory."""

    is_lasting = True

    def __init__(self, table: bytes, key: bytes) -> None:
        """The journal of `key` at `table`; raises `OSError` if there can be none."""
        folder = paths.table_folder(table)
        adopt(folder)
        self._frames = Frames(folder / f"{_stem_of(key)}{JOURNAL}")
        self._archive = archive.Archive()
        # What a host writes goes through the disk's thread, which its seat does not wait for.
        self._lock = threading.Lock()
        self._log: list[bytes] = []
        """Hashes of the entries in the file, as it was last read or written."""

    def read(self) -> Kept:
        with self._lock:
            return self._read()

    def _read(self) -> Kept:
        kept = read_journal(self._frames.read())
        self._log = [entry.hash for entry in kept.entries]
        return kept

    def write(self, *records: JournalRecord) -> None:
        with self._lock:
            # Another window of the same player may have appended to the file, or cut it.
            if self._frames.has_changed:
                self._frames.cut_torn_end()
                self._read()
            log = self._log.copy()
            payloads = [payload for record in records for payload in _payloads(record, log)]
            self._frames.append(*payloads)
            self._log = log

    def archive(self, table: Table, log: Log | Sequence[Entry]) -> Path | None:
        return self._archive.save(table, log)

    def close(self) -> None:
        self._frames.close()


def open_journal(table: bytes, key: bytes) -> SeatStore:
    """The journal of `key` at `table`, or a store that keeps nothing if there can be none.

    A full disk is not a reason to keep nothing: nothing is lost by waiting for room.
    """
    try:
        return Journal(table, key)
    except OSError:
        return SeatStore()


def _payloads(record: JournalRecord, log: list[bytes]) -> Iterator[bytes]:
    """The frames that add `record` to the file; none if it is there already.

    `log` has the hashes of the entries that are in the file by then, and is kept up to date.
    """
    match record:
        case Entry():
            # A host and its own seat write the same entries: each is on the disk once.
            if record.position < len(log):
                if log[record.position] == record.hash:
                    return
                # Written after what it drops: a crash leaves either the old log or the cut one.
                yield write_cut(record.position)
                del log[record.position :]
            if record.position == len(log):
                log.append(record.hash)
            yield record.blob
        case Cut():
            if record.length < len(log):
                yield write_cut(record.length)
                del log[record.length :]
        case SealedHand():
            yield pack((_HAND, *record.place, record.coins, record.nonce))
        case SealedShare():
            yield pack((_SHARE, *record.place, record.share, record.nonce))
        case Promise():
            yield pack((_PROMISE, record.epoch))
        case Depart():
            yield pack((_DEPARTURE, record.mark or b""))
        case HostingTerms():
            yield pack((_TERMS, *astuple(record)))


def read_journal(frames: Iterable[bytes]) -> Kept:
    """What the frames of a journal say; a frame that no program wrote is ignored."""
    blobs: list[bytes] = []
    secrets: list[Secret] = []
    promised, departed, terms = 0, None, None
    for payload in frames:
        said = _read(payload)
        match said:
            case None:
                blobs.append(payload)
            case SealedHand() | SealedShare():
                secrets.append(said)
            case Promise():
                promised = max(promised, said.epoch)
            case Depart():
                departed = said.mark
            case HostingTerms():
                terms = said
    return Kept(tuple(read_entries(blobs)), tuple(secrets), promised, departed, terms)


def log_of(frames: Iterable[bytes]) -> list[bytes]:
    """The frames of a journal that belong to its log, without those that were cut."""
    blobs: list[bytes] = []
    for payload in frames:
        length = read_cut(payload)
        if length is not None:
            del blobs[length:]
        elif _read(payload) is None:
            blobs.append(payload)
    return blobs


def has_terms(frames: Iterable[bytes]) -> bool:
    """Whether the owner of a journal with these frames ever hosted the table."""
    return any(isinstance(_read(payload), HostingTerms) for payload in frames)


def _read(payload: bytes) -> Secret | Promise | Depart | HostingTerms | None:
    """What a frame outside the log says; None for a frame of the log, or one that no
    program wrote."""
    try:
        fields: Any = unpack(payload)
        kind, *values = fields
        if kind in (_HAND, _SHARE):
            *where, value, nonce = values
            place = Place(*where)
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
    """Terms in place of those lost in a crash: the host's name is that of its seat."""
    name = table.names.get(table.host, table.opened.name) if table else ForeignText("")
    return HostingTerms(show(name, MAX_NAME), MIN_PLAYERS, None, 0, is_public=True)


def _stem_of(key: bytes) -> str:
    """The file name, without suffix, for a participant."""
    return key.hex()[:16]


def journals() -> list[Path]:
    """The journals of all tables, the latest first; raises `OSError`."""
    tables = paths.home() / "tables"
    for old in {path.parent for path in tables.glob("*/*.log")}:
        with contextlib.suppress(OSError):
            adopt(old)
    return files.newest_first(tables.glob(f"*/*{JOURNAL}"))


def belongs_to(path: Path, key: bytes) -> bool:
    """Whether this is the journal of `key`."""
    return path.stem == _stem_of(key)


def seat_of(path: Path, table: Table) -> bytes | None:
    """The key of the seat whose journal this is; None if it no longer has a seat."""
    return next((seat.key for seat in table.seats if belongs_to(path, seat.key)), None)


def is_seated(table: bytes, key: bytes) -> bool:
    """Whether `key` has a seat at somebody else's table, by what is kept of it."""
    try:
        kept = folded(Journal(table, key).read().entries)
    except OSError:
        return False
    return kept is not None and kept.host != key and kept.seat(key) is not None


def adopt(folder: Path) -> None:
    """Convert what version 0.2 kept of a table in several files to journals; raises `OSError`."""
    old = {path.stem for path in folder.glob("*.log")}
    for stem in sorted(old):
        parts = [folder / f"{stem}{ending}" for ending in (".log", ".secrets", ".promises")]
        try:
            frames = [payload for path in parts for payload in Frames(path).each()]
        except OSError:
            continue
        name = stem
        if stem == "host":
            # If the owner had a seat, too, the seat's log comes first: "host" sorts after it.
            name = _stem_of(_host_of(frames))
            frames += _old_terms(folder / "host.json")
            parts.append(folder / "host.json")
        journal = folder / f"{name}{JOURNAL}"
        known = Frames(journal).read()
        files.write_private(journal, b"".join(map(frame, [*known, *frames])))
        for path in parts:
            path.unlink(missing_ok=True)


def _host_of(frames: Sequence[bytes]) -> bytes:
    """The last host that a log names, or its first one if nothing else can be read."""
    if table := folded(read_entries(frames)):
        return table.host
    with contextlib.suppress(ProtocolError):
        opening = Entry.read(next(iter(frames), b"")).statement
        if isinstance(opening, Opening):
            return table_of(opening).host
    return b""


def _old_terms(path: Path) -> list[bytes]:
    try:
        raw = files.read_json(path)
        terms = HostingTerms(**raw)
        return [pack((_TERMS, *astuple(terms)))]
    except (OSError, ValueError, TypeError, ProtocolError):
        return []
