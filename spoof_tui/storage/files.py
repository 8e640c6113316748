"""Private files: written atomically, appended, locked, flushed, and read within bounds.

Only regular files are read, of a size that this program could have written: anything may be in its
folder, a pipe that nobody writes to, a link to an endless device, a file from another program.
Everything works on Linux, macOS and Windows; if a system lacks something, the docstring of the
function says so.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

from spoof_tui.text.i18n import _

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

_PRIVATE_FILE: Final = 0o600
_PRIVATE_DIRECTORY: Final = 0o700
_PAUSES: Final = (0.01, 0.02, 0.05, 0.1, 0.2)
"""Seconds between attempts to replace or delete a file that a virus scanner has open."""

T = TypeVar("T")

_OPEN_FILES: Final = Path("/proc/self/fd")
"""Where Linux, with /proc mounted, has a path for every open file."""


class FileLock:
    """An exclusive lock that one process can hold; it ends with the process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def acquire(self) -> bool:
        """Take the lock if it is free, without waiting; return whether this object holds it now."""
        if self._file is None:
            file = open_private_append(self._path)
            if _lock(file):
                self._file = file
            else:
                file.close()
        return self._file is not None

    def release(self) -> None:
        """Release the lock, if this object holds it. The file stays."""
        if self._file is not None:
            _unlock(self._file)
            self._file.close()
            self._file = None


if sys.platform == "win32":
    _sync = os.fsync

    def _lock(file: BinaryIO) -> bool:
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: BinaryIO) -> None:
        file.seek(0)
        msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:

    def _sync(descriptor: int) -> None:
        # macOS's fsync only hands the data to the disk, which may keep it in its cache.
        whole: int | None = getattr(fcntl, "F_FULLFSYNC", None)
        if whole is not None:
            with contextlib.suppress(OSError):
                fcntl.fcntl(descriptor, whole)
                return
        os.fsync(descriptor)

    def _lock(file: BinaryIO) -> bool:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: BinaryIO) -> None:
        fcntl.flock(file, fcntl.LOCK_UN)


def make_private_directory(path: Path) -> None:
    """Make `path`, and its parents, so that only this user can enter it."""
    path.mkdir(mode=_PRIVATE_DIRECTORY, parents=True, exist_ok=True)
    if sys.platform != "win32":
        path.chmod(_PRIVATE_DIRECTORY)


def write_private(path: Path, data: bytes, behind: Path | None = None) -> None:
    """Replace `path` with `data` atomically, flushed to the disk, readable by this user only.

    With `behind` the bytes of that file come first. After a crash the file holds the old bytes or
    the new ones, never a mixture.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            if behind:
                shutil.copyfile(behind, name)
                file.seek(0, os.SEEK_END)
            file.write(data)
            sync(file)
        patiently(lambda: Path(name).replace(path))
    except BaseException:
        delete(Path(name))
        raise
    sync_directory(path.parent)


def open_private_append(path: Path) -> BinaryIO:
    """Open `path` for appending, unbuffered, readable by this user only.

    If the disk is full, a write may be shorter than asked for: it returns the length. Raises
    `OSError` for a pipe or a device, and leaves it alone.
    """
    file = open(path, "ab", buffering=0, opener=_open_private)  # noqa: SIM115
    try:
        check(os.fstat(file.fileno()), sys.maxsize)
        if sys.platform != "win32":
            os.fchmod(file.fileno(), _PRIVATE_FILE)
    except BaseException:
        file.close()
        raise
    return file


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags | WITHOUT_WAITING, _PRIVATE_FILE)


@contextlib.contextmanager
def private_file(data: bytes) -> Iterator[Path]:
    """A path where `data` can be read while the block lasts, by this user only.

    For libraries that take a secret only as a path. On Linux it never touches a disk.
    """
    if sys.platform == "linux" and _OPEN_FILES.is_dir():
        with os.fdopen(os.memfd_create("secret"), "wb") as file:
            os.fchmod(file.fileno(), _PRIVATE_FILE)
            file.write(data)
            file.flush()
            yield _OPEN_FILES / str(file.fileno())
        return
    descriptor, name = tempfile.mkstemp()
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        yield Path(name)
    finally:
        delete(Path(name))


def delete(path: Path) -> None:
    """Delete a file, if it exists."""
    patiently(lambda: path.unlink(missing_ok=True))


def patiently(change: Callable[[], T]) -> T:
    """Change something about a file; return what `change` returns.

    On Windows a file that somebody else has open cannot be replaced or deleted, and virus scanners
    have each new one open for a moment: there it is tried for 0.4 s. Raises what `change` raises.
    """
    for pause in _PAUSES if sys.platform == "win32" else ():
        try:
            return change()
        except PermissionError:
            time.sleep(pause)
    return change()


def sync(file: BinaryIO) -> None:
    """Return once everything written to `file` is on the disk."""
    file.flush()
    _sync(file.fileno())


def sync_directory(path: Path) -> None:
    """Flush the names in the directory `path` to the disk, if the system can."""
    if sys.platform != "win32":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


MAX_LOG: Final = 1 << 28
"""Bytes of a log that are read: a hundred times the longest evening of nine players."""

MAX_RECORD: Final = 1 << 19
"""Bytes of one game's record that are read: five thousand rounds of nine players."""

MAX_JSON: Final = 1 << 16
"""Bytes of a JSON file that are read: ten times the longest that this program writes."""

WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0)
"""Makes opening a pipe return at once. Windows has neither the flag nor named pipes in folders."""

_BINARY: Final = getattr(os, "O_BINARY", 0)


class Unfit(OSError):
    """What is there is not a file that this program wrote; `strerror` says why in words."""


def opened(path: Path, most: int) -> BinaryIO:
    """Open a regular file of at most `most` bytes for reading; raises `OSError`, such as `Unfit`.

    It may grow afterwards.
    """
    # Opening some devices has side effects.
    check(path.stat(), most)
    file = os.fdopen(os.open(path, os.O_RDONLY | WITHOUT_WAITING | _BINARY), "rb")
    try:
        check(os.fstat(file.fileno()), most)
    except BaseException:
        file.close()
        raise
    return file


def read(path: Path, most: int) -> bytes:
    """The contents of a regular file of at most `most` bytes; raises as `opened` does."""
    with opened(path, most) as file:
        return file.read(most)


def read_json(path: Path) -> Any:
    """Parse a JSON file; raises `OSError`, and `ValueError` if it is invalid.

    Text that cannot be written again, such as half of a surrogate pair, is invalid, too.
    """
    import json

    try:
        raw = json.loads(read(path, MAX_JSON))
        json.dumps(raw, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError(path.name) from error
    return raw


def check(status: os.stat_result, most: int) -> None:
    """Raise `Unfit` unless this is a regular file of at most `most` bytes."""
    if not stat.S_ISREG(status.st_mode):
        raise Unfit(errno.EINVAL, _("it is a folder, a pipe or a device"))
    if status.st_size > most:
        raise Unfit(errno.EFBIG, _("it is larger than {most} kB").format(most=most // 1024))


def newest_first(paths: Iterable[Path]) -> list[Path]:
    """The regular files among these, the one changed last first."""
    changed: dict[Path, float] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            status = path.stat()
            check(status, MAX_LOG)
            changed[path] = status.st_mtime
    return sorted(changed, key=changed.__getitem__, reverse=True)
