"""The history in SQLite: a cache of what the records in the state folder say.

The file is read into memory, updated there, and replaced in one step. So no locks are needed, and
several programs of one user may do so at once: records that one of them misses are read the next
time. If the file cannot be read, all records are read again.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from spoof_tui.storage import files, paths
from spoof_tui.storage.paths import RECORD
from spoof_tui.text.system_errors import reason_of

if TYPE_CHECKING:
    # Reading records takes the notation and the rules, which are not needed if nothing is new.
    from spoof_tui.history.games import KeptGame

T = TypeVar("T")

Question = Callable[[sqlite3.Connection], T]
"""A query of the history, given the connection to its database."""

Progress = Callable[[int, int], None]
"""Called with how many records were read, and how many there are."""

PassedOver = Sequence[tuple[str, str]]
"""Names of the records that cannot be read, each with the reason in words."""

FILE: Final = "history.sqlite"
"""Name of the history's file in the state folder; it exists once the history has been opened."""

VERSION: Final = 2
"""Version of the file's format; a file of another version is built again from the records."""

_TABLES: Final = f"""
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        stem TEXT NOT NULL UNIQUE,
        finished INTEGER NOT NULL,
        event TEXT NOT NULL,
        rules TEXT NOT NULL,
        preset TEXT NOT NULL,
        number INTEGER NOT NULL,
        rounds INTEGER NOT NULL,
        seats INTEGER NOT NULL,
        place INTEGER,
        people TEXT NOT NULL,
        facts TEXT NOT NULL -- JSON: how often, by "kind first second" as in facts.py
    );
    CREATE TABLE players (
        game INTEGER NOT NULL REFERENCES games ON DELETE CASCADE,
        seat INTEGER NOT NULL,
        name TEXT NOT NULL,
        is_me INTEGER NOT NULL,
        place INTEGER NOT NULL,
        coins INTEGER NOT NULL,
        fines INTEGER NOT NULL,
        owed INTEGER,
        chips INTEGER,
        rounds_paid INTEGER,
        took INTEGER NOT NULL,
        gave INTEGER NOT NULL,
        PRIMARY KEY (game, seat)
    ) WITHOUT ROWID;
    PRAGMA user_version = {VERSION};
"""

_STEP: Final = 100
"""How many records are read between two reports of progress."""


def consult(
    question: Question[T], progress: Progress | None = None, *, anew: bool = False
) -> tuple[T, PassedOver]:
    """The result of `question`, once all records are in the history, and the records passed over.

    `anew`: read every record again first. Raises `OSError` if the records cannot be listed.
    """
    home = paths.home()
    try:
        return _consult(question, home, progress, anew)
    except sqlite3.DatabaseError:
        return _consult(question, home, progress, anew=True)


def _consult(
    question: Question[T], home: Path, progress: Progress | None, anew: bool
) -> tuple[T, PassedOver]:
    kept = None if anew else _loaded(home / FILE)
    with contextlib.closing(kept or _in_memory(_TABLES)) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        before = connection.total_changes
        try:
            passed_over = _follow(connection, home, progress)
            return question(connection), passed_over
        finally:
            # Even if nobody waits for the answer any more.
            if connection.total_changes > before:
                with contextlib.suppress(OSError, sqlite3.Error):
                    _keep(connection, home / FILE)


def _in_memory(script: str = "") -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.executescript(script)
    return connection


def _loaded(path: Path) -> sqlite3.Connection | None:
    """A copy of the file in memory; None if it cannot be read or is of another version."""
    connection = _in_memory()
    try:
        files.check(path.stat(), sys.maxsize)
        # It is only ever replaced, so whoever reads it needs no lock.
        with contextlib.closing(_connected(path, "mode=ro&immutable=1")) as kept:
            kept.backup(connection)
        if connection.execute("PRAGMA user_version").fetchone() == (VERSION,):
            return connection
    except (OSError, sqlite3.DatabaseError):
        pass
    connection.close()
    return None


def _keep(connection: sqlite3.Connection, path: Path) -> None:
    """Replace the file at `path` by the database; a power cut may damage it, since it is not
    synced."""
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(descriptor)
    try:
        with contextlib.closing(_connected(Path(name), "nolock=1")) as kept:
            connection.backup(kept)
        files.patiently(lambda: Path(name).replace(path))
    except BaseException:
        files.delete(Path(name))
        raise


def _connected(path: Path, how: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True)


def _follow(connection: sqlite3.Connection, home: Path, progress: Progress | None) -> PassedOver:
    """Add new records to the history, and drop those that are gone; return the unreadable ones."""
    folder = home / "games"
    there = _stems(folder)
    known = {stem for (stem,) in connection.execute("SELECT stem FROM games")}
    gone, missing = known - there, sorted(there - known)
    connection.executemany("DELETE FROM games WHERE stem = ?", ((stem,) for stem in gone))
    who = _myself(home) if missing else (frozenset[bytes](), "")
    passed_over: list[tuple[str, str]] = []
    for done, stem in enumerate(missing, 1):
        for game in _readable(folder / f"{stem}{RECORD}", who, passed_over):
            _insert(connection, game)
        if progress and (done % _STEP == 0 or done == len(missing)):
            progress(done, len(missing))
    return passed_over


def _stems(folder: Path) -> set[str]:
    """The names of all records without the suffix, as strings: paths would take much longer."""
    try:
        names = os.listdir(folder)  # noqa: PTH208
    except FileNotFoundError:
        return set()
    return {name[: -len(RECORD)] for name in names if name.endswith(RECORD) and name[0] != "."}


def _readable(
    record: Path, who: tuple[frozenset[bytes], str], passed_over: list[tuple[str, str]]
) -> Iterator[KeptGame]:
    from spoof_tui.history.games import read_game

    try:
        record.name.encode()
        yield read_game(record, *who)
    except OSError as error:
        # It is not in the history, so the next run tries it again.
        passed_over.append((record.name, reason_of(error)))
    except UnicodeEncodeError as error:
        passed_over.append((record.name, error.reason))


def _myself(home: Path) -> tuple[frozenset[bytes], str]:
    """The public keys and the name by which logs and records show the owner of a state folder.

    There is a key for each program of theirs that ran at the same time. Raises `OSError`.
    """
    from protocol.crypto.keys import SigningKey
    from spoof_tui.storage.identity import seeds

    keys = frozenset(SigningKey(seed).public for _, seed in seeds(home))
    return keys, str(paths.read_settings().get("name", ""))


def _insert(connection: sqlite3.Connection, game: KeptGame) -> None:
    me = None if game.me is None else game.players[game.me]
    order = sorted(game.players, key=lambda player: player.place)
    facts = {" ".join(str(int(part)) for part in fact): n for fact, n in game.facts.items()}
    cursor = connection.execute(
        "INSERT INTO games (stem, finished, event, rules, preset, number, rounds, seats, place,"
        " people, facts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            game.stem, game.finished, game.event, game.rules, game.preset, game.number,
            game.rounds, len(game.players), me.place if me else None,
            "\n".join(player.name for player in order), json.dumps(facts),
        ),
    )  # fmt: skip
    connection.executemany(
        "INSERT INTO players VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                cursor.lastrowid, seat, each.name, each is me, each.place, each.coins, each.fines,
                each.owed, each.chips, each.rounds_paid, each.took, each.gave,
            )
            for seat, each in enumerate(game.players)
        ],
    )  # fmt: skip
