"""The history in SQLite: merely an index of the records in the state folder.

Everything in it can be read from the records again: opening it adds the new ones, so nothing is
lost by a crash between two writes, by an older program, or with the file itself. Several programs
of one user may write at once: each game is added in one transaction, once.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeVar

from spoof_tui.history.schema import FILE, SCHEMA, TABLES, VERSION
from spoof_tui.storage import files, paths
from spoof_tui.storage.paths import RECORD

if TYPE_CHECKING:
    # Reading records takes the notation and the rules, which are not needed if nothing is new.
    from spoof_tui.history.games import KeptGame

T = TypeVar("T")

Question = Callable[[sqlite3.Connection], T]
"""A query of the history."""

Progress = Callable[[int, int], None]
"""Called with how many records were read, and how many there are."""

DAMAGED: Final = "history-damaged.sqlite"

BUSY_TIMEOUT: Final = 30.0
"""Seconds for which one program waits for another that is writing."""

_BATCH: Final = 100
"""Games that are added in one transaction."""

_SIDE_FILES: Final = ("-journal", "-wal", "-shm")
"""Suffixes of the files that SQLite keeps beside its own."""

_DAMAGE: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT)


class NoDatabase(OSError):
    """A folder, pipe or device is in the place of the file, or of one that SQLite keeps
    beside it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How the query went."""

    set_aside: Path | None = None
    """Where the damaged file is that was replaced; None if there was none."""
    passed_over: Sequence[tuple[str, str]] = ()
    """Names of the records that cannot be read, each with the reason in words."""


def consult(
    question: Question[T], progress: Progress | None = None, *, anew: bool = False
) -> tuple[T, Answer]:
    """The result of `question`, with all records in the history.

    `anew`: read every record again first. A damaged file is set aside and rebuilt. Raises `OSError`
    and `sqlite3.Error` if the disk fails.
    """
    try:
        found, passed_over = _ask(question, progress, anew)
        return found, Answer(None, passed_over)
    except (sqlite3.DatabaseError, NoDatabase) as error:
        if isinstance(error, sqlite3.Error) and not is_damage(error):
            raise
        where = _set_aside()
        found, passed_over = _ask(question, progress, anew)
        return found, Answer(where, passed_over)


def is_damage(error: sqlite3.Error) -> bool:
    """Whether this error means that the file is not SQLite's, or is damaged."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _DAMAGE


def add(record: Path) -> None:
    """Add the record of a game to the history beside it; raises as `consult` does."""
    home = record.parent.parent
    with _opened(home / FILE) as connection:
        _add(connection, [*_readable(record, _myself(home), [])])


def _ask(
    question: Question[T], progress: Progress | None, anew: bool
) -> tuple[T, Sequence[tuple[str, str]]]:
    home = paths.home()
    with _opened(home / FILE) as connection:
        if anew:
            with _transaction(connection):
                _make(connection)
        passed_over = _follow(connection, home, progress)
        return question(connection), passed_over


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[sqlite3.Connection]:
    _check(path)
    # Created before SQLite would do it, with the default permissions.
    files.open_private_append(path).close()
    with contextlib.closing(
        sqlite3.connect(path, timeout=BUSY_TIMEOUT, isolation_level=None)
    ) as connection:
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = NORMAL")
        if _version(connection) != VERSION:
            with _transaction(connection):
                if _version(connection) != VERSION:  # another program may have been quicker
                    _make(connection)
        yield connection


def _check(path: Path) -> None:
    """Raise `NoDatabase` where SQLite could wait forever: at the file, or at one beside it."""
    for beside in ("", *_SIDE_FILES):
        try:
            files.check(path.with_name(f"{path.name}{beside}").stat(), sys.maxsize)
        except FileNotFoundError:
            continue
        except files.Unfit as error:
            raise NoDatabase(*error.args) from error


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _make(connection: sqlite3.Connection) -> None:
    """Create the tables; old ones are dropped, since the records have everything."""
    for table in TABLES:
        connection.execute(f"DROP TABLE IF EXISTS {table}")
    for statement in SCHEMA:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {VERSION}")


