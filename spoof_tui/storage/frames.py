"""Append-only files of frames: the format of journals and logs."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from protocol.encoding.framing import FrameReader, frame
from protocol.errors import ProtocolError
from spoof_tui.storage import files

_LENGTH: Final = 4
"""Bytes of a frame's length."""


class Frames:
    """An append-only file of frames. A last frame that was not written completely is ignored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._is_named = False
        """Whether the name of the file is sure to be on disk."""
        self._torn: int | None = None
        """Offset of an incomplete frame that may still have to be cut off; None if there is
        none."""
        self._size: int | None = None
        """Size in bytes of the complete frames when this object last read or wrote them; None
        before that."""
        self._is_synced = True
        """Whether what this object has read or written is sure to be on disk. Another program may
        have written it, and ended before it was."""

    def read(self) -> list[bytes]:
        """The payloads of the complete frames; empty if there is no file. Raises `OSError`."""
        payloads, self._size = [], 0
        for payload in self.each():
            size = self._size + len(frame(payload))
            if self._torn is not None and size > self._torn:
                # What could not be written is still there, and about to be cut off.
                break
            payloads.append(payload)
            self._size = size
        self._is_synced = not payloads
        return payloads

    def each(self) -> Iterator[bytes]:
        """The payloads of the complete frames one by one, for a log that may be long; raises
        `OSError`."""
        reader = FrameReader()
        try:
            with files.opened(self._path, files.MAX_LOG) as file:
                # An impossible length must not hide the whole frames before it.
                while length := file.read(_LENGTH):
                    reader.feed(length)
                    yield from reader.feed(file.read(int.from_bytes(length, "big")))
        except FileNotFoundError:
            return
        except ProtocolError:
            # What follows a length that no program wrote cannot be cut into frames.
            return

    @property
    def has_changed(self) -> bool:
        """Whether another program has written to the file since this object last read or wrote it,
        or it has not read it yet."""
        return self._size is None or (self._torn is None and self._size != self._size_now())

    def _size_now(self) -> int:
        try:
            return self._path.stat().st_size
        except FileNotFoundError:
            return 0

    def cut_torn_end(self) -> None:
        """Truncate the file after its last complete frame, so that what is appended next can be
        read; raises `OSError`."""
        self.read()
        if self._size is not None and self._size_now() > self._size:
            with self._path.open("r+b") as file:
                file.truncate(self._size)

    def append(self, *payloads: bytes) -> None:
        """Append frames, and wait until they and all that was read before are on disk. Raises
        `OSError`; then none were added."""
        if not payloads and self._is_synced:
            return
        try:
            self._add(self._opened(), b"".join(map(frame, payloads)))
        except OSError:
            self.close()
            raise

    def _add(self, file: BinaryIO, data: bytes) -> None:
        # A torn frame in the middle would hide everything appended later. It may be this program's
        # own, or that of another window of the same player, which is gone.
        self._cut(file)
        end = file.seek(0, os.SEEK_END)
        if end != self._size:
            self.cut_torn_end()
            end = file.seek(0, os.SEEK_END)
        try:
            if file.write(data) != len(data):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(self._path))
            files.sync(file)
        except OSError:
            self._torn = end
            with contextlib.suppress(OSError):
                self._cut(file)
            raise
        self._size, self._is_synced = end + len(data), True

    def _cut(self, file: BinaryIO) -> None:
        if self._torn is not None:
            file.truncate(self._torn)
            self._torn = None

    def close(self) -> None:
        """Close the file; the next append opens it again."""
        file, self._file = self._file, None
        if file:
            with contextlib.suppress(OSError):
                file.close()

    def _opened(self) -> BinaryIO:
        """The open file, which stays open, because opening it for every entry of a log would be too
        slow."""
        if self._file is None:
            if not self._path.parent.is_dir():
                files.make_private_directory(self._path.parent)
            self._file = files.open_private_append(self._path)
        if not self._is_named:
            files.sync_directory(self._path.parent)
            self._is_named = True
        return self._file

    def __del__(self) -> None:
        self.close()
