"""What one participant keeps of one table: its copy of the log and its own secrets."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from protocol.crypto.seals import Place, SealedHand, SealedShare
from protocol.encoding.codec import pack, unpack
from protocol.errors import ProtocolError
from protocol.guest.effects import Cut, Depart, GuestEffect, Keep, Promise, Secret, Store
from protocol.table.fold import Table
from protocol.table.log import Entry, Log
from spoof_tui.storage import archive, folders, reading
from spoof_tui.storage.disk import Written, write_runs
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.host_store import HOST_LOG
from spoof_tui.storage.stored_log import folded, read_entries, read_number, write_cut

_PROMISE: Final = "promise"
"""Begins a promise."""

_ALONG: Final = "along"
"""Begins the mark of a new table, or nothing for a seat that is back."""


class SeatStore(Protocol):
    """Where a session keeps what must outlive it."""

    def entries(self) -> list[Entry]:
        """The entries kept before, as far as they hold together."""

    def secrets(self) -> list[Secret]:
        """The secrets kept before."""

    def keep(self, secret: Secret) -> None:
        """Put a secret on the disk; raises `OSError`."""

    def promised(self) -> int:
        """The last epoch that was promised to somebody; 0 for none."""

    def promise(self, epoch: int) -> None:
        """Put on the disk that no earlier epoch is followed any more; raises `OSError`."""

    def departed(self) -> bytes | None:
        """The mark of the new table that this seat went along to; None if it is at this one."""

    def depart(self, mark: bytes | None) -> None:
        """Put on the disk that it goes along, or is back; raises `OSError`."""

    def store(self, *entries: Entry) -> None:
        """Append entries to the copy of the log; raises `OSError`."""

    def cut(self, length: int) -> None:
        """Drop all entries of the copy but the first `length`; raises `OSError`."""

    def archive(self, table: Table, log: Log | Sequence[Entry]) -> Path | None:
        """Save the finished game; the path of its record."""

    def accuse(self, evidence: bytes, log: Log | Sequence[Entry], why: str) -> Path | None:
        """Save a log that does not hold together, with the entry that breaks it."""

    def close(self) -> None:
        """Let go of the files; what is kept later opens them again."""


class NoSeatStore:
    """Keeps nothing: for players that do not outlive their program."""

    def entries(self) -> list[Entry]:
        return []

    def secrets(self) -> list[Secret]:
        return []

    def keep(self, secret: Secret) -> None:
        pass

    def promised(self) -> int:
        return 0

    def promise(self, epoch: int) -> None:
        pass

    def departed(self) -> bytes | None:
        return None

    def depart(self, mark: bytes | None) -> None:
        pass

    def store(self, *entries: Entry) -> None:
        pass

    def cut(self, length: int) -> None:
        pass

    def archive(self, table: Table, log: Log | Sequence[Entry]) -> Path | None:
        return None

    def accuse(self, evidence: bytes, log: Log | Sequence[Entry], why: str) -> Path | None:
        return None

    def close(self) -> None:
        pass


class EvidenceStore(NoSeatStore):
    """Keeps nothing but a log that does not hold together."""

    def accuse(self, evidence: bytes, log: Log | Sequence[Entry], why: str) -> Path | None:
        return archive.accuse(evidence, log, why)


class DiskSeatStore:
    """Keeps everything under the state directory, by table and by the participant's key."""

    def __init__(self, table: bytes, key: bytes) -> None:
        folder = folders.table_folder(table)
        stem = _stem_of(key)
        self._log = Frames(folder / f"{stem}.log")
        self._secrets = Frames(folder / f"{stem}.secrets")
        self._promises = Frames(folder / f"{stem}.promises")
        self._archive = archive.Archive()
        for frames in (self._log, self._secrets, self._promises):
            frames.cut_torn_end()

    def entries(self) -> list[Entry]:
        return read_entries(self._log.each())

    def secrets(self) -> list[Secret]:
        return [secret for payload in self._secrets.read() if (secret := _read_secret(payload))]

    def keep(self, secret: Secret) -> None:
        self._secrets.append(_write_secret(secret))

    def promised(self) -> int:
        return max((_read_promise(payload) for payload in self._promises.read()), default=0)

    def promise(self, epoch: int) -> None:
        self._promises.append(pack((_PROMISE, epoch)))

    def departed(self) -> bytes | None:
        marks = [
            mark for payload in self._promises.read() if (mark := _read_mark(payload)) is not None
        ]
        return (marks[-1] or None) if marks else None

    def depart(self, mark: bytes | None) -> None:
        self._promises.append(pack((_ALONG, mark or b"")))

    def store(self, *entries: Entry) -> None:
        self._log.append(*(entry.blob for entry in entries))

    def cut(self, length: int) -> None:
        # Said after what is dropped: a crash leaves the log as it was, or as it should be.
        self._log.append(write_cut(length))

    def archive(self, table: Table, log: Log | Sequence[Entry]) -> Path | None:
        return self._archive.save(table, log)

    def accuse(self, evidence: bytes, log: Log | Sequence[Entry], why: str) -> Path | None:
        return archive.accuse(evidence, log, why)

    def close(self) -> None:
        for frames in (self._log, self._secrets, self._promises):
            frames.close()


