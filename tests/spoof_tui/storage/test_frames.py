"""Files of frames: torn, full, replaced, and read again."""

import errno
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from protocol.encoding.framing import frame
from protocol.limits import MAX_FRAME
from spoof_tui.storage import files
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.reading import Unfit

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")

payloads = st.lists(st.binary(min_size=1, max_size=40), max_size=6)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def written(path: Path, *parts: bytes) -> Frames:
    path.write_bytes(b"".join(parts))
    return Frames(path)


def test_a_file_that_is_not_there_holds_nothing(state: Path) -> None:
    frames = Frames(state / "none")
    frames.cut_torn_end()
    assert frames.read() == []
    assert not (state / "none").exists()


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(payloads, payloads)
def test_what_was_appended_is_read_again(
    state: Path, before: list[bytes], after: list[bytes]
) -> None:
    path = state / "frames"
    path.unlink(missing_ok=True)
    for payload in before:
        Frames(path).append(payload)
    for payload in after:
        Frames(path).append(payload)
    assert Frames(path).read() == before + after


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(payloads, st.binary(min_size=1, max_size=40), st.integers(0, 50))
def test_a_torn_last_frame_is_dropped_and_the_file_goes_on(
    state: Path, whole: list[bytes], last: bytes, cut: int
) -> None:
    torn = frame(last)[: min(cut, len(last) + 3)]
    frames = written(state / "frames", *map(frame, whole), torn)
    assert frames.read() == whole
    frames.cut_torn_end()
    frames.append(b"next")
    assert frames.read() == [*whole, b"next"]


@pytest.mark.parametrize("length", [0, MAX_FRAME + 1, 2**32 - 1])
def test_what_follows_an_impossible_length_is_dropped(state: Path, length: int) -> None:
    garbage = length.to_bytes(4, "big") + frame(b"lost")
    frames = written(state / "frames", frame(b"kept"), garbage)
    assert frames.read() == [b"kept"]
    frames.cut_torn_end()
    frames.append(b"next")
    assert frames.read() == [b"kept", b"next"]


def test_a_whole_file_is_not_touched(state: Path) -> None:
    frames = written(state / "frames", frame(b"one"), frame(b"two"))
    before = (state / "frames").stat().st_mtime_ns
    frames.cut_torn_end()
    assert (state / "frames").stat().st_mtime_ns == before


def test_a_file_longer_than_one_read_is_read_whole(state: Path) -> None:
    large = [bytes([number]) * (MAX_FRAME - 1) for number in range(1, 5)]
    assert written(state / "frames", *map(frame, large)).read() == large


def raising(error: OSError) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise error

    return fail


class NearlyFull:
    """A file on a disk that has room for so many bytes more."""

    def __init__(self, path: Path, room: int) -> None:
        self._file = path.open("ab", buffering=0)
        self._room = room

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def __enter__(self) -> "NearlyFull":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def write(self, data: bytes) -> int:
        return self._file.write(data[: self._room])


def test_a_full_disk_tears_no_frame(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = written(state / "frames", frame(b"one"))
    with monkeypatch.context() as full:
        full.setattr(
            "spoof_tui.storage.files.open_private_append", lambda path: NearlyFull(path, 5)
        )
        with pytest.raises(OSError, match="No space left") as error:
            frames.append(b"torn")
    assert error.value.errno == errno.ENOSPC
    frames.append(b"two")
    assert frames.read() == [b"one", b"two"]


def test_half_a_frame_that_a_full_disk_keeps_is_cut_off_before_the_next_one(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To write down that a file is shorter takes room, too, on some disks."""

    class Stubborn(NearlyFull):
        def truncate(self, length: int) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    frames = written(state / "frames", frame(b"one"))
    with monkeypatch.context() as full:
        full.setattr("spoof_tui.storage.files.open_private_append", lambda path: Stubborn(path, 5))
        for _ in range(2):
            with pytest.raises(OSError, match="No space left"):
                frames.append(b"torn")
    assert (state / "frames").stat().st_size == len(frame(b"one")) + 5
    frames.append(b"two")
    assert frames.read() == [b"one", b"two"]


def test_the_name_of_a_new_file_is_on_the_disk_before_anything_counts(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named: list[Path] = []

    def refuse(path: Path) -> None:
        named.append(path)
        if len(named) == 1:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(files, "sync_directory", refuse)
    frames = Frames(state / "frames")
    with pytest.raises(OSError, match="Input/output"):
        frames.append(b"one")
    frames.append(b"one")
    frames.append(b"two")
    assert frames.read() == [b"one", b"two"] and named == [state, state]


def test_frames_that_are_added_together_are_added_all_or_none(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = written(state / "frames", frame(b"one"))
    frames.append(b"two", b"three")
    frames.close()
    with monkeypatch.context() as full:
        full.setattr(
            "spoof_tui.storage.files.open_private_append", lambda path: NearlyFull(path, 9)
        )
        with pytest.raises(OSError, match="No space left"):
            frames.append(b"four", b"five")
    assert frames.read() == [b"one", b"two", b"three"]


def test_the_file_is_opened_once(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frames = written(state / "frames")
    frames.append(b"one")
    monkeypatch.setattr(files, "open_private_append", None)
    frames.append(b"two")
    assert frames.read() == [b"one", b"two"]


def test_what_could_not_be_put_on_the_disk_is_not_in_the_file(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = written(state / "frames", frame(b"one"))
    with monkeypatch.context() as broken:
        broken.setattr(
            "spoof_tui.storage.files.sync", raising(OSError(errno.EIO, "Input/output error"))
        )
        with pytest.raises(OSError, match="Input/output"):
            frames.append(b"two")
    assert frames.read() == [b"one"]


def test_a_file_is_replaced_whole_and_goes_on(state: Path) -> None:
    frames = Frames(state / "deep" / "frames")
    frames.append(b"old")
    frames.replace([b"new", b"newer"])
    frames.append(b"newest")
    assert frames.read() == [b"new", b"newer", b"newest"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_device_is_left_as_it_is() -> None:
    before = mode(Path("/dev/full"))
    with pytest.raises(Unfit):
        Frames(Path("/dev/full")).append(b"entry")
    assert mode(Path("/dev/full")) == before
