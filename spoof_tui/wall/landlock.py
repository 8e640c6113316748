"""Landlock: which files a process may use, from now on and for good, by the kernel's own word."""

from __future__ import annotations

import contextlib
import os
import stat
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from spoof_tui.wall import kernel

_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
"""The same on all machines."""

_TELL_VERSION: Final = 1
_PATH_BENEATH: Final = 1

_WRITE_FILE: Final = 1 << 1
_READ_FILE: Final = 1 << 2
_READ_DIR: Final = 1 << 3
_REMOVE: Final = 1 << 4 | 1 << 5
_MAKE: Final = 1 << 7 | 1 << 8
"""Of directories and ordinary files: no devices, sockets, pipes and links."""

_OLDEST: Final = (1 << 13) - 1
"""What every version knows."""

_REFER: Final = 1 << 13
_TRUNCATE: Final = 1 << 14
_USE_DEVICE: Final = 1 << 15
_SINCE: Final = {2: _REFER, 3: _TRUNCATE, 5: _USE_DEVICE}
"""What was added by which version."""

_OF_FILES: Final = _WRITE_FILE | _READ_FILE | _TRUNCATE
READ: Final = _READ_FILE | _READ_DIR
WRITE: Final = READ | _WRITE_FILE | _REMOVE | _MAKE | _REFER | _TRUNCATE

_SCOPES: Final = 6, 0b11
"""The version since which sockets with abstract names and signals of others can be put out of
reach, and how that is said."""


def version() -> int:
    """The version that the kernel knows; 0 for none."""
    try:
        return kernel.syscall(_CREATE_RULESET, 0, 0, _TELL_VERSION)
    except OSError:
        return 0


def restrict(readable: Iterable[Path], writable: Iterable[Path]) -> None:
    """Leave this process only what lies at and below these paths; it can execute none of it.

    What is not there is passed over. Raises `OSError` where there is no Landlock.
    """
    known = version()
    handled = _OLDEST | sum(bit for since, bit in _SINCE.items() if known >= since)
    scoped = _SCOPES[1] if known >= _SCOPES[0] else 0
    attributes = struct.pack("=QQQ", handled, 0, scoped)
    ruleset = kernel.syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for paths, rights in ((readable, READ), (writable, WRITE)):
            for path in paths:
                _allow(ruleset, path, rights & handled)
        kernel.syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    with contextlib.suppress(FileNotFoundError, PermissionError, NotADirectoryError):
        file = os.open(path, kernel.OPEN_PATH)
        try:
            if not stat.S_ISDIR(os.fstat(file).st_mode):
                rights &= _OF_FILES
            kernel.syscall(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, file), 0)
        finally:
            os.close(file)
