"""The history in SQLite: whatever happens to it, it says what the records say."""

from __future__ import annotations

import contextlib
import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from spoof_tui.history.index import FILE, VERSION, consult
from spoof_tui.history.queries import games
from spoof_tui.storage.files import MAX_RECORD
from spoof_tui.ui.history.looking import Stopped
from tests.helpers.histories import fill
from tests.helpers.unix import is_private

ROOT = Path(__file__).resolve().parents[3]

posix_only = pytest.mark.unix("pipes with a name")

GARBAGE = b"no database at all " * 100


def stems() -> list[str]:
    return [game.stem for game in consult(games)[0]]


def everything(connection: sqlite3.Connection) -> list[object]:
    """Everything that the file holds, whatever numbers the games have."""
    told: list[object] = []
    for table in ("games", "players"):
        columns = [each[1] for each in connection.execute(f"PRAGMA table_info({table})")]
        kept = ", ".join(each for each in columns if each not in ("id", "game"))
        told += sorted(connection.execute(f"SELECT {kept} FROM {table}"), key=repr)
    return told


def count(path: Path) -> int:
    """The games in a file that anybody can ask."""
    with contextlib.closing(sqlite3.connect(path)) as connection:
        return int(connection.execute("SELECT count(*) FROM games").fetchone()[0])


def test_it_follows_the_records_that_come_and_go_the_last_one_first(state: Path) -> None:
    assert stems() == []
    first = fill(state, 8)
    assert stems() == [path.stem for path in reversed(first)]
    assert is_private(state / FILE)
    more = fill(state, 4, first=8)
    first[0].unlink()
    assert stems() == [path.stem for path in reversed([*first[1:], *more])]
    followed = consult(everything)[0]
    assert consult(everything, anew=True)[0] == followed
    (state / FILE).unlink()
    assert consult(everything)[0] == followed


def _spoil_the_middle(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))


def _pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _changed(*statements: str) -> Callable[[Path], object]:
    def change(path: Path) -> None:
        with contextlib.closing(sqlite3.connect(path)) as connection:
            for each in statements:
                connection.execute(each)
            connection.commit()

    return change


SPOILING: dict[str, Callable[[Path], object]] = {
    "garbage": lambda path: path.write_bytes(GARBAGE),
    "garbage in the middle": _spoil_the_middle,
    "empty": lambda path: path.write_bytes(b""),
    "a folder": _folder,
    "a pipe": _pipe,
    "another version": _changed(
        "UPDATE games SET rounds = 99", f"PRAGMA user_version = {VERSION + 1}"
    ),
    "without a table": _changed("DROP TABLE players"),
    "other columns": _changed("ALTER TABLE games RENAME COLUMN facts TO sums"),
    "other pages": _changed("PRAGMA page_size = 8192", "VACUUM"),
}


@pytest.mark.parametrize("spoil", SPOILING.values(), ids=SPOILING)
@posix_only
def test_whatever_becomes_of_the_file_the_records_are_told(
    state: Path, spoil: Callable[[Path], object]
) -> None:
    fill(state, 60)
    told = consult(everything)[0]
    spoil(state / FILE)
    assert consult(everything)[0] == told and len(stems()) == 60
    if not (state / FILE).is_dir():
        assert count(state / FILE) == 60


LOCK = """
import fcntl, sys
file = open(sys.argv[1], "r+b")
fcntl.lockf(file, fcntl.LOCK_EX)
print(flush=True)
input()
"""


@posix_only
def test_no_lock_is_asked_for(state: Path) -> None:
    fill(state, 3)
    stems()
    program = [sys.executable, "-c", LOCK, str(state / FILE)]
    pipe = subprocess.PIPE
    with subprocess.Popen(program, stdin=pipe, stdout=pipe) as other:
        assert other.stdout and other.stdout.readline() == b"\n"
        fill(state, 3, first=3)
        told: list[tuple[int, int]] = []
        assert len(consult(games, lambda *read: told.append(read))[0]) == 6
        assert told == [(3, 3)], "what the file says is not read again"
        other.kill()
    assert count(state / FILE) == 6


def test_a_home_that_cannot_be_written_has_a_history(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path, _other: Path) -> Path:
        raise PermissionError(errno.EACCES, "Permission denied")

    fill(state, 3)
    stems()
    fill(state, 3, first=3)
    monkeypatch.setattr(Path, "replace", refuse)
    assert len(stems()) == 6 and count(state / FILE) == 3
    assert not list(state.glob(".history*"))


def test_what_was_read_is_kept_if_nobody_waits_for_the_rest(state: Path) -> None:
    fill(state, 150)

    def stop(done: int, all: int) -> None:
        raise Stopped

    with pytest.raises(Stopped):
        consult(games, stop)
    assert count(state / FILE) == 100 and len(stems()) == 150


@posix_only
def test_records_that_cannot_be_read_are_passed_over_by_name(state: Path) -> None:
    (path, *_others) = fill(state, 3)
    folder = path.parent
    os.mkfifo(folder / "pipe.spoof")
    (folder / "zero.spoof").symlink_to("/dev/zero")
    (folder / "many.spoof").write_text(path.read_text("utf-8") * 1000, "utf-8")
    with (folder / "long.spoof").open("wb") as file:
        file.truncate(MAX_RECORD + 1)
    (folder / ".hidden.spoof").touch()
    os.close(os.open(os.fsencode(folder) + b"/half\xff.spoof", os.O_CREAT))
    found, unread = consult(games)
    assert len(found) == 3 and all(why for _name, why in unread)
    assert {os.fsencode(name) for name, _why in unread} == {
        b"pipe.spoof", b"zero.spoof", b"many.spoof", b"long.spoof", b"half\xff.spoof"
    }  # fmt: skip


CRASH = """
import os, sqlite3, sys
from spoof_tui.history.index import consult
from spoof_tui.history.queries import games

def crash(event, arguments):
    if event == "open" and str(arguments[0]).endswith(sys.argv[1]):
        os._exit(7)

sys.addaudithook(crash)
consult(games)
"""


def test_a_crash_while_records_are_read_loses_none(state: Path) -> None:
    paths = fill(state, 150)
    program = [sys.executable, "-c", CRASH, paths[120].name]
    assert subprocess.run(program, cwd=ROOT, check=False).returncode == 7
    assert len(stems()) == 150


ASK = "from tests.spoof_tui.history.test_index import stems; print(len(stems()))"


def test_programs_that_write_at_once_add_each_game_once(state: Path) -> None:
    fill(state, 150)
    asking = [
        subprocess.Popen([sys.executable, "-c", ASK], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _program in range(3)
    ]
    assert [each.communicate(timeout=60)[0].strip() for each in asking] == ["150"] * 3
    assert consult(everything)[0] == consult(everything, anew=True)[0]
