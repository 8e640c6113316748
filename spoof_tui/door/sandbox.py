"""What Linux can keep a process from: files (Landlock), system calls (seccomp), and being root.

A root process becomes another user, who sees nothing that is closed to all others: in a mount
namespace of its own, every directory that is closed to others is replaced by an empty one with only
those things in it that the process was given.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import functools
import itertools
import os
import platform
import stat
import struct
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

OPEN_PATH: Final = 0o10000000
"""The flag O_PATH, which opens a file only as a location."""

_PR_SET_NO_NEW_PRIVS: Final = 38
_PR_CAPBSET_DROP: Final = 24
_CAPABILITIES: Final = 64
"""An upper bound for the number of capabilities."""

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
    """Make the system call with this number; bytes are passed by address. Returns its result, and
    raises `OSError`."""
    given = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return _checked(_library().syscall(ctypes.c_long(number), *given))


def prctl(option: int, *arguments: int | bytes | ctypes.Structure) -> int:
    """Call prctl; a structure is passed by address. Returns its result, and raises `OSError`."""
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
    """Call mount; raises `OSError`."""
    words = (source.encode(), target.encode(), kind.encode())
    _checked(_library().mount(*words, ctypes.c_ulong(flags), options.encode()))


def unshare(flags: int) -> None:
    """Call unshare, which stops sharing something with other processes; raises `OSError`."""
    _checked(_library().unshare(ctypes.c_int(flags)))


def give_up_privileges() -> None:
    """Drop all capabilities, so that running another program gives none back; raises `OSError`."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1)
    for number in range(_CAPABILITIES):
        try:
            prctl(_PR_CAPBSET_DROP, number)
        except OSError:
            break  # there are no more, or this process has none and may not drop them
    machine = os.uname().machine
    if machine in _CAPSET:
        header = _CAPABILITY_VERSION.to_bytes(4, sys.byteorder) + bytes(4)
        syscall(_CAPSET[machine], header, bytes(24))


_CREATE_RULESET: Final = 444
_ADD_RULE: Final = 445
_RESTRICT_SELF: Final = 446
"""Number of a system call, like the two above; they are the same on all machines."""

_TELL_VERSION: Final = 1
_PATH_BENEATH: Final = 1
_NET_PORT: Final = 2

_WRITE_FILE: Final = 1 << 1
_READ_FILE: Final = 1 << 2
_READ_DIR: Final = 1 << 3
_REMOVE: Final = 1 << 4 | 1 << 5
_MAKE: Final = 1 << 7 | 1 << 8
"""Rights to make directories and ordinary files, but no devices, sockets, pipes or links."""

_OLDEST: Final = (1 << 13) - 1
"""Rights that every Landlock version supports."""

_REFER: Final = 1 << 13
_TRUNCATE: Final = 1 << 14
_USE_DEVICE: Final = 1 << 15
_SINCE: Final = {2: _REFER, 3: _TRUNCATE, 5: _USE_DEVICE}
"""Rights that were added, by the version."""

_OF_FILES: Final = _WRITE_FILE | _READ_FILE | _TRUNCATE
READ: Final = _READ_FILE | _READ_DIR
WRITE: Final = READ | _WRITE_FILE | _REMOVE | _MAKE | _REFER | _TRUNCATE

_CONNECT_TCP: Final = 1 << 1
_NETWORK_SINCE: Final = 4
"""The Landlock version since which connections to ports can be denied."""

_SCOPES: Final = 6, 0b11
"""The Landlock version since which abstract sockets and signals to other processes can be denied,
and the flags for that."""


def version() -> int:
    """The Landlock version of the kernel; 0 if it has none."""
    try:
        return syscall(_CREATE_RULESET, 0, 0, _TELL_VERSION)
    except OSError:
        return 0


def restrict_access(
    readable: Iterable[Path], writable: Iterable[Path], ports: Iterable[int] = ()
) -> None:
    """Leave this process only the files at and below these paths, none of which it can execute.

    By TCP it can then connect only to these `ports`, on any machine. Missing paths are skipped.
    Raises `OSError` if the kernel has no Landlock.
    """
    known = version()
    handled = _OLDEST | sum(bit for since, bit in _SINCE.items() if known >= since)
    scoped = _SCOPES[1] if known >= _SCOPES[0] else 0
    connects = _CONNECT_TCP if known >= _NETWORK_SINCE else 0
    attributes = struct.pack("=QQQ", handled, connects, scoped)
    ruleset = syscall(_CREATE_RULESET, attributes, len(attributes), 0)
    try:
        for paths, rights in ((readable, READ), (writable, WRITE)):
            for path in paths:
                _allow(ruleset, path, rights & handled)
        for port in ports if connects else ():
            syscall(_ADD_RULE, ruleset, _NET_PORT, struct.pack("=QQ", connects, port), 0)
        syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _allow(ruleset: int, path: Path, rights: int) -> None:
    with contextlib.suppress(FileNotFoundError, PermissionError, NotADirectoryError):
        file = os.open(path, OPEN_PATH)
        try:
            if not stat.S_ISDIR(os.fstat(file).st_mode):
                rights &= _OF_FILES
            syscall(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, file), 0)
        finally:
            os.close(file)


_PR_SET_SECCOMP: Final = 22
_FILTER: Final = 2

_ARCHITECTURES: Final = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_OTHER_ABI: Final = 0x40000000
"""Numbers of system calls on x86_64 from this one on belong to another ABI."""

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
"""The flag of clone that makes a thread rather than a process."""

_FAMILIES: Final = 2, 10, 16
"""Allowed socket families: IPv4, IPv6 and netlink."""

_PROTOCOLS: Final = 0, 6, 17
"""Allowed socket protocols: the usual one of a family (for netlink, that for routes), TCP and
UDP."""

_STREAMS: Final = 0x1, 0x801, 0x80001, 0x80801
"""Allowed types of socket pairs: SOCK_STREAM, with or without SOCK_NONBLOCK and SOCK_CLOEXEC. Such
a pair sends nowhere else."""

_SIGNALLING: Final = 8, 10, 15
"""Forbidden commands of fcntl: F_SETOWN, F_SETSIG, F_SETOWN_EX, which have a process sent a signal
when there is input."""

_TYPING: Final = 0x8901, 0x8902, 0x5412
"""Forbidden commands of ioctl: FIOSETOWN and SIOCSPGRP, which do the same, and TIOCSTI, which fakes
typed input."""

_REFUSED: Final = {
    # name: number on x86_64 and on aarch64, None if there is no such call
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
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    "fanotify_init": (300, 262),
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
"""System calls that are refused, because a visitor's program never needs them."""

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
"""System calls that do nothing and report success. A visitor's program makes them on its own files,
but Landlock would allow them on any file. Its files are private by its umask."""


@dataclass(frozen=True, slots=True)
class _Some:
    """A system call that is allowed only with certain values of its arguments."""

    numbers: tuple[int, int]
    arguments: Mapping[int, Sequence[int]]
    """For each checked argument, by index, the values that it may have."""

    def steps(self, column: int) -> Iterator[bytes]:
        """The instructions of the filter for this call; `column` is the machine's index."""
        checks = list(map(_one_of, self.arguments, self.arguments.values()))
        yield _step(_IF_EQUAL, self.numbers[column], 0, sum(map(len, checks)) + 1)
        yield from itertools.chain.from_iterable(checks)
        yield _step(_RETURN, _ALLOW)


@dataclass(frozen=True, slots=True)
class _Others:
    """A system call that is allowed except with certain values of one argument."""

    numbers: tuple[int, int]
    argument: int
    values: Sequence[int]

    def steps(self, column: int) -> Iterator[bytes]:
        """The instructions of the filter for this call; `column` is the machine's index."""
        yield _step(_IF_EQUAL, self.numbers[column], 0, 2 * len(self.values) + 2)
        yield _step(_LOAD, _ARGUMENTS_AT + 8 * self.argument)
        for value in self.values:
            yield _step(_IF_EQUAL, value, 0, 1)
            yield _refuse(errno.EPERM)
        yield _step(_RETURN, _ALLOW)


def _one_of(argument: int, values: Sequence[int]) -> list[bytes]:
    """The instructions that refuse a call unless an argument has one of these values."""
    load = _step(_LOAD, _ARGUMENTS_AT + 8 * argument)
    left = range(len(values), 0, -1)
    checks = [_step(_IF_EQUAL, each, most, 0) for each, most in zip(values, left, strict=True)]
    return [load, *checks, _refuse(errno.EPERM)]


def is_known() -> bool:
    """Whether there is a filter of system calls for this processor, and the kernel accepts
    filters."""
    is_wide = sys.maxsize > 1 << 32
    if platform.system() != "Linux" or not is_wide or platform.machine() not in _ARCHITECTURES:
        return False
    try:
        prctl(_PR_SET_SECCOMP, _FILTER, 0)
    except OSError as error:
        return error.errno == errno.EFAULT  # it has tried to read the filter
    return True


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def restrict_calls() -> None:
    """Allow this process only the system calls that a visitor's program needs; raises `OSError`.

    It must have given up its privileges before.
    """
    steps = b"".join(_steps(platform.machine(), os.getpid()))
    prctl(_PR_SET_SECCOMP, _FILTER, _Program(len(steps) // 8, steps))


def _steps(machine: str, pid: int) -> Iterator[bytes]:
    """The filter for this machine, as encoded BPF instructions."""
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
    # The C library then creates its threads with `clone`, whose flags can be checked.
    yield _step(_IF_EQUAL, 435, 0, 1)
    yield _refuse(errno.ENOSYS)
    yield _step(_IF_EQUAL, (56, 220)[column], 0, 4)
    yield _step(_LOAD, _ARGUMENTS_AT)
    yield _step(_IF_ANY_BIT, _THREAD, 0, 1)
    yield _step(_RETURN, _ALLOW)
    yield _refuse(errno.EPERM)
    for some in (
        _Some((41, 198), {0: _FAMILIES, 2: _PROTOCOLS}),  # socket
        _Some((53, 199), {1: _STREAMS}),  # socketpair
        _Some((62, 129), {0: (pid,)}),  # kill
        _Some((234, 131), {0: (pid,)}),  # tgkill
        _Some((302, 261), {0: (0, pid)}),  # prlimit64
        _Others((72, 25), 1, _SIGNALLING),  # fcntl
        _Others((16, 29), 1, _TYPING),  # ioctl
    ):
        yield from some.steps(column)
    yield _step(_RETURN, _ALLOW)


def _refuse(number: int) -> bytes:
    return _step(_RETURN, _FAIL | number)


def _step(code: int, value: int, if_so: int = 0, if_not: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_so, if_not, value)


_FIRST: Final = 0x70000000
_COUNT: Final = 0x0FFFFFFF
"""How many user ids there are from `_FIRST` on that no system assigns."""

_NEW_TREE: Final = 0x00020000
_BIND: Final = 4096 | 16384
_PRIVATE: Final = 1 << 18 | 16384
_EMPTY: Final = "mode=755,size=64k"


def become_another(folder: Path, readable: Sequence[Path]) -> bool:
    """Turn this root process into a user of its own, who then owns `folder`; returns whether that
    succeeded.

    It can still read `readable`, wherever that is. False if others may not read all of it, or if
    the system does not allow this even to root: then the process is still root, and root owns
    `folder`. After a success, new files are readable for others until a umask is set again.
    """
    user = _FIRST + folder.stat().st_ino % _COUNT
    try:
        if not all(map(_is_readable, readable)):
            raise PermissionError
        unshare(_NEW_TREE)
        mount("", "/", "", _PRIVATE)
        _own(folder, user)
        _shut([*readable, folder])
        os.chdir(folder)
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    except OSError:
        if os.geteuid() == 0:
            _own(folder, 0)
        return False
    return True


def _own(folder: Path, user: int) -> None:
    """Make `user` the owner of a folder and everything in it."""
    if folder.stat().st_uid == user:
        return
    os.chown(folder, user, user)
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(Path(place, name), user, user, follow_symlinks=False)


def _shut(needed: Iterable[Path]) -> None:
    """Replace the directories that are closed to others by empty ones, with only those things in
    them that are needed."""
    places = dict.fromkeys(path for path in _places(needed) if path.is_dir())
    opened = {path: os.open(path, OPEN_PATH) for path in places}
    try:
        for place in {shut for path in opened if (shut := _obstacle(path))}:
            mount("tmpfs", str(place), "tmpfs", 0, _EMPTY)
        os.umask(0o022)
        # Whatever lies inside another comes with it.
        for path, file in sorted(opened.items(), key=lambda each: len(each[0].parts)):
            if not path.is_dir():
                path.mkdir(mode=0o755, parents=True)
                mount(f"/proc/self/fd/{file}", str(path), "", _BIND)
    finally:
        for file in opened.values():
            os.close(file)


def _places(needed: Iterable[Path]) -> Iterator[Path]:
    for path in needed:
        with contextlib.suppress(OSError):
            yield path.resolve()
            yield path.absolute()


def _obstacle(path: Path) -> Path | None:
    """The first directory on the way to `path` that is closed to others; None if there is none."""
    ways = reversed(path.parents)
    return next((each for each in ways if not each.stat().st_mode & stat.S_IXOTH), None)


def _is_readable(path: Path) -> bool:
    """Whether others may read `path`, provided that they can get there; True if it does not
    exist."""
    return not path.exists() or bool(path.stat().st_mode & stat.S_IROTH)