@contextlib.contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


# Keeping up with the records


def _follow(
    connection: sqlite3.Connection, home: Path, progress: Progress | None
) -> Sequence[tuple[str, str]]:
    """Add new records to the history and drop those that are gone.

    Returns what is passed over, and why.
    """
    folder = home / "games"
    there = _stems(folder)
    known = {stem for (stem,) in connection.execute("SELECT stem FROM games")}
    if gone := known - there:
        with _transaction(connection):
            connection.executemany("DELETE FROM games WHERE stem = ?", ((s,) for s in gone))
    missing = sorted(there - known)
    who = _myself(home) if missing else (frozenset[bytes](), "")
    passed_over: list[tuple[str, str]] = []
    for done in range(0, len(missing), _BATCH):
        paths = [folder / f"{stem}{RECORD}" for stem in missing[done : done + _BATCH]]
        _add(connection, [game for path in paths for game in _readable(path, who, passed_over)])
        if progress:
            progress(done + len(paths), len(missing))
    return passed_over


def _stems(folder: Path) -> set[str]:
    """The names of all records without the suffix; paths would take much longer."""
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
        passed_over.append((record.name, error.strerror or str(error)))
    except UnicodeEncodeError as error:
        passed_over.append((record.name, error.reason))


def _myself(home: Path) -> tuple[frozenset[bytes], str]:
    """Who the owner of a state folder is in logs, by the public keys of all programs that ran at
    the same time, and in records, by name; raises `OSError`."""
    from protocol.crypto.keys import SigningKey
    from spoof_tui.storage.identity import seeds

    keys = frozenset(SigningKey(seed).public for _, seed in seeds(home))
    return keys, str(paths.read_settings().get("name", ""))


def _add(connection: sqlite3.Connection, games: Sequence[KeptGame]) -> None:
    with _transaction(connection):
        for game in games:
            _insert(connection, game)


def _insert(connection: sqlite3.Connection, game: KeptGame) -> None:
    me = None if game.me is None else game.players[game.me]
    order = sorted(game.players, key=lambda player: player.place)
    cursor = connection.execute(
        "INSERT OR IGNORE INTO games (stem, finished, event, rules, preset, number, rounds, seats,"
        " place, people) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            game.stem, game.finished, game.event, game.rules, game.preset, game.number,
            game.rounds, len(game.players), me.place if me else None,
            "\n".join(player.name for player in order),
        ),
    )  # fmt: skip
    if cursor.rowcount != 1:
        return  # another program was quicker
    number = cursor.lastrowid
    connection.executemany(
        "INSERT INTO players VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                number, seat, each.name, each is me, each.place, each.coins, each.fines,
                each.owed, each.chips, each.rounds_paid, each.took, each.gave,
            )
            for seat, each in enumerate(game.players)
        ],
    )  # fmt: skip
    connection.executemany(
        "INSERT INTO facts VALUES (?, ?, ?, ?, ?, ?)",
        [(number, game.preset, *map(int, fact), n) for fact, n in game.facts.items()],
    )


# Damage


def _set_aside() -> Path:
    """Rename a damaged file; return its new path."""
    home = paths.home()
    path, aside = home / FILE, home / DAMAGED
    lock = files.FileLock(home / "history.lock")
    if lock.acquire():
        try:
            if _is_damaged(path):
                with contextlib.suppress(FileNotFoundError):
                    files.patiently(lambda: path.replace(aside))
                for beside in _SIDE_FILES:
                    files.delete(home / f"{FILE}{beside}")
        finally:
            lock.release()
    return aside


def _is_damaged(path: Path) -> bool:
    """Whether the index is still damaged: another program may have rebuilt it."""
    try:
        _check(path)
        with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
            return bool(connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok")
    except NoDatabase:
        return True
    except sqlite3.DatabaseError as error:
        return is_damage(error)
