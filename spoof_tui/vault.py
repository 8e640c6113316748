"""One participant's papers at one table: its copy of the log and its own secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from protocol.codec import pack, unpack
from protocol.errors import ProtocolError
from protocol.framing import frame
from protocol.game import Game
from protocol.guest import Secret
from protocol.log import Entry, Log
from protocol.seals import Place, SealedHand, SealedShare
from protocol.table import Table, fold
from spoof_tui import storage, system, text


class Vault(Protocol):
    """Where a session keeps what must outlive it."""

    def entries(self) -> list[Entry]:
        """The entries kept before, as far as they hold together."""

    def secrets(self) -> list[Secret]:
        """The secrets kept before."""

    def keep(self, secret: Secret) -> None:
        """Put a secret on the disk; raises `OSError`."""

    def store(self, entry: Entry) -> None:
        """Append an entry to the copy of the log; raises `OSError`."""

    def archive(self, table: Table, log: Log) -> Path | None:
        """Save the finished game; the path of its record."""

    def accuse(self, evidence: bytes, log: Log, why: str) -> Path | None:
        """Save a log that does not hold together, with the entry that breaks it."""


class NoVault:
    """Keeps nothing: for players that do not outlive their program."""

    def entries(self) -> list[Entry]:
        return []

    def secrets(self) -> list[Secret]:
        return []

    def keep(self, secret: Secret) -> None:
        pass

    def store(self, entry: Entry) -> None:
        pass

    def archive(self, table: Table, log: Log) -> Path | None:
        return None

    def accuse(self, evidence: bytes, log: Log, why: str) -> Path | None:
        return None


class DiskVault:
    """Keeps everything under the state directory, by table and by the participant's key."""

    def __init__(self, table: bytes, key: bytes) -> None:
        folder = storage.table_folder(table)
        self._log = storage.Frames(folder / f"{key.hex()[:16]}.log")
        self._secrets = storage.Frames(folder / f"{key.hex()[:16]}.secrets")
        self._log.cut_torn_end()
        self._secrets.cut_torn_end()

    def entries(self) -> list[Entry]:
        return read_entries(self._log.read())

    def secrets(self) -> list[Secret]:
        return [secret for payload in self._secrets.read() if (secret := _read_secret(payload))]

    def keep(self, secret: Secret) -> None:
        self._secrets.append(_write_secret(secret))

    def store(self, entry: Entry) -> None:
        self._log.append(entry.blob)

    def archive(self, table: Table, log: Log) -> Path | None:
        return archive(table, log)

    def accuse(self, evidence: bytes, log: Log, why: str) -> Path | None:
        stem = _stem(table_name="evidence", time=log[-1].time if len(log) else 0, number=0)
        path = storage.games_folder() / f"{stem}.log"
        blobs = [*(entry.blob for entry in log), evidence]
        system.write_private(path, b"".join(map(frame, blobs)))
        system.write_private(path.with_suffix(".txt"), why.encode())
        return path


def read_entries(blobs: list[bytes]) -> list[Entry]:
    """The entries in a stored log, up to the first that does not follow from those before."""
    log = Log()
    table: Table | None = None
    for blob in blobs:
        try:
            entry = Entry.read(blob, table.host if table else None)
            log.check(entry)
            table = fold(table, entry)
        except ProtocolError:
            break
        log.append(entry)
    return list(log)


def archive(table: Table, log: Log) -> Path | None:
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
