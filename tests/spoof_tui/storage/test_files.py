"""Locks and private files."""

import contextlib
import errno
import os
import stat
import sys
from pathlib import Path

import pytest

from spoof_tui.storage import files
from spoof_tui.storage.files import FileLock
from tests.spoof_tui.test_system import run

if sys.platform != "win32":
    import fcntl

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="modes of POSIX")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_nobody_takes_a_lock_that_is_held(tmp_path: Path) -> None:
    lock = FileLock(tmp_path / "lock")
    other = FileLock(tmp_path / "lock")
    assert lock.acquire() and lock.acquire()
    assert not other.acquire()
    lock.release()
    assert other.acquire()
    other.release()


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    program = (
        "import os, pathlib, sys; from spoof_tui.storage.files import FileLock\n"
        "assert FileLock(pathlib.Path(sys.argv[1])).acquire(); os._exit(7)"
    )
    path = tmp_path / "lock"
    assert run(program, str(path)).returncode == 7
    lock = FileLock(path)
    assert lock.acquire()
    lock.release()


def test_releasing_a_lock_that_is_not_held_is_nothing(tmp_path: Path) -> None:
    FileLock(tmp_path / "lock").release()


def test_private_bytes_replace_the_old_ones(tmp_path: Path) -> None:
    path = tmp_path / "key"
    files.write_private(path, b"old")
    files.write_private(path, b"new")
    assert path.read_bytes() == b"new"
    assert mode(path) == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_the_name_of_a_file_that_took_the_place_of_another_is_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[tuple[Path, bytes]] = []

    def note(path: Path) -> None:
        synced.append((path, (path / "key").read_bytes()))

    monkeypatch.setattr(files, "sync_directory", note)
    files.write_private(tmp_path / "key", b"new")
    assert synced == [(tmp_path, b"new")]


def test_a_directory_can_be_put_on_the_disk(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    synced: list[int] = []
    monkeypatch.setattr(os, "fsync", lambda number: synced.append(os.fstat(number).st_ino))
    files.sync_directory(tmp_path)
    assert synced == [tmp_path.stat().st_ino]


@pytest.mark.parametrize("is_refused", [False, True])
def test_macos_is_told_to_empty_the_cache_of_its_disk(
    is_refused: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []

    def control(_descriptor: int, command: int) -> None:
        told.append(command)
        if is_refused:
            raise OSError(errno.ENOTSUP, "a disk of another system")

    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", control)
    monkeypatch.setattr(os, "fsync", lambda _descriptor: told.append("usual"))
    with (tmp_path / "log").open("wb") as file:
        files.sync(file)
    assert told == ([51, "usual"] if is_refused else [51])


@pytest.mark.parametrize(
    ("platform", "refusals", "is_done"),
    [("win32", 3, True), ("win32", 99, False), ("linux", 0, True), ("linux", 1, False)],
)
def test_a_file_that_a_scanner_has_open_is_waited_for_on_windows(
    platform: str, refusals: int, is_done: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [PermissionError()] * refusals
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(files, "_PAUSES", (0.0,) * 5)

    def replace() -> None:
        if answers:
            raise answers.pop()

    with contextlib.nullcontext() if is_done else pytest.raises(PermissionError):
        files.patiently(replace)


def test_what_is_not_there_is_deleted(tmp_path: Path) -> None:
    files.delete(tmp_path / "nothing")


def test_a_failed_write_leaves_the_old_bytes_and_no_litter(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "key"
    files.write_private(path, b"old")
    monkeypatch.setattr(os, "fsync", _fail)
    with pytest.raises(OSError, match="disk full"):
        files.write_private(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def _fail(descriptor: int) -> None:
    raise OSError("disk full")


def test_appending_is_private_and_at_once(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.touch(0o644)
    for entry in (b"one", b"two"):
        with files.open_private_append(path) as file:
            file.write(entry)
            assert path.read_bytes().endswith(entry)
            files.sync(file)
    assert path.read_bytes() == b"onetwo"
    assert mode(path) == 0o600


def test_a_private_directory_is_made_and_kept_private(tmp_path: Path) -> None:
    path = tmp_path / "state" / "spoof"
    files.make_private_directory(path)
    path.chmod(0o755)
    files.make_private_directory(path)
    assert mode(path) == 0o700


@pytest.mark.parametrize("is_on_disk", [False, True])
def test_a_secret_is_at_a_path_for_a_moment(
    is_on_disk: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    if is_on_disk:
        monkeypatch.setattr(files, "_OPEN_FILES", tmp_path / "none")
    elif not files._OPEN_FILES.is_dir():
        pytest.skip("this system shows no open files")
    with files.private_file(b"secret") as path:
        assert (path.read_bytes(), path.read_bytes()) == (b"secret", b"secret")
        assert mode(path) == 0o600
        assert bool(list(tmp_path.iterdir())) is is_on_disk
    assert list(tmp_path.iterdir()) == []
    assert not path.exists()


def test_a_secret_is_gone_when_its_use_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(files, "_OPEN_FILES", tmp_path / "none")
    with pytest.raises(ZeroDivisionError), files.private_file(b"secret"):
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == []
