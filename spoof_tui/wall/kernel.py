"""Calls of Linux that Python has no names for.

Every function raises `OSError`, and raises it on every other system.
"""

from __future__ import annotations

import ctypes
import errno
import functools
import os
import platform
import sys
from typing import Final

OPEN_PATH: Final = 0o10000000
"""The flag of a file that is opened for its place alone."""

_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_CAPBSET_DROP: Final = 24
_CAPABILITIES: Final = 64
"""More than there are."""

_CAPSET: Final = {"x86_64": 126, "aarch64": 91}
_CAPABILITY_VERSION: Final = 0x20080522


@functools.cache
def _library() -> ctypes.CDLL:
    if platform.system() != "Linux":
        raise OSError(errno.ENOSYS, os.strerror(errno.ENOSYS))
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result


def syscall(number: int, *arguments: int | bytes | None) -> int:
    """The system call of this number; bytes are passed by their address."""
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return _checked(_library().syscall(ctypes.c_long(number), *given))


def prctl(option: int, *arguments: int | bytes | ctypes.Structure) -> int:
    """What a process may say of itself; a structure is passed by its address."""
    given = [
        ctypes.byref(each)
        if isinstance(each, ctypes.Structure)
        else ctypes.c_ulong(each)
        if isinstance(each, int)
        else each
        for each in arguments
    ]
    nothing = [ctypes.c_ulong(0)] * (4 - len(given))
    return _checked(_library().prctl(ctypes.c_int(option), *given, *nothing))


def mount(source: str, target: str, kind: str, flags: int, options: str = "") -> None:
    """Put something at a place of the tree of files."""
    words = (source.encode(), target.encode(), kind.encode())
    _checked(_library().mount(*words, ctypes.c_ulong(flags), options.encode()))


def unshare(flags: int) -> None:
    """Have something for this process alone that it has shared until now."""
    _checked(_library().unshare(ctypes.c_int(flags)))


def give_up_privileges() -> None:
    """Have no capabilities, and get none by running another program."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    for number in range(_CAPABILITIES):
        try:
            prctl(_PR_CAPBSET_DROP, number)
        except OSError:
            break  # there are no more, or this process may not drop them, having none
    machine = os.uname().machine
    if machine in _CAPSET:
        header = _CAPABILITY_VERSION.to_bytes(4, sys.byteorder) + bytes(4)
        syscall(_CAPSET[machine], header, bytes(24))