def write_effects(store: SeatStore, effects: Sequence[GuestEffect]) -> Written:
    """Put what these effects say into a store, in order, as far as that goes."""
    return write_runs(effects, partial(_write, store))


def _write(store: SeatStore, run: Sequence[GuestEffect]) -> None:
    """Write neighbours of one type; entries are stored together."""
    if entries := [effect.entry for effect in run if isinstance(effect, Store)]:
        store.store(*entries)
    for effect in run:
        if isinstance(effect, Cut):
            store.cut(effect.length)
        elif isinstance(effect, Keep):
            store.keep(effect.secret)
        elif isinstance(effect, Promise):
            store.promise(effect.epoch)
        elif isinstance(effect, Depart):
            store.depart(effect.mark)


def _stem_of(key: bytes) -> str:
    """The name of the files of a seat."""
    return key.hex()[:16]


def seat_logs() -> list[Path]:
    """The logs of all tables at which somebody sat here, the last one first; raises `OSError`."""
    logs = (folders.home() / "tables").glob("*/*.log")
    return reading.newest_first(path for path in logs if path.name != HOST_LOG)


def seat_of(path: Path, table: Table) -> bytes | None:
    """The key of the seat whose log this is; None if it has no seat any more."""
    return next((seat.key for seat in table.seats if _stem_of(seat.key) == path.stem), None)


def is_seated(table: bytes, key: bytes) -> bool:
    """Whether `key` has a seat at a table of somebody else, by the log that is kept of it."""
    try:
        path = folders.table_folder(table) / f"{_stem_of(key)}.log"
        kept = folded(read_entries(Frames(path).each()))
    except OSError:
        return False
    return kept is not None and kept.host != key and kept.seat(key) is not None


def _read_promise(payload: bytes) -> int:
    """The epoch in `payload`; 0 if no program wrote it."""
    return read_number(_PROMISE, payload) or 0


def _read_mark(payload: bytes) -> bytes | None:
    """The mark in `payload`, empty for a seat that is back; None if it is none."""
    try:
        fields: Any = unpack(payload)
        kind, mark = fields
    except (ProtocolError, TypeError, ValueError):
        return None
    return mark if kind == _ALONG and isinstance(mark, bytes) else None


def _write_secret(secret: Secret) -> bytes:
    place = secret.place
    where = (place.table, place.game, place.round, place.seat)
    if isinstance(secret, SealedHand):
        return pack(("hand", *where, secret.coins, secret.nonce))
    return pack(("share", *where, secret.share, secret.nonce))


def _read_secret(payload: bytes) -> Secret | None:
    """The secret in `payload`; None if no program wrote it."""
    try:
        fields: Any = unpack(payload)
        kind, table, game, round_, seat, value, nonce = fields
        place = Place(table, game, round_, seat)
        if kind == "hand":
            return SealedHand(place, value, nonce)
        return SealedShare(place, value, nonce)
    except (ProtocolError, TypeError, ValueError):
        return None
