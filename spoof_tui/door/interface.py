"""One visitor's interface: a program in a pseudo terminal, and the streams of its keys and its
output.

Everything happens in one event loop, which never waits for the program or for the visitor.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import struct
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from protocol.host.rate_limit import Bucket
from spoof_tui.door.priority import Priority

MAX_COLUMNS: Final = 500
MAX_ROWS: Final = 200
"""The largest terminal, `MAX_COLUMNS` by this, that is drawn; a larger picture would take too much
memory."""

MAX_VALUE: Final = 64
"""Maximum characters of a variable's value."""

_USUAL: Final = 80, 24
_USUAL_LANGUAGE: Final = "C.UTF-8"
_USUAL_TERMINAL: Final = "xterm-256color"

_WORD: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+@-]*")
_LANGUAGES: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@:-]*")
_PLACE: Final = re.compile(r"[A-Za-z0-9]+(?:[/+_-][A-Za-z0-9]+)*")
"""A time zone by name; the pattern allows no path out of the zone directory."""

TAKEN: Final[Mapping[str, re.Pattern[str]]] = {
    "TERM": _WORD,
    "COLORTERM": _WORD,
    "NO_COLOR": _WORD,
    "LANG": _LANGUAGES,
    "LANGUAGE": _LANGUAGES,
    "TZ": _PLACE,
}
"""Variables that a client may set, each with the pattern of its values. `LC_` variables are
allowed, too."""

MAX_TAKEN: Final = 24
"""Maximum number of variables that are accepted from one client: a few more than there are."""


@dataclass(frozen=True, slots=True)
class TerminalSize:
    """The size of a terminal in cells."""

    columns: int
    rows: int

    @classmethod
    def asked(cls, columns: int, rows: int) -> TerminalSize:
        """The size that a client asks for, limited to what is drawn; the usual one in place of
        0."""
        return cls(
            min(columns, MAX_COLUMNS) or _USUAL[0],
            min(rows, MAX_ROWS) or _USUAL[1],
        )


def is_taken(name: str, value: str) -> bool:
    """Whether a client may set this variable to this value."""
    shape = _LANGUAGES if re.fullmatch("LC_[A-Z]{1,20}", name) else TAKEN.get(name)
    return shape is not None and len(value) <= MAX_VALUE and shape.fullmatch(value) is not None


def environment(terminal: str, said: Mapping[str, str]) -> dict[str, str]:
    """The part of a visitor's environment that comes from the client: the allowed variables in
    `said`, and `terminal` as `TERM`."""
    taken = {name: value for name, value in said.items() if is_taken(name, value)}
    taken["TERM"] = terminal if is_taken("TERM", terminal) else _USUAL_TERMINAL
    if not any(name == "LANG" or name.startswith("LC_") for name in taken):
        taken["LANG"] = _USUAL_LANGUAGE
    return taken


if sys.platform != "win32":
    import fcntl
    import pty
    import termios

CHUNK: Final = 16 * 1024
"""Maximum bytes of output that are read at once."""

KEYS_BURST: Final = 8 * 1024
"""Bytes of keys that a program is given at once, enough for a paste."""

KEYS_RATE: Final = 4 * 1024
"""Bytes of keys per second after that: more than a mouse that never rests sends."""

KEYS_INTERVAL: Final = 0.05
"""Seconds between two portions of keys when too many have come."""

RESIZE_INTERVAL: Final = 1.0
"""Minimum seconds between two changes of size, since a program draws everything anew after each."""

GRACE: Final = 0.8
"""Seconds that a program has to exit after its visitor is gone, before it is killed."""

LOOK_INTERVAL: Final = 0.02
"""Seconds between two checks whether a program that has to exit is still running."""

WATCH_INTERVAL: Final = 0.25
"""Seconds between two checks of a program: whether it has exited while its terminal is still open,
and how much of the processor it takes."""

LAST_CHUNKS: Final = 4
"""Maximum chunks of output that are still read after the exit: as much as a terminal buffers."""

NO_STATUS: Final = 129
"""Exit status that is reported for a program that had to be killed."""


Start: TypeAlias = Callable[
    [Sequence[str], Mapping[str, str], Path, int], "subprocess.Popen[bytes]"
]
"""A function that starts a command with these variables, in this directory, at this terminal."""


def start_program(
    words: Sequence[str], environment: Mapping[str, str], folder: Path, terminal: int
) -> subprocess.Popen[bytes]:
    """Start a program in a session of its own, with the descriptor `terminal` as its streams;
    raises `OSError`."""
    return subprocess.Popen(
        words,
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=dict(environment),
        cwd=folder,
        start_new_session=True,
        close_fds=True,
    )


