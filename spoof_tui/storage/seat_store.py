"""What one participant keeps of one table: its copy of the log and its own secrets."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, Final, Protocol

from protocol.crypto.seals import Place, SealedHand, SealedShare
from protocol.encoding.codec import pack, unpack, whole
from protocol.encoding.framing import frame
from protocol.errors import ProtocolError
from protocol.guest.guest import Cut, GuestEffect, Keep, Promise, Secret, Store
from protocol.rules.game import Game
from protocol.table.fold import Table, fold
from protocol.table.log import Entry, Log
from spoof_tui import system
from spoof_tui.storage import storage
from spoof_tui.text import safe_text as text

_CUT: Final = "cut"
"""Begins what stands in a log behind entries that were dropped."""

_PROMISE: Final = "promise"
"""Begins a promise."""

_NUMBER: Final = whole()


_HOST_LOG: Final = "host.log"
_TERMS: Final = "host.json"
_MAX_TERMS: Final = 4096
"""Bytes of a file of terms that are read."""


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


class DiskSeatStore:
    """Keeps everything under the state directory, by table and by the participant's key."""

    def __init__(self, table: bytes, key: bytes) -> None:
        folder = storage.table_folder(table)
        stem = _stem_of(key)
        self._log = storage.Frames(folder / f"{stem}.log")
        self._secrets = storage.Frames(folder / f"{stem}.secrets")
        self._promises = storage.Frames(folder / f"{stem}.promises")
        for frames in (self._log, self._secrets, self._promises):
            frames.cut_torn_end()

    def entries(self) -> list[Entry]:
        return read_entries(self._log.read())

    def secrets(self) -> list[Secret]:
        return [secret for payload in self._secrets.read() if (secret := _read_secret(payload))]

    def keep(self, secret: Secret) -> None:
        self._secrets.append(_write_secret(secret))

    def promised(self) -> int:
        return max((_read_promise(payload) for payload in self._promises.read()), default=0)

    def promise(self, epoch: int) -> None:
        self._promises.append(pack((_PROMISE, epoch)))

    def store(self, *entries: Entry) -> None:
        self._log.append(*(entry.blob for entry in entries))

    def cut(self, length: int) -> None:
        # Said behind what is dropped: a crash leaves the log as it was or as it shall be.
        self._log.append(pack((_CUT, length)))

    def archive(self, table: Table, log: Log | Sequence[Entry]) -> Path | None:
        return archive(table, log)

    def accuse(self, evidence: bytes, log: Log | Sequence[Entry], why: str) -> Path | None:
        stem = _stem(table_name="evidence", time=log[-1].time if len(log) else 0, number=0)
        path = storage.games_folder() / f"{stem}.log"
        blobs = [*(entry.blob for entry in log), evidence]
        system.write_private(path, b"".join(map(frame, blobs)))
        system.write_private(path.with_suffix(".txt"), why.encode())
        return path

    def close(self) -> None:
        for frames in (self._log, self._secrets, self._promises):
            frames.close()


def write_effects(store: SeatStore, effects: Sequence[GuestEffect]) -> list[OSError | None]:
    """Put what these effects say into a store, in order; what became of each.

    Entries that come together are stored together: that costs no more than one.
    """
    results: list[OSError | None] = []
    for kind, group in itertools.groupby(effects, type):
        if kind is Store:
            together = list(group)
            entries = [each.entry for each in together if isinstance(each, Store)]
            results += [_attempt(partial(store.store, *entries))] * len(together)
        else:
            results += [_attempt(partial(_write, store, effect)) for effect in group]
    return results


def _write(store: SeatStore, effect: GuestEffect) -> None:
    if isinstance(effect, Cut):
        store.cut(effect.length)
    elif isinstance(effect, Keep):
        store.keep(effect.secret)
    elif isinstance(effect, Promise):
        store.promise(effect.epoch)


def _attempt(write: Callable[[], None]) -> OSError | None:
    try:
        write()
    except OSError as error:
        return error
    return None


@dataclass(frozen=True, slots=True)
class HostingTerms:
    """How a host runs its table, for the day when it goes on with it."""

    host: str
    """What the host is called."""
    start_when: int
    games: int | None
    port: int
    """Where the table listened."""
    is_public: bool


class HostFiles:
    """What a host keeps of one table: the log, and its terms."""

    def __init__(self, table: bytes) -> None:
        self._table = table
        self._frames: storage.Frames | None = None

    @property
    def _log(self) -> storage.Frames:
        # Here, so that a disk that cannot be written keeps no table from opening.
        if self._frames is None:
            self._frames = storage.Frames(storage.table_folder(self._table) / _HOST_LOG)
            self._frames.cut_torn_end()
        return self._frames

    def entries(self) -> list[Entry]:
        """The log; raises `OSError`."""
        return read_entries(self._log.read())

    def record(self, blobs: Iterable[bytes]) -> None:
        """Append entries to the log; raises `OSError`."""
        self._log.append(*blobs)

    def begin(self, blobs: Iterable[bytes]) -> None:
        """Have this log on the disk and no other, in one step; raises `OSError`."""
        self._log.replace(blobs)

    def terms(self) -> HostingTerms | None:
        """The terms; None if they were not kept."""
        try:
            with (storage.table_folder(self._table) / _TERMS).open("rb") as file:
                return _read_terms(json.loads(file.read(_MAX_TERMS)))
        except (OSError, ValueError, RecursionError):
            return None

    def note(self, terms: HostingTerms) -> None:
        """Keep the terms; raises `OSError`."""
        folder = storage.table_folder(self._table)
        system.make_private_directory(folder)
        system.write_private(folder / _TERMS, json.dumps(asdict(terms), indent=1).encode())

    def close(self) -> None:
        """Let go of the log."""
        if self._frames:
            self._frames.close()


def _read_terms(raw: object) -> HostingTerms | None:
    if not isinstance(raw, dict) or set(raw) != {each.name for each in fields(HostingTerms)}:
        return None
    terms = HostingTerms(**raw)
    numbers = (terms.start_when, terms.port, 0 if terms.games is None else terms.games)
    is_sound = (
        isinstance(terms.host, str)
        and isinstance(terms.is_public, bool)
        and all(_NUMBER.fits(number) for number in numbers)
    )
    return terms if is_sound else None


def _stem_of(key: bytes) -> str:
    """The name of the files of a seat."""
    return key.hex()[:16]


def host_logs() -> list[Path]:
    """The logs of all tables that were hosted here, the last one first; raises `OSError`."""
    logs = (storage.home() / "tables").glob(f"*/{_HOST_LOG}")
    return sorted(logs, key=lambda path: path.stat().st_mtime, reverse=True)


def seat_logs() -> list[Path]:
    """The logs of all tables at which somebody sat here, the last one first; raises `OSError`."""
    logs = (storage.home() / "tables").glob("*/*.log")
    seats = [path for path in logs if path.name != _HOST_LOG]
    return sorted(seats, key=lambda path: path.stat().st_mtime, reverse=True)


def seat_of(path: Path, table: Table) -> bytes | None:
    """The key of the seat whose log this is; None if it has no seat any more."""
    return next((seat.key for seat in table.seats if _stem_of(seat.key) == path.stem), None)


def read_entries(blobs: Iterable[bytes]) -> list[Entry]:
    """The entries in a stored log that follow from those before, from the first one on.

    A log that was cut, because its table moved to another host, says so behind what was dropped.
    """
    log = Log()
    table: Table | None = None
    for blob in blobs:
        length = _read_cut(blob)
        if length is not None and 0 < length <= len(log):
            log.cut(length)
            table = folded(log)
            continue
        try:
            entry = Entry.read(blob, table.host if table else None)
            log.check(entry)
            table = fold(table, entry)
        except ProtocolError:
            # What was stored behind it may follow: it was fetched again.
            continue
        log.append(entry)
    return list(log)


def folded(log: Iterable[Entry]) -> Table | None:
    """The table that entries which hold together say; None for no entries."""
    table: Table | None = None
    for entry in log:
        table = fold(table, entry)
    return table


def _read_cut(blob: bytes) -> int | None:
    """How many entries stay, if `blob` says that the others were dropped."""
    return _read_number(_CUT, blob)


def _read_promise(payload: bytes) -> int:
    """The epoch in `payload`; 0 if no program wrote it."""
    return _read_number(_PROMISE, payload) or 0


def _read_number(kind: str, payload: bytes) -> int | None:
    try:
        raw = unpack(payload)
    except ProtocolError:
        return None
    if isinstance(raw, tuple) and len(raw) == 2 and raw[0] == kind and _NUMBER.fits(raw[1]):
        return int(raw[1])
    return None


def archive(table: Table, log: Log | Sequence[Entry]) -> Path | None:
    """Save the game that has just ended as its log and its record; the record's path."""
    game = table.game
    if game is None or game.winner is None:
        return None
    stem = _stem(text.file_name(table.opened.name), table.time, game.number)
    path = storage.games_folder() / f"{stem}.spoof"
    log_bytes = b"".join(frame(entry.blob) for entry in log)
    system.write_private(path.with_suffix(".log"), log_bytes)
    system.write_private(path, record_text(table, game).encode())
    return path


def record_text(table: Table, game: Game) -> str:
    """The record of a game in the Three Coins notation."""
    from protocol.notation import record_of

    day = storage.local_time(game.started)
    return record_of(game, event=text.show(table.opened.name, 64), date=f"{day:%Y-%m-%d}")


def _stem(table_name: str, time: int, number: int) -> str:
    return storage.game_stem(time, table_name, number)


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
