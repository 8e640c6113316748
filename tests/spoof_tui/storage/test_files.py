"""Locks and private files, the folders they are in, and files where the player says."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

import pytest

from spoof_tui.storage import chosen_file, files, paths
from spoof_tui.storage.chosen_file import named
from spoof_tui.storage.files import FileLock
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.identity import Identity
from spoof_tui.storage.settings import Settings
from spoof_tui.visiting import DOOR_VARIABLE, DoorKind
from tests.helpers.unix import fcntl, is_private
from tests.spoof_tui.storage.failing_disk import room_for, synced_folder, syncs
from tests.spoof_tui.storage.refusing import without_locks

linux_only = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")


def test_nobody_takes_a_lock_that_is_held(tmp_path: Path) -> None:
    lock, other = FileLock(tmp_path / "lock"), FileLock(tmp_path / "lock")
    other.release()
    assert lock.acquire() and lock.acquire() and not other.acquire()
    lock.release()
    assert other.acquire()
    other.release()


@pytest.mark.unix("locks that are shared")
def test_several_share_a_lock_that_nobody_else_gets(tmp_path: Path) -> None:
    shared = [FileLock(tmp_path / "lock", is_shared=True) for _ in range(2)]
    with FileLock(tmp_path / "lock") as alone:
        assert all(lock.acquire() for lock in shared) and not alone.acquire()
        for lock in shared:
            lock.release()
        assert alone.acquire(waits=True)
    assert shared[0].acquire()
    shared[0].release()


@linux_only
@pytest.mark.parametrize("error", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_where_no_file_can_be_locked_programs_of_this_machine_are_kept_apart(
    error: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, machine = tmp_path / "home", tmp_path / "machine"
    home.mkdir()
    machine.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(machine))
    with without_locks(home, error):
        test_nobody_takes_a_lock_that_is_held(home)
        test_several_share_a_lock_that_nobody_else_gets(home)
        lock, other = FileLock(home / "one"), FileLock(home / "two")
        assert lock.acquire() and other.acquire()
        lock.release()
        other.release()
    with without_locks(tmp_path, error):  # not even those of the machine
        with FileLock(home / "one") as free:
            assert lock.acquire() and free.acquire(), "nothing could keep these apart"
        lock.release()
    with without_locks(home, errno.EIO), pytest.raises(OSError, match="Input"):
        lock.acquire()


@pytest.mark.parametrize("trouble", [room_for(2), syncs(0)], ids=["full", "broken"])
def test_private_bytes_replace_the_old_ones_in_one_step(
    tmp_path: Path, trouble: contextlib.AbstractContextManager[object]
) -> None:
    path = tmp_path / "key"
    files.write_private(path, b"old")
    with trouble, pytest.raises(OSError, match=r"large|Input"):
        files.write_private(path, b"newer")
    assert path.read_bytes() == b"old"
    with syncs() as synced:
        files.write_private(path, b"newest")
    assert synced == [path.stat().st_ino, *synced_folder(tmp_path)]
    assert path.read_bytes() == b"newest" and is_private(path)
    files.delete(tmp_path / "copy")
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_is_extended_from_any_of_its_bytes_on(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with syncs() as synced:
        for offset, data in ((0, b"abc"), (2, b"cde"), (5, b"")):
            files.extend(path, offset, data)
    assert synced == [path.stat().st_ino, *synced_folder(tmp_path)] * 3
    assert path.read_bytes() == b"abcde" and is_private(path)


@pytest.mark.unix("pipes with a name")
def test_no_pipe_is_extended(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(files.Unfit):
        files.extend(tmp_path / "pipe", 0, b"abc")


@pytest.mark.unix("fcntl")
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
    [("win32", 5, True), ("win32", 6, False), ("linux", 0, True), ("linux", 1, False)],
)
def test_a_file_that_a_scanner_has_open_is_waited_for_on_windows(
    platform: str, refusals: int, is_done: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = [PermissionError()] * refusals
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr("time.sleep", lambda _pause: None)

    def replace() -> int:
        if answers:
            raise answers.pop()
        return 7

    with contextlib.nullcontext() if is_done else pytest.raises(PermissionError):
        assert files.patiently(replace) == 7


@pytest.mark.unix("modes of files")
@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_secret_is_at_a_path_for_a_moment(
    platform: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if platform == "linux" and sys.platform != "linux":
        pytest.skip("this system shows no open files")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(ZeroDivisionError), files.private_file(b"secret") as path:
        assert (path.read_bytes(), path.read_bytes()) == (b"secret", b"secret")
        assert is_private(path)
        assert bool(list(tmp_path.iterdir())) is (platform != "linux")
        raise ZeroDivisionError
    assert list(tmp_path.iterdir()) == [] and not path.exists()


# The folder of this program


@pytest.mark.unix("a home that a variable names")
@pytest.mark.parametrize("named", [None, ""])
def test_without_the_variable_the_system_says_where(
    state: Path, monkeypatch: pytest.MonkeyPatch, named: str | None
) -> None:
    monkeypatch.delenv(paths.STATE_VARIABLE)
    if named is not None:
        monkeypatch.setenv(paths.STATE_VARIABLE, named)
    monkeypatch.setenv("XDG_STATE_HOME", str(state / "xdg"))
    monkeypatch.setenv("HOME", str(state))
    assert state in paths.home().parents and "spoof" in paths.home().parts


def test_everything_is_private(state: Path) -> None:
    state.chmod(0o755)
    Settings("Maria").save()
    Identity.claim().release()
    Frames(paths.table_folder(bytes(32)) / "0.journal").append(b"entry")
    paths.games_folder()
    assert paths.keep_trouble(ValueError()) == state / "trouble.txt"
    assert [path for path in [state, *state.rglob("*")] if not is_private(path)] == []


def test_on_windows_only_the_own_folders_of_a_user_are_closed_to_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home, other = tmp_path / "anna", tmp_path / "spoof"
    for folder in (home / "state", other):
        folder.mkdir(parents=True)
    monkeypatch.setattr(Path, "home", lambda: home)
    monkeypatch.setattr(sys, "platform", "win32")
    assert files.is_private(home / "state") and not files.is_private(other)


# Files where the player says


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file that is there already."""
    path = tmp_path / "kept"
    path.write_text("mine", "utf-8")
    return path


