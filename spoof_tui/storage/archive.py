"""Finished games: a record to read, the log of their table to verify, and what only the log says.

A game is verified from the first entry of its table on, so all games of a table share one log,
which grows at its end; the file beside a record says where in the log the game ends. Several
programs of one user at one table write the same bytes to the same place, whichever is first. A
record may also have a whole log of its own name beside it.
"""

from __future__ import annotations

import errno
import itertools
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from protocol.encoding.framing import frame
from protocol.rules.game import Game
from protocol.rules.options import MAX_PLAYERS
from protocol.table.fold import Table
from protocol.table.log import Entry, Log
from protocol.table.statements import AwardFine
from spoof_tui.storage import files, paths, quota
from spoof_tui.storage.paths import BESIDE, LOG, RECORD
from spoof_tui.text import safe_text
from spoof_tui.text.i18n import _
from spoof_tui.visiting import is_visitor


@dataclass(frozen=True, slots=True)
class Unrecorded:
    """What the table knew about a finished game and its record does not say."""

    players: tuple[bytes, ...] = ()
    """Public keys of the game's players, clockwise; empty if they are not known."""
    finished: int | None = None
    """When the last entry was made, in milliseconds since 1970; None if that is not known."""
    owed: Mapping[bytes, int] = field(default_factory=dict)
    """Number of drinks that each public key owes; empty unless a chairman has awarded a fine."""

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
        """Decode `text`, which the method `text` has made; raises `ValueError`, `TypeError` or
        `KeyError` for anything else."""
        raw = json.loads(text)
        players = tuple(bytes.fromhex(key) for key in raw["players"][:MAX_PLAYERS])
        owed = {bytes.fromhex(key): int(count) for key, count in raw["owed"].items()}
        return cls(players, int(raw["finished"]), owed)

    def text(self, log: GameLog) -> str:
        """The contents of the file beside the record; `log` is where the game is verified."""
        raw = {
            "players": [key.hex() for key in self.players],
            "finished": self.finished,
            "owed": {key.hex(): count for key, count in self.owed.items()},
            "log": log.path.name,
            "end": log.end,
        }
        return json.dumps(raw)


@dataclass(frozen=True, slots=True)
class GameLog:
    """The part of a table's log by which a game is verified: from the first entry to the game's
    last."""

    path: Path
    end: int | None
    """Offset in bytes at which the game ends in the file; None if the file ends with it."""

    @classmethod
    def of(cls, record: Path) -> GameLog:
        """The log of the game with this record; the file need not exist."""
        alone = cls(record.with_suffix(LOG), None)
        try:
            raw = json.loads(files.read(record.with_suffix(BESIDE), files.MAX_RECORD))
            name, end = raw["log"], int(raw["end"])
        except (OSError, ValueError, TypeError, KeyError):
            return alone
        # Anybody may have written it: it names a file of the same folder.
        is_name = isinstance(name, str) and Path(name).name == name and name.endswith(LOG)
        return cls(record.with_name(name), end) if is_name else alone

    def part(self, chunks: Iterable[bytes]) -> Iterator[bytes]:
        """The part of the file up to the end of the game, in pieces; raises `Unfit` if the file
        ends before that."""
        if self.end is None:
            yield from chunks
            return
        left = self.end
        for chunk in chunks:
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                return
        raise files.Unfit(errno.EINVAL, _("it ends before the game does"))


@dataclass(frozen=True, slots=True)
class _Written:
    """How much of the table's log is on disk."""

    path: Path
    size: int = 0
    entries: int = 0
    last: bytes = b""
    """The last entry on disk, encoded, whose chain of hashes covers all before it."""


class Archive:
    """Saves the games of one table, one after the other."""

    def __init__(self) -> None:
        self._written: _Written | None = None

    def save(self, table: Table, log: Log | Sequence[Entry]) -> Path | None:
        """Save the game that has just ended; returns the path of its record, or None if none has
        ended.

        Raises `OSError`.
        """
        game = table.game
        if game is None or game.winner is None:
            return None
        if is_visitor():
            quota.make_room(paths.home())
        stem = game_stem(table.time, safe_text.file_name(table.opened.name), game.number)
        path = paths.games_folder() / f"{stem}{RECORD}"
        beside = Unrecorded.of(table, log).text(self._save_log(table, log))
        files.write_private(path.with_suffix(BESIDE), beside.encode())
        # Last: a game is listed as soon as it has a record.
        files.write_private(path, record_text(table, game).encode())
        return path

    def _save_log(self, table: Table, log: Log | Sequence[Entry]) -> GameLog:
        for known in self._places(table, log):
            there = _behind(known)
            data = b"".join(frame(entry.blob) for entry in log[known.entries :])
            if there is not None and (data.startswith(there) or there.startswith(data)):
                files.extend(known.path, known.size + len(there), data[len(there) :])
                end = known.size + len(data)
                self._written = _Written(known.path, end, len(log), log[-1].blob)
                return GameLog(known.path, end)
        raise AssertionError("there is always another name")

    def _places(self, table: Table, log: Log | Sequence[Entry]) -> Iterator[_Written]:
        """Files in which the log may be continued, or begun.

        A file with other contents is left to the games that end in it: a table can lose entries
        when it moves to another host, and after a crash a file may end in anything.
        """
        known = self._written
        if known and known.entries <= len(log) and log[known.entries - 1].blob == known.last:
            yield known
        folder, stem = paths.games_folder(), table.id.hex()[:32]
        yield _Written(folder / f"{stem}{LOG}")
        yield from (_Written(folder / f"{stem}-{number}{LOG}") for number in itertools.count(2))


def _behind(known: _Written) -> bytes | None:
    """The contents of a file after what was written; None if the file is shorter than that, or is
    not a regular file."""
    try:
        with files.opened(known.path, files.MAX_LOG) as file:
            end = file.seek(0, os.SEEK_END)
            file.seek(known.size)
            return file.read() if end >= known.size else None
    except FileNotFoundError:
        return None if known.size else b""
    except files.Unfit:
        return None


def count_games() -> int:
    """Number of finished games on disk; 0 if they cannot be counted."""
    try:
        return sum(1 for _record in paths.games_folder().glob(f"*{RECORD}"))
    except OSError:
        return 0


def accuse(evidence: bytes, log: Log | Sequence[Entry], why: str) -> Path:
    """Save an inconsistent log, with the entry that breaks it, and return the path; raises
    `OSError`."""
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
    """The file name, without suffix, for a finished game.

    `finished` is in milliseconds since 1970; `table_name` must be safe for a file name already.
    """
    return f"{local_time(finished):%Y-%m-%d-%H%M%S}-{table_name}-game-{number}"


def local_time(milliseconds: int) -> datetime:
    """The local time of this many milliseconds since 1970; that of 0 if it is out of range."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0, UTC)