class Interface:
    """A program that runs in a pseudo terminal for a remote visitor."""

    def __init__(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        folder: Path,
        size: TerminalSize,
        on_picture: Callable[[bytes], None],
        on_end: Callable[[int], None],
        start: Start = start_program,
    ) -> None:
        """Start the command `words` in `folder`; raises `OSError`.

        `on_picture` gets the program's output; `on_end` gets its exit status, once, after all
        output.
        """
        self._loop = asyncio.get_running_loop()
        self._on_picture, self._on_end = on_picture, on_end
        self._keys = bytearray()
        self._budget = Bucket(KEYS_BURST, 1 / KEYS_RATE)
        self._later: asyncio.TimerHandle | None = None
        self._size, self._set = size, TerminalSize(0, 0)
        self._resizing: asyncio.TimerHandle | None = None
        self._on_drained: Callable[[], None] = lambda: None
        self._is_paused = False
        self._ending: asyncio.Task[None] | None = None
        self._terminal, other = pty.openpty()
        try:
            os.set_blocking(self._terminal, False)
            _quiet(other)
            self._resize()
            self._process = start(words, environment, folder, other)
        except BaseException:
            os.close(self._terminal)
            raise
        finally:
            os.close(other)
        self._loop.add_reader(self._terminal, self._read)
        self._priority = Priority(self._process.pid, self._loop.time())
        self._watching = self._loop.call_later(WATCH_INTERVAL, self._watch)

    @property
    def has_room(self) -> bool:
        """Whether all keys were passed on; if not, wait for `drained` before feeding more."""
        return not self._keys

    def resize(self, size: TerminalSize) -> None:
        """Change the terminal's size, of which the program is told; at once, or `RESIZE_INTERVAL`
        after the last change."""
        self._size = size
        if self._resizing is None and self._terminal >= 0:
            self._resize()

    def _resize(self) -> None:
        self._resizing = None
        if self._size != self._set:
            self._set = self._size
            packed = struct.pack("HHHH", self._set.rows, self._set.columns, 0, 0)
            fcntl.ioctl(self._terminal, termios.TIOCSWINSZ, packed)
            self._resizing = self._loop.call_later(RESIZE_INTERVAL, self._resize)

    def feed(self, keys: bytes, drained: Callable[[], None]) -> None:
        """Pass keys on at a limited rate; `drained` is called when all are passed on."""
        self._keys += keys
        self._on_drained = drained
        if self._later is None:
            self._pass_on()

    def pause(self) -> None:
        """Stop reading the program's output because the visitor is slow; the program then blocks
        when it writes."""
        if self._terminal >= 0 and not self._is_paused:
            self._is_paused = True
            self._loop.remove_reader(self._terminal)

    def resume(self) -> None:
        """Start reading the program's output again after `pause`."""
        if self._terminal >= 0 and self._is_paused and self._ending is None:
            self._is_paused = False
            self._loop.add_reader(self._terminal, self._read)

    def end(self, *, is_gone: bool = False) -> asyncio.Task[None]:
        """Have the program exit, and kill it if that takes too long; returns the task that does so.
        `is_gone` tells that the program has closed its terminal already."""
        if self._ending is None:
            self._ending = self._loop.create_task(self._finish(is_gone))
        return self._ending

    def kill(self) -> None:
        """Kill the program at once."""
        with contextlib.suppress(OSError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self.end()

    def _read(self) -> None:
        try:
            data = os.read(self._terminal, CHUNK)
        except BlockingIOError:
            return
        except OSError:
            data = b""  # What Linux reports when the last program closes the terminal
        if data:
            self._on_picture(data)
        else:
            self.end(is_gone=True)

    def _watch(self) -> None:
        """Adjust the program's priority, and notice that it has exited although another process
        keeps its terminal open."""
        self._priority.adjust(self._loop.time())
        if self._process.poll() is None or self._is_paused:
            self._watching = self._loop.call_later(WATCH_INTERVAL, self._watch)
            return
        for _ in range(LAST_CHUNKS):
            if self._ending is None:
                self._read()
        self.end(is_gone=True)

    def _pass_on(self) -> None:
        """Write as many keys as the rate allows now."""
        self._later = None
        if self._terminal < 0:
            self._keys.clear()
            return
        now = self._loop.time()
        with contextlib.suppress(BlockingIOError, OSError):
            written = os.write(self._terminal, self._keys[: int(self._budget.left(now))])
            del self._keys[:written]
            self._budget.spend(written, now)
        if self._keys:
            # Also if the program does not read: then its terminal buffer is full.
            self._later = self._loop.call_later(KEYS_INTERVAL, self._pass_on)
        else:
            self._on_drained()

    async def _finish(self, is_gone: bool) -> None:
        """Wait for the program to exit, kill it if it does not, and report its status."""
        self._loop.remove_reader(self._terminal)
        self._watching.cancel()
        if not is_gone:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGHUP)
        self._let_go()
        until = self._loop.time() + GRACE
        while self._process.poll() is None and self._loop.time() < until:  # noqa: ASYNC110
            await asyncio.sleep(LOOK_INTERVAL)
        is_late = self._process.poll() is None
        if is_late:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        while self._process.poll() is None:  # noqa: ASYNC110
            await asyncio.sleep(LOOK_INTERVAL)
        status = self._process.returncode
        self._on_end(NO_STATUS if is_late or status < 0 else status)

    def _let_go(self) -> None:
        """Close this side of the terminal."""
        for timer in (self._later, self._resizing):
            if timer:
                timer.cancel()
        os.close(self._terminal)
        self._terminal = -1


def _quiet(terminal: int) -> None:
    """Turn echo off, so that keys pressed before the program reads them do not appear."""
    modes = termios.tcgetattr(terminal)
    modes[3] &= ~(termios.ECHO | termios.ECHONL)
    termios.tcsetattr(terminal, termios.TCSANOW, modes)