def test_a_file_that_is_there_is_replaced_only_if_that_is_meant(kept: Path) -> None:
    new = named(str(kept.with_name("new")), replaces=False)
    chosen_file.write(new, "a\nї\n")
    assert new.read_bytes() == "a\nї\n".encode()
    with pytest.raises(FileExistsError):
        named(str(kept), replaces=False)
    with pytest.raises(FileExistsError):
        chosen_file.write(kept, "other")
    assert kept.read_text("utf-8") == "mine"
    chosen_file.write(named(str(kept), replaces=True), "other", replaces=True)
    assert kept.read_text("utf-8") == "other"


def test_where_there_is_no_room_no_half_of_a_file_stays(kept: Path) -> None:
    for path in (kept, kept.with_name("new")):
        with room_for(9), pytest.raises(OSError, match="large"):
            chosen_file.write(path, "x" * 99, replaces=True)
    assert [(each.name, each.read_text()) for each in kept.parent.iterdir()] == [("kept", "mine")]


@pytest.mark.unix("links that anybody may make")
def test_a_link_to_nowhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        chosen_file.write(named(str(tmp_path / "link"), replaces=False), "text")
    assert not (tmp_path / "elsewhere").exists()


@pytest.mark.unix("pipes with a name")
def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for typed in ["", "a\0b", *map(str, (tmp_path, tmp_path / ("x" * 300), tmp_path / "pipe"))]:
        with pytest.raises(ValueError):
            named(typed, replaces=True)


@pytest.mark.parametrize("kind", DoorKind)
def test_behind_a_door_no_path_leads_anywhere(
    kind: DoorKind, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DOOR_VARIABLE, kind.value)
    for path in (kept, kept.with_name("new"), Path("here")):
        with pytest.raises(ValueError, match="You are playing through a door"):
            named(str(path), replaces=True)
        with pytest.raises(PermissionError):
            chosen_file.write(path, "text", replaces=True)
    assert kept.read_text("utf-8") == "mine" and not kept.with_name("new").exists()
