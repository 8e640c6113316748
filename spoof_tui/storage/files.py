"""Private files: written atomically, appended, locked, flushed, and read up to a limit.

Only regular files are read, of a size that this program could have written. Anything may be in its
folder: a pipe that nobody writes to, a link to an endless device, a file of another program.

Everything works on Linux, macOS and Windows; if a system lacks something, the docstring of the
function says so.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

from spoof_tui.text.i18n import _
from spoof_tui.visiting import is_visitor

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

FULL: Final = (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC))
"""Error numbers that a file system reports when there is no room."""

_PRIVATE_FILE: Final = 0o600
_PRIVATE_DIRECTORY: Final = 0o700
_OTHERS: Final = 0o077
_LACKING: Final = (errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP)
"""Error numbers that a file system reports for an operation that it does not know."""

_PAUSES: Final = (0.01, 0.02, 0.05, 0.1, 0.2)
"""Seconds between attempts to replace or delete a file that a virus scanner has open."""

T = TypeVar("T")

_OPEN_FILES: Final = Path("/proc/self/fd")
"""The folder in which Linux, with /proc mounted, has a path for every open file."""


class FileLock:
    """A lock that one process can hold, or several that share it; it ends with the process.

    If the folder does not support locks (NFS without its lock daemon, sshfs), a file of this
    machine is locked instead, so programs on two machines that share such a folder can hold it at
    the same time. If that cannot be done either, as in the program of a visitor, every lock is
    free. On Windows, shared locks are not locked at all.
    """

    def __init__(self, path: Path, *, is_shared: bool = False) -> None:
        self._path, self._is_shared = path, is_shared
        self._file: BinaryIO | None = None

    def acquire(self, *, waits: bool = False) -> bool:
        """Take the lock if it is free, or wait for it with `waits`; returns whether this object
        holds it now. Raises `OSError`."""
        if self._file is None:
            try:
                self._file = self._locked(self._path, waits)
            except OSError as error:
                if error.errno not in (errno.ENOLCK, *_LACKING):
                    raise
                self._file = self._locked_instead(waits)
        return self._file is not None

    def _locked_instead(self, waits: bool) -> BinaryIO | None:
        try:
            return self._locked(_stand_in(self._path), waits)
        except OSError:
            return open_private_append(self._path)

    def _locked(self, path: Path, waits: bool) -> BinaryIO | None:
        file = open_private_append(path)
        try:
            if _lock(file, self._is_shared, waits):
                return file
        except BaseException:
            file.close()
            raise
        file.close()
        return None

    def release(self) -> None:
        """Release the lock if this object holds it. The file stays."""
        if self._file is not None:
            _unlock(self._file)
            self._file.close()
            self._file = None

    def __enter__(self) -> FileLock:
        return self

    def __exit__(self, *_error: object) -> None:
        self.release()


def _stand_in(path: Path) -> Path:
    """A file of this machine and user to lock in place of `path`; raises `OSError`."""
    # Slow to import, and seldom needed.
    from hashlib import sha256

    machine = os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    folder = Path(machine) / f"spoof-{_user()}"
    make_private_directory(folder)
    return folder / sha256(os.fsencode(path.resolve())).hexdigest()[:32]


if sys.platform == "win32":

    def _sync(descriptor: int) -> None:
        os.fsync(descriptor)

    def _user() -> int:
        return 0  # the folder for temporary files is the user's own

    def _lock(file: BinaryIO, is_shared: bool, waits: bool) -> bool:
        if is_shared:
            return True
        file.seek(0)
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_LOCK if waits else msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: BinaryIO) -> None:
        file.seek(0)
        with contextlib.suppress(OSError):
            msvcrt.locking(file.fileno(), msvcrt.LK_UNLCK, 1)

else:
    _user = os.getuid

    def _sync(descriptor: int) -> None:
        # macOS's fsync only hands the data to the disk, which may keep it in its cache.
        whole: int | None = getattr(fcntl, "F_FULLFSYNC", None)
        if whole is not None:
            with contextlib.suppress(OSError):
                fcntl.fcntl(descriptor, whole)
                return
        os.fsync(descriptor)

    def _lock(file: BinaryIO, is_shared: bool, waits: bool) -> bool:
        how = fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX
        try:
            fcntl.flock(file, how if waits else how | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: BinaryIO) -> None:
        with contextlib.suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_UN)


def make_private_directory(path: Path) -> None:
    """Make `path`, and its parents, so that only this user can enter it; raises `OSError`."""
    path.mkdir(mode=_PRIVATE_DIRECTORY, parents=True, exist_ok=True)
    _restrict(path, _PRIVATE_DIRECTORY)


def _restrict(file: int | Path, mode: int) -> None:
    """Let only this user use a file. On FAT and exFAT, which have no modes, it is left as it is."""
    if sys.platform != "win32":
        try:
            os.chmod(file, mode)  # noqa: PTH101
        except OSError as error:
            if error.errno not in (errno.EPERM, *_LACKING):
                raise
            if os.stat(file).st_uid != os.getuid():  # noqa: PTH116
                raise Unfit(errno.EPERM, _("it belongs to another user")) from error


def is_private(folder: Path) -> bool:
    """Whether only this user can read the files in a folder; raises `OSError` if no file can be
    written there. A full disk does not count as that."""
    # Windows does not say who may write in a folder; elsewhere nothing is written just to know.
    if sys.platform == "win32" or not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        try:
            tempfile.TemporaryFile(dir=folder).close()
        except OSError as error:
            if error.errno not in FULL:
                raise
    if sys.platform == "win32":
        # Folders of a user are closed to others there, and all other folders are open.
        is_own = folder.resolve().is_relative_to(Path.home().resolve())
    else:
        is_own = not folder.stat().st_mode & _OTHERS
    return is_own


def write_private(path: Path, data: bytes) -> None:
    """Replace `path` with `data` atomically, flushed to disk, readable by this user only; raises
    `OSError`.

    After a crash the file contains the old bytes or the new ones, never a mixture.
    """
    descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            sync(file)
        patiently(lambda: Path(name).replace(path))
    except BaseException:
        delete(Path(name))
        raise
    sync_directory(path.parent)


def open_private_append(path: Path) -> BinaryIO:
    """Open `path` for appending, unbuffered, readable by this user only.

    If the disk is full, a write may be shorter than asked for: it returns the number of bytes.
    Raises `OSError` for a pipe or a device, which is not touched.
    """
    file = open(path, "ab", buffering=0, opener=_open_private)  # noqa: SIM115
    try:
        check(os.fstat(file.fileno()), sys.maxsize)
        _restrict(file.fileno(), _PRIVATE_FILE)
    except BaseException:
        file.close()
        raise
    return file


def extend(path: Path, offset: int, data: bytes) -> None:
    """Write `data` into `path` from the byte `offset` on, flushed to disk, readable by this user
    only.

    It does no harm if programs write the same bytes to the same place at once. Raises `OSError` as
    `open_private_append` does; then a part of `data` may have been written.
    """
    descriptor = _open_private(str(path), os.O_RDWR | os.O_CREAT | _BINARY)
    with os.fdopen(descriptor, "wb") as file:  # does not truncate it
        check(os.fstat(descriptor), sys.maxsize)
        file.seek(offset)
        file.write(data)
        sync(file)
    sync_directory(path.parent)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags | WITHOUT_WAITING, _PRIVATE_FILE)


@contextlib.contextmanager
def private_file(data: bytes) -> Iterator[Path]:
    """A path at which only this user can read `data`, within this context.

    This is for libraries that take a secret only as a path. On Linux it is never written to disk,
    except behind a door, whose visitors get no memory without a limit.
    """
    if sys.platform == "linux" and _OPEN_FILES.is_dir() and not is_visitor():
        with os.fdopen(os.memfd_create("secret"), "wb") as file:
            os.fchmod(file.fileno(), _PRIVATE_FILE)
            file.write(data)
            file.flush()
            yield _OPEN_FILES / str(file.fileno())
        return
    # Not where this was when the program began to wait for its visitor.
    descriptor, name = tempfile.mkstemp(dir=os.environ.get("TMPDIR"))
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
    """Return what `change` returns, which replaces or deletes a file; raises what it raises.

    On Windows a file that another program has open cannot be replaced or deleted, and virus
    scanners have each new one open for a moment: there `change` is tried again for 0.4 s.
    """
    for pause in _PAUSES if sys.platform == "win32" else ():
        try:
            return change()
        except PermissionError:
            time.sleep(pause)
    return change()


def sync(file: BinaryIO) -> None:
    """Flush `file`, and return once everything written to it is on disk."""
    file.flush()
    _sync(file.fileno())


def sync_directory(path: Path) -> None:
    """Flush the names in the directory `path` to disk; does nothing on Windows."""
    if sys.platform != "win32":
        descriptor = os.open(path, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


MAX_LOG: Final = 1 << 28
"""Maximum bytes of a log that is read: a hundred times the longest evening of nine players."""

MAX_RECORD: Final = 1 << 19
"""Maximum bytes of one game's record that is read: five thousand rounds of nine players."""

MAX_JSON: Final = 1 << 16
"""Maximum bytes of a JSON file that is read: ten times the longest that this program writes."""

WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0)
"""The flag that makes opening a pipe return at once. Windows has neither the flag nor named pipes
in folders."""

_BINARY: Final = getattr(os, "O_BINARY", 0)


class Unfit(OSError):
    """A file is not one that this program wrote; `strerror` says why in words."""


def opened(path: Path, most: int) -> BinaryIO:
    """Open a regular file of at most `most` bytes for reading; raises `OSError`, or its subclass
    `Unfit`.

    The file may grow after that.
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
    """The value in a JSON file; raises `OSError`, and `ValueError` if the JSON is invalid.

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
    """The regular files among these, the most recently changed one first."""
    changed: dict[Path, float] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            status = path.stat()
            check(status, MAX_LOG)
            changed[path] = status.st_mtime
    return sorted(changed, key=changed.__getitem__, reverse=True)
