"""The history in SQLite: whatever happens to it, it says what the records say."""

import contextlib
import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from spoof_tui.history import index
from spoof_tui.history.index import add, consult
from spoof_tui.history.queries import games
from spoof_tui.history.schema import FILE, VERSION
from spoof_tui.storage.reading import MAX_RECORD
from tests.helpers.histories import fill

ROOT = Path(__file__).resolve().parents[3]

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="needs pipes with a name")

DAMAGE = (b"", b"no database at all " * 100)


def stems(*, anew: bool = False) -> list[str]:
    return [game.stem for game in consult(games, anew=anew)[0]]


def everything(connection: sqlite3.Connection) -> list[object]:
    """All that the file holds, whatever numbers the games have."""
    told: list[object] = []
    for table in ("games", "players", "facts", "sums"):
        columns = [each[1] for each in connection.execute(f"PRAGMA table_info({table})")]
        kept = ", ".join(each for each in columns if each not in ("id", "game"))
        told += sorted(connection.execute(f"SELECT {kept} FROM {table}").fetchall(), key=repr)
    return told


def test_without_a_game_it_is_empty(state: Path) -> None:
    assert stems() == []


def test_it_has_every_record_the_last_one_first(state: Path) -> None:
    paths = fill(state, 12)
    assert stems() == [path.stem for path in reversed(paths)]


def test_what_came_since_is_added_and_what_is_gone_is_dropped(state: Path) -> None:
    first = fill(state, 8)
    stems()
    fill(state, 4, first=8)
    first[0].unlink()
    assert len(stems()) == 11
    followed = consult(everything)[0]
    assert consult(everything, anew=True)[0] == followed


def test_to_make_it_anew_loses_nothing(state: Path) -> None:
    fill(state, 10)
    before = consult(everything)[0]
    assert consult(everything, anew=True)[0] == before
    (state / FILE).unlink()
    assert consult(everything)[0] == before


def test_a_game_that_was_just_saved_is_added_at_once(state: Path) -> None:
    stems()
    (path,) = fill(state, 1)
    add(path)
    add(path)
    with contextlib.closing(sqlite3.connect(state / FILE)) as connection:
        assert connection.execute("SELECT stem FROM games").fetchall() == [(path.stem,)]


def test_a_damaged_file_is_set_aside_and_made_anew(state: Path) -> None:
    fill(state, 3)
    (state / FILE).write_bytes(DAMAGE[1])
    found, answer = consult(games)
    assert len(found) == 3
    assert answer.set_aside is not None and answer.set_aside.read_bytes() == DAMAGE[1]
    assert consult(games)[1].set_aside is None


def test_damage_in_the_middle_is_found_when_it_is_met(state: Path) -> None:
    fill(state, 60)
    stems()
    data = bytearray((state / FILE).read_bytes())
    data[4096:] = b"\xff" * (len(data) - 4096)
    (state / FILE).write_bytes(data)
    found, answer = consult(games)
    assert len(found) == 60 and answer.set_aside is not None


@posix_only
@pytest.mark.parametrize("name", [FILE, f"{FILE}-journal", f"{FILE}-wal"])
def test_a_pipe_in_its_place_is_not_waited_for(state: Path, name: str) -> None:
    fill(state, 3)
    os.mkfifo(state / name)
    found, answer = consult(games)
    assert len(found) == 3 and answer.set_aside is not None
    assert consult(games)[1].set_aside is None


@posix_only
def test_records_that_cannot_be_read_are_passed_over_by_name(state: Path) -> None:
    (path, *_others) = fill(state, 3)
    folder = path.parent
    os.mkfifo(folder / "pipe.spoof")
    (folder / "zero.spoof").symlink_to("/dev/zero")
    (folder / "many.spoof").write_text(path.read_text("utf-8") * 1000, "utf-8")
    with (folder / "long.spoof").open("wb") as file:
        file.truncate(MAX_RECORD + 1)
    found, answer = consult(games)
    assert len(found) == 3
    assert {name for name, _why in answer.passed_over} == {
        "pipe.spoof", "zero.spoof", "many.spoof", "long.spoof"
    }  # fmt: skip
    assert all(why for _name, why in answer.passed_over)


def test_an_empty_file_is_filled(state: Path) -> None:
    fill(state, 2)
    (state / FILE).write_bytes(DAMAGE[0])
    found, answer = consult(games)
    assert len(found) == 2 and answer.set_aside is None


@pytest.mark.parametrize("version", [VERSION + 1, 77])
def test_a_file_of_another_version_is_made_anew(state: Path, version: int) -> None:
    fill(state, 2)
    stems()
    with contextlib.closing(sqlite3.connect(state / FILE)) as connection:
        connection.execute("DROP TABLE players")
        connection.execute(f"PRAGMA user_version = {version}")
    assert len(stems()) == 2


def test_a_crash_while_it_is_written_leaves_whole_games(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(state, 3)
    inserted = index._insert

    def crash(connection: sqlite3.Connection, game: object) -> None:
        inserted(connection, game)  # type: ignore[arg-type]
        raise OSError("the lights went out")

    monkeypatch.setattr(index, "_insert", crash)
    with pytest.raises(OSError, match="lights"):
        stems()
    monkeypatch.undo()
    monkeypatch.setenv("SPOOF_STATE", str(state))
    assert len(stems()) == 3


def test_the_file_is_private(state: Path) -> None:
    stems()
    assert (state / FILE).stat().st_mode & 0o077 == 0


def test_how_far_the_reading_is_is_told(state: Path) -> None:
    fill(state, 5)
    told: list[tuple[int, int]] = []
    consult(games, lambda done, all: told.append((done, all)))
    assert told == [(5, 5)]


ASK = "from tests.spoof_tui.history.test_index import stems; print(len(stems()))"


def test_programs_that_write_at_once_add_each_game_once(state: Path) -> None:
    fill(state, 150)
    asking = [
        subprocess.Popen([sys.executable, "-c", ASK], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _program in range(3)
    ]
    assert [each.communicate(timeout=60)[0].strip() for each in asking] == ["150"] * 3
    assert consult(everything)[0] == consult(everything, anew=True)[0]
