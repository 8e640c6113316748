"""The history in SQLite: whatever happens to it, it says what the records say."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from spoof_tui.history.index import add, consult
from spoof_tui.history.keeping import note
from spoof_tui.history.queries import games
from spoof_tui.history.schema import FILE, VERSION
from spoof_tui.storage.files import MAX_RECORD
from tests.helpers.histories import fill

ROOT = Path(__file__).resolve().parents[3]

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes with a name")

GARBAGE = b"no database at all " * 100


def stems(*, anew: bool = False) -> list[str]:
    return [game.stem for game in consult(games, anew=anew)[0]]


def everything(connection: sqlite3.Connection) -> list[object]:
    """Everything that the file holds, whatever numbers the games have."""
    told: list[object] = []
    for table in ("games", "players", "facts", "sums"):
        columns = [each[1] for each in connection.execute(f"PRAGMA table_info({table})")]
        kept = ", ".join(each for each in columns if each not in ("id", "game"))
        some = "WHERE n > 0" if table == "sums" else ""
        told += sorted(connection.execute(f"SELECT {kept} FROM {table} {some}"), key=repr)
    return told


def test_it_follows_the_records_that_come_and_go_the_last_one_first(state: Path) -> None:
    assert stems() == []
    assert (state / FILE).stat().st_mode & 0o077 == 0
    first = fill(state, 8)
    assert stems() == [path.stem for path in reversed(first)]
    more = fill(state, 4, first=8)
    first[0].unlink()
    assert stems() == [path.stem for path in reversed([*first[1:], *more])]
    followed = consult(everything)[0]
    assert consult(everything, anew=True)[0] == followed
    (state / FILE).unlink()
    assert consult(everything)[0] == followed


async def test_a_game_that_was_just_saved_is_added_once_where_there_is_a_history(
    state: Path,
) -> None:
    (path,) = fill(state, 1)
    await note(path)
    assert not (state / FILE).exists()
    path.unlink()
    stems()
    (path,) = fill(state, 1)
    await note(path)
    add(path)
    with contextlib.closing(sqlite3.connect(state / FILE)) as connection:
        assert connection.execute("SELECT stem FROM games").fetchall() == [(path.stem,)]


def _spoil_the_middle(path: Path) -> None:
    data = path.read_bytes()
    path.write_bytes(data[:4096] + b"\xff" * (len(data) - 4096))


def _pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGE: list[Callable[[Path], object]] = [
    lambda path: path.write_bytes(GARBAGE),
    _spoil_the_middle,
    _folder,
    *([_pipe] if hasattr(os, "mkfifo") else []),
]


@pytest.mark.parametrize("spoil", DAMAGE, ids=range(len(DAMAGE)))
def test_a_damaged_file_is_set_aside_and_made_anew(
    state: Path, spoil: Callable[[Path], object]
) -> None:
    fill(state, 60)
    stems()
    spoil(state / FILE)
    before = (state / FILE).read_bytes() if (state / FILE).is_file() else None
    found, answer = consult(games)
    assert len(found) == 60 and answer.set_aside is not None
    assert before is None or answer.set_aside.read_bytes() == before
    assert consult(games)[1].set_aside is None


def test_an_empty_file_is_filled_and_one_of_another_version_made_anew(state: Path) -> None:
    fill(state, 2)
    (state / FILE).touch()
    found, answer = consult(games)
    assert len(found) == 2 and answer.set_aside is None
    for version in (VERSION + 1, 77):
        with contextlib.closing(sqlite3.connect(state / FILE)) as connection:
            connection.execute("DROP TABLE players")
            connection.execute(f"PRAGMA user_version = {version}")
        assert len(stems()) == 2


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
    found, answer = consult(games)
    assert len(found) == 3 and all(why for _name, why in answer.passed_over)
    assert {os.fsencode(name) for name, _why in answer.passed_over} == {
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
    with contextlib.closing(sqlite3.connect(state / FILE)) as connection:
        assert connection.execute("SELECT count(*) FROM games").fetchone() == (100,)
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
