"""Append-only files of frames, as logs and secrets are kept."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from protocol.encoding.framing import FrameReader, frame
from protocol.errors import ProtocolError
from spoof_tui.storage import files, reading

_LENGTH: Final = 4
"""Bytes of a frame's length."""


class Frames:
    """An append-only file of frames. A torn last frame is passed over, never the file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None
        self._is_named = False
        """Whether the file's name is sure to be on the disk."""
        self._torn: int | None = None
        """Where half a frame may stand that could not be cut off."""

    def read(self) -> list[bytes]:
        """The whole frames of the file; none if there is no file."""
        return list(self.each())

    def each(self) -> Iterator[bytes]:
        """The same one by one, for a log that may be long; raises `OSError`."""
        reader = FrameReader()
        try:
            with reading.opened(self._path, reading.MAX_LOG) as file:
                # A length that is impossible must not hide the frames that are whole before it.
                while length := file.read(_LENGTH):
                    reader.feed(length)
                    yield from reader.feed(file.read(int.from_bytes(length, "big")))
        except FileNotFoundError:
            return
        except ProtocolError:
            # What follows a length that no program wrote cannot be cut into frames.
            return

    def cut_torn_end(self) -> None:
        """Shorten the file to its whole frames, so that what is appended can be read."""
        whole = sum(len(frame(payload)) for payload in self.each())
        if self._path.exists() and self._path.stat().st_size != whole:
            with self._path.open("r+b") as file:
                file.truncate(whole)

    def append(self, *payloads: bytes) -> None:
        """Add frames and wait until they are on the disk; raises `OSError`, and has added none."""
        if not payloads:
            return
        try:
            self._add(self._opened(), b"".join(map(frame, payloads)))
        except OSError:
            self.close()
            raise

    def _add(self, file: BinaryIO, data: bytes) -> None:
        # A torn frame in the middle would hide all that is appended later.
        self._cut(file)
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

    def _cut(self, file: BinaryIO) -> None:
        if self._torn is not None:
            file.truncate(self._torn)
            self._torn = None

    def replace(self, payloads: Iterable[bytes]) -> None:
        """Have these frames in the file and no others, in one step; raises `OSError`."""
        self.close()
        files.make_private_directory(self._path.parent)
        files.write_private(self._path, b"".join(map(frame, payloads)))
        self._torn = None

    def close(self) -> None:
        """Let go of the file; what is appended later opens it again."""
        file, self._file = self._file, None
        if file:
            with contextlib.suppress(OSError):
                file.close()

    def _opened(self) -> BinaryIO:
        """The file, which is opened once: a folder is a lot of work for every entry of a log."""
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
