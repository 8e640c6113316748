"""What a visitor's program may take of the machine. It says so itself, before anything else.

On systems that lack one of these limits the others hold.
"""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Final

if sys.platform != "win32":
    import fcntl
    import resource
    import termios

MEMORY: Final = 1 << 30
"""Bytes that it may map: ten times what it needs."""

FILE_BYTES: Final = 64 << 20
"""Bytes of a file that it writes, at most."""

OPEN_FILES: Final = 128
"""Files and connections that it has open at once."""

TASKS: Final = 4096
"""Processes and threads of this user, all together, beyond which it gets no more."""

SECONDS: Final = 3600
"""Seconds of processor time in all: an evening takes a few minutes."""

NICENESS: Final = 5
"""By how much it steps back behind the program of the table."""

_CANNOT = (OSError, ValueError)


def confine() -> None:
    """Limit this process, for good, and take the terminal on its stdin as its own.

    It must lead a session. Nothing it leaves behind when it fails holds its memory.
    """
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.umask(0o077)
    with contextlib.suppress(OSError):
        os.nice(NICENESS)
    for name, most in _LIMITS:
        _limit(getattr(resource, name, None), most)


_LIMITS: Final = (
    ("RLIMIT_CORE", 0),
    ("RLIMIT_AS", MEMORY),
    ("RLIMIT_FSIZE", FILE_BYTES),
    ("RLIMIT_NOFILE", OPEN_FILES),
    ("RLIMIT_NPROC", TASKS),
    ("RLIMIT_CPU", SECONDS),
)


def _limit(kind: int | None, most: int) -> None:
    """Set a limit, where there is such a one; never above one that holds already."""
    if kind is None or sys.platform == "win32":
        return
    hard = resource.getrlimit(kind)[1]
    allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
    with contextlib.suppress(*_CANNOT):
        resource.setrlimit(kind, (allowed, allowed))
