"""Programs that begin in an interpreter which has imported all that a player's program needs.

To import it takes a program most of a second of the processor, and the tests of whole programs
start hundreds of them. So one process a test run imports it once, and every program is a fork of
that one before anything of it has run. What a program is given and what it does is its own: its
arguments and environment, its session, terminal and network, its end.

Run as `python -m tests.helpers.warm`, with a socket as standard input, by `start`.
"""

from __future__ import annotations

import atexit
import ctypes
import errno
import functools
import gc
import io
import json
import os
import random
import runpy
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

MODULES: Final = frozenset(
    {"tests.end_to_end.staged", "tests.end_to_end.troubled", "tests.spoof_tui.network.greeter"}
)
"""What can begin so; programs of any other module are started from nothing."""

_PREFIX: Final = [sys.executable, "-m"]

_OWN: Final = frozenset({"PYTEST_CURRENT_TEST", "SPOOF_STATE", "COLORTERM", "TERM", "SPOOF_CODE"})
"""Variables that nothing reads while it is imported; in the others all programs agree."""

_IMPORTED: Final = (
    "spoof_tui.commands.bot",
    "spoof_tui.commands.host",
    "spoof_tui.commands.join",
    "spoof_tui.commands.play",
    "spoof_tui.runtime.bot_players",
    "spoof_tui.runtime.troubleshooting",
    "spoof_tui.ui.app",
    "spoof_tui.ui.table.screen",
    "zeroconf.asyncio",
)

_NEW_NETWORK: Final = 0x40000000
"""CLONE_NEWNET of Linux; Python has a name for it from 3.12 on."""

_NEW_MOUNTS: Final = 0x00020000
"""CLONE_NEWNS."""

_NO_WAY_OUT: Final = 0x00080000 | 0x4000
"""MS_SLAVE and MS_REC: what is mounted here is mounted nowhere else."""

_DETACHED: Final = 2
"""MNT_DETACH."""

_LARGEST: Final = 1 << 18
"""Bytes of what is asked for at most."""


_how: dict[str, bool] = {"warm": sys.platform == "linux"}


def begin_from_nothing() -> None:
    """Have every program import what it needs, from now on."""
    _how["warm"] = False


class WarmProgram:
    """A program that was forked, with the part of `subprocess.Popen` that a terminal needs."""

    def __init__(self, pid: int, told: socket.socket) -> None:
        self.pid: Final = pid
        self.returncode: int | None = None
        self._told = told
        self._lock = threading.Lock()

    def poll(self) -> int | None:
        """The exit code, as `Popen` has it; None while it runs."""
        return self._wait(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises subprocess.TimeoutExpired."""
        status = self._wait(timeout)
        if status is None:
            raise subprocess.TimeoutExpired(_PREFIX, timeout or 0.0)
        return status

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def _wait(self, timeout: float | None) -> int | None:
        with self._lock:
            if self.returncode is None and select.select([self._told], [], [], timeout)[0]:
                self.returncode = int(self._told.recv(32) or -signal.SIGKILL)
                self._told.close()
            return self.returncode


def can_start(argv: Sequence[str]) -> bool:
    """Whether a program can begin so: it is the one that was imported, and draws real secrets."""
    is_one = _how["warm"] and list(argv[:2]) == _PREFIX and argv[2] in MODULES
    return is_one and not {"--seed", "door"} & set(argv)


def start(
    argv: Sequence[str], output: int, env: Mapping[str, str], netns: str | None
) -> WarmProgram:
    """Start a program for which `can_start` holds, at a terminal; or without one, with a pipe for
    what it says."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    asked = {"module": argv[2], "argv": list(argv[3:]), "env": dict(env), "netns": netns}
    common = {name: value for name, value in env.items() if name not in _OWN}
    with there:
        with _serving:
            server = _server(json.dumps(common))
        server.ask(json.dumps(asked).encode(), [output, there.fileno()])
    return WarmProgram(int(here.recv(32)), here)


# The process that has imported everything


class _Server:
    """That process, which ends with this one."""

    def __init__(self, env: dict[str, str]) -> None:
        self._link, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        with there:
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__],
                stdin=there.fileno(),
                stdout=subprocess.DEVNULL,
                env=env,
                start_new_session=True,
            )
        atexit.register(self._end)

    def ask(self, words: bytes, descriptors: Sequence[int]) -> None:
        with self._lock:
            socket.send_fds(self._link, [words], descriptors)

    def _end(self) -> None:
        self._link.close()
        self._process.wait()


