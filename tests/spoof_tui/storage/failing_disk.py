"""A disk without room, and one that loses what it is given."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from tests.helpers import unix
from tests.helpers.unix import resource


@contextlib.contextmanager
def room_for(size: int) -> Iterator[None]:
    """No file grows beyond this many bytes: a write is cut short there, or refused."""
    unix.need("limits of the size of files")
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextlib.contextmanager
def syncs(fails_at: int | None = None) -> Iterator[list[int]]:
    """The inodes put on the disk; at the sync of this number the disk fails."""
    done: list[int] = []

    def sync(descriptor: int) -> None:
        done.append(os.fstat(descriptor).st_ino)
        if len(done) - 1 == fails_at:
            raise OSError(errno.EIO, "Input/output error")

    with patch.object(os, "fsync", sync):
        yield done


def synced_folder(path: Path) -> list[int]:
    """What `syncs` adds when names in a folder are put on the disk; Windows cannot be told to."""
    return [] if sys.platform == "win32" else [path.stat().st_ino]
