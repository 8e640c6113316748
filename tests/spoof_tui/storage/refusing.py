"""A file system that lacks something: in this process, or in the programs that it starts."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

from tests.helpers.unix import fcntl


@contextlib.contextmanager
def without_locks(below: Path, error: int = errno.ENOLCK) -> Iterator[None]:
    """No file in this folder can be locked: the system answers with this error."""
    usual = fcntl.flock

    def flock(file: Any, operation: int) -> None:
        descriptor = file if isinstance(file, int) else file.fileno()
        if Path(f"/proc/self/fd/{descriptor}").readlink().is_relative_to(below.resolve()):
            raise OSError(error, os.strerror(error))
        usual(file, operation)

    with patch.object(fcntl, "flock", flock):
        yield


@contextlib.contextmanager
def without_modes(below: Path, mask: int) -> Iterator[None]:
    """Everything in this folder has the modes that the mask of a mount leaves, as on FAT."""
    usual_chmod, usual_stat = os.chmod, os.stat

    def is_there(file: Any) -> bool:
        where = Path(f"/proc/self/fd/{file}").readlink() if isinstance(file, int) else Path(file)
        return where.is_relative_to(below)

    def chmod(file: Any, mode: int, **options: Any) -> None:
        if is_there(file):
            raise PermissionError(errno.EPERM, "Operation not permitted")
        usual_chmod(file, mode, **options)

    def stat(file: Any, **options: Any) -> os.stat_result:
        found = usual_stat(file, **options)
        if not is_there(file):
            return found
        return os.stat_result((found.st_mode & ~0o777 | 0o777 & ~mask, *found[1:]))

    with patch.object(os, "chmod", chmod), patch.object(os, "stat", stat):
        yield