_serving = threading.Lock()


@functools.cache
def _server(env: str) -> _Server:
    return _Server(json.loads(env))


class _Forks:
    """The programs that run, and how their ends are told."""

    def __init__(self, asked: socket.socket) -> None:
        self._asked = asked
        self._poll = select.poll()
        self._poll.register(asked, select.POLLIN)
        self._running: dict[int, tuple[int, socket.socket]] = {}
        """Process id and listener of each, by a descriptor that is readable when it has ended."""

    def serve(self) -> dict[str, Any] | None:
        """Fork until nobody asks any more; in a fork, what is to be run there."""
        while True:
            for descriptor, _event in self._poll.poll():
                if descriptor in self._running:
                    self._tell_end(descriptor)
                    continue
                words, passed, _flags, _from = socket.recv_fds(self._asked, _LARGEST, 2)
                if not words:
                    return None
                if self._fork(*passed):
                    return dict(json.loads(words))

    def _fork(self, output: int, listener: int) -> bool:
        """Whether this is the fork."""
        told = socket.socket(fileno=listener)
        pid = os.fork()
        if not pid:
            told.close()
            self._forget()
            _take(output)
            return True
        os.close(output)
        told.send(str(pid).encode())
        descriptor = os.pidfd_open(pid)
        self._running[descriptor] = pid, told
        self._poll.register(descriptor, select.POLLIN)
        return False

    def _forget(self) -> None:
        """Close all that is not of a fork."""
        self._asked.close()
        for descriptor, (_pid, told) in self._running.items():
            os.close(descriptor)
            told.close()

    def _tell_end(self, descriptor: int) -> None:
        pid, told = self._running.pop(descriptor)
        self._poll.unregister(descriptor)
        os.close(descriptor)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with told:
            told.send(str(status).encode())


def _take(output: int) -> None:
    """Become a session of its own at this terminal, as a shell would have it, or at this pipe."""
    os.setsid()
    if os.isatty(output):
        name = os.ttyname(output)
        _open(0, name, os.O_RDONLY)
        _open(1, name, os.O_WRONLY)
        _open(2, name, os.O_WRONLY)
    else:
        _open(0, os.devnull, os.O_RDONLY)
        os.dup2(output, 1)
    os.close(output)


def _open(descriptor: int, name: str, flags: int) -> None:
    opened = os.open(name, flags)
    os.dup2(opened, descriptor)
    os.close(opened)


def _become(asked: Mapping[str, Any]) -> None:
    """Be the program that is asked for, as if it had begun from nothing."""
    if asked["netns"]:
        _enter(asked["netns"])
    os.environ.clear()
    os.environ.update(asked["env"])
    random.seed()
    sys.stdin, sys.stdout, sys.stderr = _stream(0, "r"), _stream(1, "w"), _stream(2, "w")
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    sys.argv[1:] = asked["argv"]


def _enter(netns: str) -> None:
    """Be in a network, and see its cables under `/sys`, as behind `ip netns exec`."""
    libc = ctypes.CDLL(None, use_errno=True)
    with Path("/run/netns", netns).open() as network:
        if (
            libc.setns(network.fileno(), _NEW_NETWORK)
            or libc.unshare(_NEW_MOUNTS)
            or libc.mount(b"", b"/", b"none", ctypes.c_ulong(_NO_WAY_OUT), None)
            or (libc.umount2(b"/sys", _DETACHED) and ctypes.get_errno() != errno.EINVAL)
            or libc.mount(b"sysfs", b"/sys", b"sysfs", ctypes.c_ulong(0), None)
        ):
            raise OSError(ctypes.get_errno(), netns)


def _stream(descriptor: int, mode: str) -> io.TextIOWrapper:
    errors = "backslashreplace" if descriptor == 2 else "surrogateescape"
    file = open(descriptor, f"{mode}b", closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(file, "utf-8", errors, line_buffering=True)


def main() -> None:
    """Import, fork, and run what is asked for in each fork."""
    for name in _IMPORTED:
        import_module(name)
    gc.collect()
    gc.freeze()
    asked = _Forks(socket.socket(fileno=os.dup(0))).serve()
    if asked is not None:
        _become(asked)
        runpy.run_module(asked["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
