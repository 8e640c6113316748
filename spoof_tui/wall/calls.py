"""Which calls of the system a process may make, from now on and for good: a filter of Linux.

It closes what Landlock leaves open: other programs and processes, sockets of this machine's own
services, and what is done to a file by its path without opening it.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import struct
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from spoof_tui.wall import kernel

_PR_SET_SECCOMP: Final = 22
_FILTER: Final = 2

_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_OTHER_ABI: Final = 0x40000000
"""From here on, a call's number on x86_64 means another one."""

_LOAD: Final = 0x20
_IF_EQUAL: Final = 0x15
_IF_AT_LEAST: Final = 0x35
_IF_ANY_BIT: Final = 0x45
_RETURN: Final = 0x06

_NUMBER_AT: Final = 0
_ARCHITECTURE_AT: Final = 4
_ARGUMENTS_AT: Final = 16

_ALLOW: Final = 0x7FFF0000
_FAIL: Final = 0x00050000

_THREAD: Final = 0x00010000
"""The flag of a thread, as against a process."""

_FAMILIES: Final = 2, 10, 16
"""Sockets of IPv4, of IPv6, and those that the kernel answers."""

_SIGNALLING: Final = 8, 10, 15
"""F_SETOWN, F_SETSIG, F_SETOWN_EX: who gets a signal when something can be read, and which."""

_TYPING: Final = 0x8901, 0x8902, 0x5412
"""FIOSETOWN and SIOCSPGRP, which do the same; TIOCSTI, which types for others."""

_REFUSED: Final = {
    # name: number on x86_64 and on aarch64, None where there is no such call
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "unshare": (272, 97),
    "setns": (308, 268),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "pidfd_getfd": (438, 438),
    "pidfd_send_signal": (424, 424),
    "tkill": (200, 130),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "setpriority": (141, 140),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122),
    "ioprio_set": (251, 30),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "semop": (65, 193),
    "semtimedop": (220, 192),
    "semctl": (66, 191),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "userfaultfd": (323, 282),
    "io_uring_setup": (425, 425),
    "truncate": (76, 45),
    "chown": (92, None),
    "lchown": (94, None),
    "fchown": (93, 55),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "setxattrat": (463, 463),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "removexattrat": (466, 466),
    "file_setattr": (469, 469),
}
"""What the program of a visitor never does."""

_IDLE: Final = {
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
}
"""What it does to its own files, and Landlock would let it do to all: it is told that it was done.
Its files are private by its umask."""


@dataclass(frozen=True, slots=True)
class _Some:
    """A call that is allowed with some values of an argument, or with all others."""

    numbers: tuple[int, int]
    argument: int
    values: Sequence[int]
    are_allowed: bool = True


def is_known() -> bool:
    """Whether there is a filter for this machine, and its kernel takes one."""
    is_wide = sys.maxsize > 1 << 32
    if platform.system() != "Linux" or not is_wide or platform.machine() not in _ARCHITECTURES:
        return False
    try:
        kernel.prctl(_PR_SET_SECCOMP, _FILTER, 0)
    except OSError as error:
        return error.errno == errno.EFAULT  # it has looked for the filter
    return True


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def restrict() -> None:
    """Leave this process what the program of a visitor does; raises `OSError`.

    It must have given up its privileges.
    """
    steps = b"".join(_steps(platform.machine(), os.getpid()))
    kernel.prctl(_PR_SET_SECCOMP, _FILTER, _Program(len(steps) // 8, steps))


def _steps(machine: str, pid: int) -> Iterator[bytes]:
    """The filter, in the language of the kernel."""
    column = list(_ARCHITECTURES).index(machine)
    yield _step(_LOAD, _ARCHITECTURE_AT)
    yield _step(_IF_EQUAL, _ARCHITECTURES[machine], 1, 0)
    yield _refuse(errno.EPERM)
    yield _step(_LOAD, _NUMBER_AT)
    if machine == "x86_64":
        yield _step(_IF_AT_LEAST, _OTHER_ABI, 0, 1)
        yield _refuse(errno.EPERM)
    for names, number in ((_REFUSED, errno.EPERM), (_IDLE, 0)):
        for each in names.values():
            if (call := each[column]) is not None:
                yield _step(_IF_EQUAL, call, 0, 1)
                yield _refuse(number)
    # The C library then makes its threads by `clone`, whose flags can be seen.
    yield _step(_IF_EQUAL, 435, 0, 1)
    yield _refuse(errno.ENOSYS)
    yield _step(_IF_EQUAL, (56, 220)[column], 0, 4)
    yield _step(_LOAD, _ARGUMENTS_AT)
    yield _step(_IF_ANY_BIT, _THREAD, 0, 1)
    yield _step(_RETURN, _ALLOW)
    yield _refuse(errno.EPERM)
    for some in (
        _Some((41, 198), 0, _FAMILIES),  # socket
        _Some((62, 129), 0, (pid,)),  # kill
        _Some((234, 131), 0, (pid,)),  # tgkill
        _Some((302, 261), 0, (0, pid)),  # prlimit64
        _Some((72, 25), 1, _SIGNALLING, are_allowed=False),  # fcntl
        _Some((16, 29), 1, _TYPING, are_allowed=False),  # ioctl
    ):
        listed, others = _step(_RETURN, _ALLOW), _refuse(errno.EPERM)
        if not some.are_allowed:
            listed, others = others, listed
        yield _step(_IF_EQUAL, some.numbers[column], 0, 2 * len(some.values) + 2)
        yield _step(_LOAD, _ARGUMENTS_AT + 8 * some.argument)
        for value in some.values:
            yield _step(_IF_EQUAL, value, 0, 1)
            yield listed
        yield others
    yield _step(_RETURN, _ALLOW)


def _refuse(number: int) -> bytes:
    return _step(_RETURN, _FAIL | number)


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)
