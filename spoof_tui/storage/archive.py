"""Finished games: a record to read, a log to verify, and what only the log would say.

A game is verified by its log alone, from the first entry of its table, so the log of an evening's
tenth game contains the nine before it. The system copies the bytes that the game before it saved;
only what was said since is encoded and written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from protocol.encoding.framing import frame
from protocol.rules.game import Game
from protocol.rules.options import MAX_PLAYERS
from protocol.table.fold import Table
from protocol.table.log import Entry, Log
from protocol.table.statements import AwardFine
from spoof_tui.storage import files, paths
from spoof_tui.storage.paths import BESIDE, LOG, RECORD
from spoof_tui.text import safe_text


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """What the table knew about a finished game that its record does not say."""

    players: tuple[bytes, ...] = ()
    """Public keys of the game's players, clockwise; empty if unknown."""
    finished: int | None = None
    """Milliseconds since 1970 of the last entry."""
    owed: Mapping[bytes, int] = field(default_factory=dict)
    """Drinks on the slate by key, if a chairman awarded any."""

    @classmethod
    def of(cls, table: Table, log: Iterable[Entry]) -> Unrecorded:
        """What `table` and its `log` say that the record does not."""
        has_fines = any(isinstance(entry.statement, AwardFine) for entry in log)
        slate = table.slate
        return cls(
            tuple(player.key for player in table.game.players) if table.game else (),
            table.time,
            {fine.key: slate.owed(fine.key) for fine in slate.fines} if has_fines else {},
        )

    @classmethod
    def read(cls, text: str | bytes) -> Unrecorded:
        """Parse what `text` wrote; raises `ValueError`, `TypeError` or `KeyError` if it did not."""
        raw = json.loads(text)
        players = tuple(bytes.fromhex(key) for key in raw["players"][:MAX_PLAYERS])
        owed = {bytes.fromhex(key): int(count) for key, count in raw["owed"].items()}
        return cls(players, int(raw["finished"]), owed)

    @property
    def text(self) -> str:
        """The file that is written beside the record."""
        raw = {
            "players": [key.hex() for key in self.players],
            "finished": self.finished,
            "owed": {key.hex(): count for key, count in self.owed.items()},
        }
        return json.dumps(raw)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The log of the last game that was saved."""

    path: Path
    size: int
    entries: int
    last: bytes
    """The last entry, whose chain of hashes covers all before it."""


class Archive:
    """Saves the games of one table, one after the other."""

    def __init__(self) -> None:
        self._kept: _Kept | None = None

    def save(self, table: Table, log: Log | Sequence[Entry]) -> Path | None:
        """Save the game that has just ended; return the path of its record, None if none has ended.

        Raises `OSError`.
        """
        game = table.game
        if game is None or game.winner is None:
            return None
        stem = game_stem(table.time, safe_text.file_name(table.opened.name), game.number)
        path = paths.games_folder() / f"{stem}{RECORD}"
        self._save_log(path.with_suffix(LOG), log)
        files.write_private(path.with_suffix(BESIDE), Unrecorded.of(table, log).text.encode())
        # Last: a game is listed as soon as it has a record.
        files.write_private(path, record_text(table, game).encode())
        return path

    def _save_log(self, path: Path, log: Log | Sequence[Entry]) -> None:
        before = self._before(log)
        data = b"".join(frame(entry.blob) for entry in log[before.entries if before else 0 :])
        files.write_private(path, data, before.path if before else None)
        size = len(data) + (before.size if before else 0)
        self._kept = _Kept(path, size, len(log), log[-1].blob)

    def _before(self, log: Log | Sequence[Entry]) -> _Kept | None:
        """The log that was saved last, if this one continues it and nobody has changed it."""
        kept = self._kept
        if kept is None or len(log) < kept.entries or log[kept.entries - 1].blob != kept.last:
            return None
        try:
            return kept if kept.path.stat().st_size == kept.size else None
        except OSError:
            return None


def count_games() -> int:
    """How many games are kept; 0 if they cannot be read."""
    try:
        return sum(1 for _record in paths.games_folder().glob(f"*{RECORD}"))
    except OSError:
        return 0


def accuse(evidence: bytes, log: Log | Sequence[Entry], why: str) -> Path:
    """Save an inconsistent log, with the entry that breaks it; raises `OSError`."""
    stem = game_stem(log[-1].time if len(log) else 0, "evidence", 0)
    path = paths.games_folder() / f"{stem}.log"
    blobs = [*(entry.blob for entry in log), evidence]
    files.write_private(path, b"".join(map(frame, blobs)))
    files.write_private(path.with_suffix(".txt"), why.encode())
    return path


def record_text(table: Table, game: Game) -> str:
    """The record of a game in the Three Coins notation."""
    from protocol.notation.writing import record_of

    day = local_time(game.started)
    event = safe_text.show(table.opened.name, 64)
    return record_of(game, event=event, date=f"{day:%Y-%m-%d}")


def game_stem(finished: int, table_name: str, number: int) -> str:
    """The file name, without suffix, of a finished game.

    `finished` is in milliseconds since 1970; `table_name` is safe for a file name already.
    """
    return f"{local_time(finished):%Y-%m-%d-%H%M%S}-{table_name}-game-{number}"


def local_time(milliseconds: int) -> datetime:
    """The local time this many milliseconds after 1970; that of 0 if it is out of range."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)
