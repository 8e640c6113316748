"""Files of frames: after any crash or fault of a disk, what was added is there or is not."""

from __future__ import annotations

import contextlib
import errno
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from protocol.encoding.framing import frame
from protocol.limits import MAX_FRAME
from spoof_tui.storage import files
from spoof_tui.storage.frames import Frames
from tests.spoof_tui.storage.failing_disk import room_for, synced_folder, syncs

payloads = st.lists(st.binary(min_size=1, max_size=40), max_size=4)
IMPOSSIBLE = [length.to_bytes(4, "big") for length in (0, MAX_FRAME + 1, 2**32 - 1)]
torn_ends = st.builds(
    lambda last, cut: frame(last)[: min(cut, len(last) + 3)],
    st.binary(min_size=1, max_size=40),
    st.integers(0, 50),
) | st.builds(bytes.__add__, st.sampled_from(IMPOSSIBLE), payloads.map(b"".join))
shared_state = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@shared_state
@given(payloads, torn_ends)
def test_what_a_crash_left_of_the_last_frame_is_dropped_and_the_file_goes_on(
    state: Path, whole: list[bytes], torn: bytes
) -> None:
    path = state / "frames"
    path.write_bytes(b"".join(map(frame, whole)) + torn)
    frames = Frames(path)
    assert frames.read() == whole
    frames.cut_torn_end()
    assert path.read_bytes() == b"".join(map(frame, whole))
    frames.append(b"next")
    assert Frames(path).read() == [*whole, b"next"]


@shared_state
@given(
    st.lists(st.tuples(payloads, st.none() | st.integers(0, 60), st.none() | st.integers(0, 2))),
    st.sets(st.integers(0, 9)),
)
@example([([b"one"], None, None), ([b"two", b"three"], 9, None), ([b"four"], None, None)], set())
@example([([b"one"], None, 0), ([b"one"], None, 1), ([b"one"], None, None)], set())
def test_frames_are_added_all_or_none_whatever_the_disk_does(
    state: Path, steps: Sequence[tuple[list[bytes], int | None, int | None]], closed: set[int]
) -> None:
    path = state / "some" / "frames"
    path.unlink(missing_ok=True)
    frames, kept = Frames(path), list[bytes]()
    for number, (added, room, fails_at) in enumerate(steps):
        size = path.stat().st_size if path.exists() else 0
        with contextlib.ExitStack() as disk:
            disk.enter_context(syncs(fails_at))
            if room is not None:
                disk.enter_context(room_for(size + room))
            with contextlib.suppress(OSError):
                frames.append(*added)
                kept += added
        assert Frames(path).read() == kept
        if number in closed:
            frames.close()


def test_a_new_name_is_on_the_disk_and_so_is_each_frame_before_it_counts(state: Path) -> None:
    frames = Frames(state / "frames")
    with syncs() as first:
        frames.append(b"one")
    with syncs() as second:
        frames.append(b"two")
    inode = (state / "frames").stat().st_ino
    assert (first, second) == ([*synced_folder(state), inode], [inode])


class _Stubborn:
    """A file that has room for five bytes more, and cannot be made shorter."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("ab", buffering=0)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._file, name)

    def write(self, data: bytes) -> int:
        return self._file.write(data[:5])

    def truncate(self, _length: int) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")


def test_half_a_frame_that_a_full_disk_keeps_is_cut_off_before_the_next_one(state: Path) -> None:
    """On some disks it takes room, too, to write down that a file is shorter."""
    frames = Frames(state / "frames")
    frames.append(b"one")
    frames.close()
    with patch.object(files, "open_private_append", _Stubborn):
        for _ in range(2):
            with pytest.raises(OSError, match="No space left"):
                frames.append(b"torn")
    assert (state / "frames").stat().st_size == len(frame(b"one")) + 5
    frames.append(b"two")
    assert frames.read() == [b"one", b"two"]


def test_a_frame_that_a_full_disk_refused_and_keeps_is_not_read(state: Path) -> None:
    frames = Frames(state / "frames")
    frames.append(b"one")
    frames.close()
    with (
        patch.object(files, "open_private_append", _Stubborn),
        patch.object(_Stubborn, "write", lambda file, data: file._file.write(data)),
        syncs(0),
        pytest.raises(OSError, match="error"),
    ):
        frames.append(b"refused")
    assert Frames(state / "frames").read() == [b"one", b"refused"]
    assert frames.read() == [b"one"]
    frames.append(b"two")
    assert Frames(state / "frames").read() == [b"one", b"two"]
