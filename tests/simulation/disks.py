"""A disk that forgets what was not synced, below the files of `spoof_tui.storage`."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import io
import os
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from stat import S_IFREG
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from tests.simulation.world import Machine

MAX_STEPS_TO_CUT: Final = 12
"""Steps of writing, at most, from the trapped one to the power cut."""


WORK: Final = (0.0001, 0.003)
"""Least and most seconds that a job takes while the disk is not slow."""

T = TypeVar("T")


class PowerCut(BaseException):
    """The machine lost its power in the middle of writing."""


@dataclass(slots=True)
class _File:
    data: bytearray = field(default_factory=bytearray)
    synced: int = 0
    """Bytes that are sure to survive."""
    is_named: bool = False
    """Whether its name is sure to survive, too."""
    time: int = 0
    """When it was written last, counted in writings."""


class Disk:
    """The files of one machine, by their path; `root` is where a program finds them."""

    def __init__(self, machine: Machine, dice: random.Random) -> None:
        self._machine = machine
        self._random = dice
        self._files: dict[str, _File] = {}
        self._folders: set[str] = set()
        self._writings = 0
        self.on_durable: Callable[[str, bytes, bool], None] = lambda path, data, is_whole: None
        """Called with what has become sure to survive: the bytes added to a file, or all of it."""
        self.cut_in: int | None = None
        """Steps of writing until the power fails; None for never."""
        self.trap: bytes | None = None
        """If these bytes are written next, the power fails meanwhile."""
        self.is_cut = False
        """Whether the power has failed, unnoticed by the program."""
        self.usual_sync_time = 0.0
        self.sync_time = 0.0
        """Seconds that it takes until something is on the disk."""
        self._free = 0.0
        """When all jobs given to it are done, by the clock of the machine."""
        self._is_at_work = False
        """Whether such a job is done now."""
        self.refuses: int | None = None
        """Number of the error with which writing fails; None while it does not."""

    @property
    def root(self) -> DiskPath:
        """The state directory of the programs of this machine."""
        return DiskPath(self, "")

    def durable(self, pattern: str) -> list[tuple[str, bytes]]:
        """What is sure to survive of the files at such a path."""
        return [
            (path, bytes(file.data[: file.synced]))
            for path, file in sorted(self._files.items())
            if fnmatchcase(path, pattern)
        ]

    def mend(self) -> None:
        """Stop everything that goes wrong."""
        self.cut_in, self.trap, self.refuses = None, None, None
        self.sync_time = self.usual_sync_time

    def crash(self) -> None:
        """Keep what was synced, and of the rest a part from its beginning, or nothing."""
        self.cut_in, self.trap, self.is_cut, self._is_at_work = None, None, False, False
        for path in sorted(self._files):
            file = self._files[path]
            lost = len(file.data) - file.synced
            if not file.is_named and self._random.random() < 0.5:
                del self._files[path]
                self._note(f"loses {_name(path)}")
                continue
            if lost:
                kept = self._random.randint(0, lost)
                self._note(f"loses {lost - kept} bytes of {_name(path)}")
                del file.data[file.synced + kept :]
            if lost or not file.is_named:
                file.synced, file.is_named = len(file.data), True
                self.on_durable(path, bytes(file.data), True)

    def close(self) -> None:
        """The program is gone. The next one reads all that it has written, and the power may still
        fail before that is on the disk."""
        self.cut_in, self.trap, self.is_cut, self._is_at_work = None, None, False, False

    # What a program does with its files

    def file(self, path: str) -> _File | None:
        """The file at a path."""
        return self._files.get(path)

    def paths(self) -> list[str]:
        """All files."""
        return sorted(self._files)

    def make_folder(self, path: str) -> None:
        """Make a folder."""
        self._folders.add(path)

    def has_folder(self, path: str) -> bool:
        """Whether there is such a folder."""
        return path in self._folders

    def write(self, path: str, data: bytes) -> int:
        """Add bytes to the end of a file; returns how many there was room for."""
        if self.trap is not None and self.trap in data:
            self.trap, self.cut_in = None, self._random.randrange(MAX_STEPS_TO_CUT)
        self._step()
        if self.refuses == errno.EROFS:
            raise self._refusal()
        file = self._files.setdefault(path, _File())
        if self.refuses and self._random.random() < 0.7:
            data = data[: self._random.randrange(len(data))] if data else b""
        file.data += data
        self._writings += 1
        file.time = self._writings
        self._step()
        return len(data)

    def truncate(self, path: str, length: int) -> None:
        """Shorten a file."""
        self._step()
        if self.refuses == errno.EROFS or (self.refuses and self._random.random() < 0.3):
            # On some disks it takes room, too, to write down that a file is shorter.
            raise self._refusal()
        file = self._files[path]
        del file.data[length:]
        if file.synced > length:
            file.synced = length
            self.on_durable(path, bytes(file.data), True)

    def sync(self, path: str) -> None:
        """Wait until the file is on the disk."""
        self._step()
        self._wait()
        if self.refuses:
            # Some look for room only now.
            raise self._refusal()
        file = self._files[path]
        before, file.synced = file.synced, len(file.data)
        if file.is_named and file.synced > before:
            self.on_durable(path, bytes(file.data[before:]), False)
        self._step()

    def sync_folder(self, folder: str) -> None:
        """Make sure that the names in a folder are on the disk."""
        self._step()
        for path, file in self._files.items():
            if not file.is_named and path.rpartition("/")[0] == folder:
                file.is_named = True
                self.on_durable(path, bytes(file.data[: file.synced]), True)

    def replace(self, path: str, data: bytes) -> None:
        """Write a new file beside the old one, and let it take its place: all or nothing."""
        self._step()
        if self.refuses:
            raise self._refusal()
        self._wait()
        self._writings += 1
        self._files[path] = _File(bytearray(data), len(data), True, self._writings)
        self.on_durable(path, data, True)
        self._step()

    # Jobs that are given to it, as `spoof_tui.storage.disk` does

    def run(self, job: Callable[[], T]) -> asyncio.Future[T]:
        """Do a job after all jobs before it; a crash comes before all of it or after it."""
        loop = self._machine.loop
        done: asyncio.Future[T] = loop.create_future()

        def act() -> None:
            self._is_at_work = True
            try:
                result = job()
            except Exception as error:
                if not done.done():
                    done.set_exception(error)
            else:
                if not done.done():
                    done.set_result(result)
            finally:
                self._is_at_work = False

        self._free = max(self._free, loop.time()) + self._random.uniform(*WORK) + self._delay()
        loop.call_at(self._free, act)
        return done

    def _delay(self) -> float:
        return self._random.uniform(0.0, self.sync_time) if self.sync_time else 0.0

    def _wait(self) -> None:
        """Keep the whole program waiting, unless it has handed the waiting over."""
        if self.sync_time and not self._is_at_work:
            self._machine.work(self._delay())

    def _refusal(self) -> OSError:
        assert self.refuses
        return OSError(self.refuses, os.strerror(self.refuses))

    def _step(self) -> None:
        if self.is_cut or not self._machine.is_up:
            raise PowerCut
        if self.cut_in is None:
            return
        self.cut_in -= 1
        if self.cut_in < 0:
            self.is_cut = True
            raise PowerCut

    def _note(self, what: str) -> None:
        self._machine.world.note(self._machine.name, what)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


class DiskPath:
    """A path on such a disk: as much of `pathlib.Path` as the stores need."""

    def __init__(self, disk: Disk, path: str) -> None:
        self.disk: Final = disk
        self.path: Final = path

    def __truediv__(self, name: str) -> DiskPath:
        return DiskPath(self.disk, f"{self.path}/{name}" if self.path else name)

    def __str__(self) -> str:
        return self.path

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def stem(self) -> str:
        return self.name.rpartition(".")[0] or self.name

    @property
    def parent(self) -> DiskPath:
        return DiskPath(self.disk, self.path.rpartition("/")[0])

    def with_suffix(self, suffix: str) -> DiskPath:
        return self.parent / f"{self.stem}{suffix}"

    def exists(self) -> bool:
        return self.disk.file(self.path) is not None

    def is_dir(self) -> bool:
        return self.disk.has_folder(self.path)

    def stat(self) -> SimpleNamespace:
        file = self._file()
        return SimpleNamespace(st_mode=S_IFREG, st_size=len(file.data), st_mtime=file.time)

    def glob(self, pattern: str) -> list[DiskPath]:
        wanted = f"{self.path}/{pattern}".split("/")
        return [
            DiskPath(self.disk, path)
            for path in self.disk.paths()
            if len(parts := path.split("/")) == len(wanted) and all(map(fnmatchcase, parts, wanted))
        ]

    @property
    def contents(self) -> bytearray:
        """What is in it; raises `OSError`."""
        return self._file().data

    @contextlib.contextmanager
    def open(self, mode: str) -> Iterator[io.BytesIO | DiskFile]:
        file = self._file()
        yield io.BytesIO(bytes(file.data)) if mode == "rb" else DiskFile(self)

    def _file(self) -> _File:
        file = self.disk.file(self.path)
        if file is None:
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), self.path)
        return file


class DiskFile:
    """A file that is open for writing at its end."""

    def __init__(self, path: DiskPath) -> None:
        self.path: Final = path

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        file = self.path.disk.file(self.path.path)
        return len(file.data) if file else 0

    def write(self, data: bytes) -> int:
        return self.path.disk.write(self.path.path, data)

    def truncate(self, length: int) -> int:
        self.path.disk.truncate(self.path.path, length)
        return length

    def flush(self) -> None:
        pass

    def close(self) -> None:
        pass


# In place of the functions of `spoof_tui.storage.files`


def make_private_directory(path: DiskPath) -> None:
    """Make a folder and those above it."""
    while path.path and not path.disk.has_folder(path.path):
        path.disk.make_folder(path.path)
        path = path.parent


def write_private(path: DiskPath, data: bytes) -> None:
    """Put a file in place of another one, in one step."""
    path.disk.replace(path.path, data)


def extend(path: DiskPath, offset: int, data: bytes) -> None:
    """Write from here on in a file, flushed to the disk."""
    open_private_append(path)
    path.disk.truncate(path.path, offset)
    if path.disk.write(path.path, data) != len(data):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), path.path)
    path.disk.sync(path.path)
    path.disk.sync_folder(path.parent.path)


def open_private_append(path: DiskPath) -> DiskFile:
    """Open a file for writing at its end, and make it if it is not there."""
    if path.disk.file(path.path) is None:
        path.disk.write(path.path, b"")
    return DiskFile(path)


def opened(path: DiskPath, most: int) -> io.BytesIO:
    """Open a file for reading, in place of the function in `spoof_tui.storage.files`."""
    return io.BytesIO(bytes(path.contents))


def sync(file: DiskFile) -> None:
    """Return once everything written is on the disk."""
    file.path.disk.sync(file.path.path)


def sync_directory(path: DiskPath) -> None:
    """Make sure that the names in a folder are on the disk."""
    path.disk.sync_folder(path.path)
