"""Programs that start in an interpreter which has imported everything that they need.

Importing takes a program most of a second of processor time, and the tests of whole programs start
hundreds of them. So one process per test run imports once, and every program is a fork of it, made
before anything of the program has run. Everything else is the program's own: its arguments and
environment, its session, terminal and network, its end.

Run as `python -m tests.helpers.warm`, with a socket as standard input, by `start`. Programs that
such a program starts are forks, too, if it starts them with the words of `launching`.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import errno
import functools
import gc
import io
import json
import os
import pkgutil
import random
import re
import runpy
import select
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import spoof_tui

_STAGED: Final = "tests.end_to_end.staged"
_PLAIN: Final = "spoof_tui"

MODULES: Final = frozenset(
    {
        _STAGED,
        "tests.benchmarks.programs.traced",
        "tests.end_to_end.troubled",
        "tests.spoof_tui.network.greeter",
        "tests.spoof_tui.ui.probes",
    }
)
"""Modules that can start like this in a terminal; all others are started from nothing."""

_PREFIX: Final = [sys.executable, "-m"]

_OWN: Final = re.compile(
    "COLORTERM|TERM|TERM_PROGRAM.*|COLUMNS|LINES|TMUX.*|STY|SSH_.*|PYTEST_.*|PYTHONPATH|SPOOF_.*"
)
"""Variables that nothing reads during import; in all others the programs agree."""

_OTHERS: Final = (
    "cryptography.hazmat.primitives.asymmetric.ed25519",
    "cryptography.hazmat.primitives.kdf.hkdf",
    "cryptography.hazmat.primitives.serialization",
    "cryptography.x509",
    "encodings.idna",
    "rich._unicode_data.unicode17-0-0",
    "spake2",
    "tests.end_to_end",
    "tests.spoof_tui.network",
    "tests.spoof_tui.ui",
    "textual.layouts.factory",
    "textual.pilot",
    "textual.scrollbar",
    "zeroconf.asyncio",
)
"""Modules that Spoof imports on demand, beside its own."""

_NOT_PLAYED: Final = {"spoof_tui.__main__", "spoof_tui.text.build_catalogues"}
"""Modules of Spoof that start a program, or belong to none."""

_NEW_NETWORK: Final = 0x40000000
"""CLONE_NEWNET of Linux; Python has a name for it from 3.12 on."""

_ROOT: Final = Path(__file__).parents[2]

_LAUNCHER: Final = Path(__file__).with_name("launcher.py")

_WHERE: Final = "WARM_PROGRAMS"
"""The variable that tells a fork where to ask for further ones."""

_NEW_MOUNTS: Final = 0x00020000
"""CLONE_NEWNS."""

_NO_WAY_OUT: Final = 0x00080000 | 0x4000
"""MS_SLAVE and MS_REC: mounts made here appear nowhere else."""

_DETACHED: Final = 2
"""MNT_DETACH."""

_LARGEST: Final = 1 << 18
"""Bytes of a request at most."""


_WAITING: Final = 64
"""Launchers that may wait for an answer."""


_how: dict[str, bool] = {"warm": sys.platform == "linux"}


def begin_from_nothing() -> None:
    """Import in advance what every program needs."""
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
    """Whether a program can start like this: it is the one that was imported, and its secrets are
    real."""
    is_one = _how["warm"] and list(argv[:2]) == _PREFIX and argv[2] in MODULES
    return is_one and "--seed" not in argv


def launching(module: str) -> list[str]:
    """The words that start a program of this module from one that may be a fork; then it is one,
    too."""
    path = os.environ.get(_WHERE)
    return [*(_launcher(path) if path else _PREFIX), module]


def start(
    argv: Sequence[str], output: int, env: Mapping[str, str], netns: str | None
) -> WarmProgram:
    """Start a program for which `can_start` holds, at a terminal, or without one with a pipe for
    its output."""
    here, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    asked = {"module": argv[2], "argv": list(argv[3:]), "env": dict(env), "netns": netns}
    with there:
        _server_for(env).ask(json.dumps(asked).encode(), [output, there.fileno()])
    pid = here.recv(32)
    if not pid:
        here.close()
        raise ConnectionError("the process that starts the programs has ended")
    return WarmProgram(int(pid), here)


def words(argv: Sequence[str], env: Mapping[str, str] = os.environ) -> list[str]:
    """The words that start a program as a fork from anywhere, or `argv` if it cannot be one.

    The process that they start has its pipes, hears its signals, and ends as it does.
    """
    is_one = can_start(argv) or (can_start([*argv[:2], _STAGED, *argv[3:]]) and argv[2] == _PLAIN)
    return [*_launcher(_server_for(env).path), *argv[2:]] if is_one else list(argv)


def _launcher(path: str) -> list[str]:
    return [sys.executable, "-I", "-S", str(_LAUNCHER), path]


# The process that has imported everything


class _Server:
    """That process, which ends with this one."""

    def __init__(self, env: dict[str, str]) -> None:
        self._link, there = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._lock = threading.Lock()
        self._folder = tempfile.mkdtemp()
        self.path: Final = str(Path(self._folder, "programs"))
        """The address where launchers ask."""
        with there, socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as launched:
            launched.bind(self.path)
            launched.listen(_WAITING)
            self._process = subprocess.Popen(
                [sys.executable, "-m", __name__, self.path, str(launched.fileno())],
                stdin=there.fileno(),
                stdout=subprocess.DEVNULL,
                cwd=_ROOT,
                env=env | {"PYTHONPATH": str(_ROOT)},
                start_new_session=True,
                pass_fds=[launched.fileno()],
            )
        atexit.register(self._end)

    def ask(self, words: bytes, descriptors: Sequence[int]) -> None:
        with self._lock:
            socket.send_fds(self._link, [words], descriptors)

    def _end(self) -> None:
        self._link.close()
        self._process.wait()
        shutil.rmtree(self._folder)


_serving = threading.Lock()


def _server_for(env: Mapping[str, str]) -> _Server:
    common = {name: value for name, value in env.items() if not _OWN.fullmatch(name)}
    with _serving:
        return _server(json.dumps(common, sort_keys=True))


@functools.cache
def _server(env: str) -> _Server:
    return _Server(json.loads(env))


class _Forks:
    """The running programs, and how their ends are reported."""

    def __init__(self, asked: socket.socket, launched: socket.socket) -> None:
        """Requests come on a link, or from launchers that connect."""
        self._asked, self._launched = asked, launched
        self._poll = select.poll()
        self._poll.register(asked, select.POLLIN)
        self._poll.register(launched, select.POLLIN)
        self._running: dict[int, tuple[int, socket.socket]] = {}
        """Process id and listener of each, by a descriptor that becomes readable at its end."""
        self._left: dict[int, int] = {}
        """Process ids by the listener's descriptor, which becomes readable when nobody listens any
        more."""

    def serve(self) -> dict[str, Any] | None:
        """Fork until nobody asks any more; returns, in a fork, what to run there."""
        while True:
            # One at a time: handling it may close the next ones.
            descriptor, _event = self._poll.poll()[0]
            if descriptor in self._running:
                self._tell_end(descriptor)
            elif descriptor in self._left:
                self._end(descriptor)
            elif descriptor == self._launched.fileno():
                if asked := self._launch():
                    return asked
            else:
                words, passed, _flags, _from = socket.recv_fds(self._asked, _LARGEST, 2)
                if not words:
                    return None
                output, listener = passed
                if self._fork([output], socket.socket(fileno=listener)):
                    _take(output)
                    return dict(json.loads(words))

    def _launch(self) -> dict[str, Any] | None:
        """Fork what a launcher asks for; returns, in the fork, what to run."""
        told, _ = self._launched.accept()
        words, passed, _flags, _from = socket.recv_fds(told, _LARGEST, 3)
        launcher, _user, _group = struct.unpack(
            "3i", told.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        )
        if len(passed) < 3:
            told.close()
        elif self._fork(passed, told):
            _take_all(passed, launcher)
            asked = dict(json.loads(words))
            os.chdir(asked["cwd"])
            return asked
        else:
            self._left[told.fileno()] = self._last
            self._poll.register(told, select.POLLIN)
        return None

    def _fork(self, passed: Sequence[int], told: socket.socket) -> bool:
        """Whether this is the fork."""
        pid = os.fork()
        if not pid:
            told.close()
            self._forget()
            return True
        for each in passed:
            os.close(each)
        with contextlib.suppress(OSError):  # who asked may be gone already
            told.send(str(pid).encode())
        descriptor = os.pidfd_open(pid)
        self._running[descriptor] = pid, told
        self._poll.register(descriptor, select.POLLIN)
        self._last = pid
        return False

    def _forget(self) -> None:
        """Close everything that does not belong to a fork."""
        self._asked.close()
        self._launched.close()
        for descriptor, (_pid, told) in self._running.items():
            os.close(descriptor)
            told.close()

    def _end(self, listener: int) -> None:
        """The launcher of a program is gone, and takes it along."""
        self._poll.unregister(listener)
        os.kill(self._left.pop(listener), signal.SIGKILL)

    def _tell_end(self, descriptor: int) -> None:
        pid, told = self._running.pop(descriptor)
        self._poll.unregister(descriptor)
        if self._left.pop(told.fileno(), None):
            self._poll.unregister(told)
        os.close(descriptor)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with told, contextlib.suppress(OSError):
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


def _take_all(passed: Sequence[int], launcher: int) -> None:
    """Become a new session with another process's descriptors, in its networks."""
    os.setsid()
    for descriptor, each in enumerate(passed):
        os.dup2(each, descriptor)
        os.close(each)
    for kind in ("net", "mnt"):
        there, here = Path(f"/proc/{launcher}/ns/{kind}"), Path(f"/proc/self/ns/{kind}")
        if there.readlink() != here.readlink():
            with there.open() as space:
                _join(space.fileno())


def _join(space: int) -> None:
    if ctypes.CDLL(None, use_errno=True).setns(space, 0):
        raise OSError(ctypes.get_errno(), "setns")


def _open(descriptor: int, name: str, flags: int) -> None:
    opened = os.open(name, flags)
    os.dup2(opened, descriptor)
    os.close(opened)


def _become(asked: Mapping[str, Any], path: str) -> None:
    """Be the requested program, as if it had started from nothing."""
    if netns := asked.get("netns"):
        _enter(netns)
    os.environ.clear()
    os.environ.update(asked["env"], **{_WHERE: path})
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


def main(path: str, launched: str) -> None:
    """Import, fork, and run in each fork what is asked for."""
    own = (each.name for each in pkgutil.walk_packages(spoof_tui.__path__, "spoof_tui."))
    for name in sorted({*own, *_OTHERS} - _NOT_PLAYED):
        import_module(name)
    gc.collect()
    gc.freeze()
    links = (socket.socket(fileno=number) for number in (os.dup(0), int(launched)))
    asked = _Forks(*links).serve()
    if asked is not None:
        _become(asked, path)
        runpy.run_module(asked["module"], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
