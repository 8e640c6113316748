"""A file system that lacks something: in this process, or in the programs that it starts."""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

if sys.platform != "win32":
    import fcntl


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
