"""The only access of the tests to what Windows lacks.

A test that needs Linux or macOS has the mark `unix`, with what it needs there; a helper of many
tests calls `need`. A test that needs Windows itself, and not Wine, has the mark `beyond_wine`. What
differs in one value has a name here for all systems.
"""

import ctypes
import os
import signal
import stat
import sys
from pathlib import Path
from typing import Final

import pytest

if sys.platform == "win32":
    fcntl = resource = termios = None
    HANGUP: Final = signal.SIGBREAK
    IS_ROOT: Final = False
else:
    import fcntl
    import resource
    import termios

    HANGUP: Final = signal.SIGHUP
    """Tells a program that its terminal is gone."""

    IS_ROOT: Final = os.geteuid() == 0

__all__ = [
    "HANGUP",
    "IS_ROOT",
    "fcntl",
    "is_private",
    "need",
    "need_more_than_wine",
    "resource",
    "termios",
]


def need(what: str) -> None:
    """Skip the test that is running if this is Windows."""
    if sys.platform == "win32":
        pytest.skip(f"needs Linux or macOS: {what}")


def need_more_than_wine(what: str) -> None:
    """Skip the test that is running if this is Wine."""
    if sys.platform == "win32" and hasattr(ctypes.windll.ntdll, "wine_get_version"):
        pytest.skip(f"Wine lacks: {what}")


def is_private(path: Path) -> bool:
    """Whether only this user can use a file or a folder. On Windows the folder around it decides
    that, and not this program."""
    mode = stat.S_IMODE(path.stat().st_mode)
    return sys.platform == "win32" or mode == (0o700 if path.is_dir() else 0o600)
