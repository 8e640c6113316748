"""Drive a real program in a pseudo terminal, and look at what its screen shows.

    with Terminal([sys.executable, "-m", "spoof_tui"], 80, 24) as terminal:
        terminal.wait("Tables here")
        terminal.send("n")
        terminal.wait("New table")
        assert terminal.wait_exit() == 0

Every terminal has a thread that reads all the time, so several programs can run side by side and
none blocks on a full terminal that nobody looks at. Bytes are stamped when they are read, before
the screen model sees them. Every wait has a limit, and a wait that fails shows the screen.
"""

import contextlib
import itertools
import os
import re
import select
import signal
import struct
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Self

import pyte

from tests.helpers import unix, warm
from tests.helpers.unix import fcntl, termios

LIMIT = 30.0
"""Seconds that a wait takes at most by default; generous, because a loaded machine is slow."""

_UNWANTED = re.compile(
    r"NO_COLOR|COLORTERM|TERM_PROGRAM.*|COLUMNS|LINES|TMUX.*|STY|LC_.*|TEXTUAL.*|PYTEST.*|SSH_.*"
)
"""Variables of the person or the test run that would change the program's output."""

_UNKNOWN = re.compile(
    rb"\x1b\[[<>=][0-9;]*[a-zA-Z]|\x1b\[\?[0-9;]*(?:\$p|u)|\x1bP[^\x1b]*\x1b\\|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)"
)
"""Sequences that the screen model would print as text: keyboard protocols, queries, DCS, OSC."""

_UNFINISHED = re.compile(
    rb"\x1b(?:\[[<>=?]?[0-9;]*\$?|P[^\x1b]*\x1b?|\][^\x07\x1b]*\x1b?)?$",
)
"""The beginning of a sequence at the end of the input."""

_SYNCHRONISED_QUERY = b"\x1b[?2026$p"
_SYNCHRONISED_ANSWER = b"\x1b[?2026;2$y"

_FULL_LOOKS = 30
"""How often in a row, 10 ms apart, a terminal must look full."""

_OPEN_TERMINAL = 'exec "$@" <"$0" >"$0" 2>&1'
"""A session leader that opens a terminal gets it as its controlling terminal. A shell does this
in a millisecond, and needs no code between fork and exec in a process with threads."""


class Terminal:
    """A program in a pseudo terminal of `cols` by `rows` cells.

    `env` is laid over the present environment, cleaned of what would change the picture; None
    takes a variable away. `netns` names the network namespace to run in.
    """

    def __init__(
        self,
        argv: Sequence[str],
        cols: int = 80,
        rows: int = 24,
        env: Mapping[str, str | None] | None = None,
        netns: str | None = None,
    ) -> None:
        unix.need("pseudo terminals")
        self._screen = pyte.Screen(cols, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._rows = [""] * rows
        self._chunks: list[tuple[float, bytes]] = []
        self._parsed = 0
        self._rest = b""
        self._change = threading.Condition()
        self._reading = True
        self._at_rest = False
        self._ended = False
        self._closing = False
        self._master, slave = os.openpty()
        self._name = os.ttyname(slave)
        self._wake_out, self._wake_in = os.pipe()
        os.set_blocking(self._master, False)
        self._set_size(cols, rows)
        self.started = time.perf_counter()
        """When the program was started, on the clock of `raw`."""
        try:
            self.process = self._start(argv, slave, env or {}, netns)
        except BaseException:
            for descriptor in (self._master, self._wake_out, self._wake_in):
                os.close(descriptor)
            raise
        finally:
            os.close(slave)
        self._reader = threading.Thread(target=self._read, name="terminal", daemon=True)
        self._reader.start()

    # What was painted

    @property
    def pid(self) -> int:
        """The program's process id."""
        return self.process.pid

    @property
    def raw(self) -> list[tuple[float, bytes]]:
        """Everything that was read: (time on `time.perf_counter`, bytes) of every read."""
        with self._change:
            return list(self._chunks)

    @property
    def output(self) -> bytes:
        """All bytes that were read."""
        return b"".join(data for _, data in self.raw)

    def mark(self) -> int:
        """A place in the output, to be given to `painted_since` or `wait_bytes`."""
        with self._change:
            return sum(len(data) for _, data in self._chunks)

    def painted_since(self, mark: int) -> bytes:
        """The bytes read after `mark` was taken; their `len` is what the painting cost."""
        return self.output[mark:]

    @property
    def screen(self) -> pyte.Screen:
        """The screen model, with everything read so far on it."""
        self._catch_up()
        return self._screen

    def lines(self) -> list[str]:
        """The rows of the screen, without the blanks at their ends."""
        self._catch_up()
        return self._read_rows()

    def text(self) -> str:
        """The screen as one string."""
        return "\n".join(self.lines())

    # Waiting

    def wait(self, text: str, timeout: float = LIMIT) -> float:
        """Wait until a row shows `text`; the seconds from the program's start to the read that
        completed it. Raises TimeoutError with the screen, also when the program ends before."""
        return self._wait_for(lambda: self._shows(text), timeout, repr(text))

    def wait_gone(self, text: str, timeout: float = LIMIT) -> float:
        """Wait until no row shows `text`; seconds since the start, as `wait`."""
        return self._wait_for(lambda: not self._shows(text), timeout, f"the end of {text!r}")

    def wait_until(self, holds: Callable[[Self], bool], timeout: float = LIMIT) -> float:
        """Wait until `holds(self)` after some paint; seconds since the start, as `wait`."""
        return self._wait_for(lambda: holds(self), timeout, "the condition")

    def wait_bytes(self, needle: bytes, since: int = 0) -> None:
        """Wait until `needle` was sent by the program after the place `since`."""
        end = time.perf_counter() + LIMIT
        count = self._count()
        while needle not in self.painted_since(since):
            if not self._await_read(count, end):
                raise TimeoutError(f"{needle!r} not sent in {LIMIT} s; {self._state()}")
            count = self._count()

    def settle(self, quiet: float = 0.15, timeout: float = LIMIT) -> None:
        """Wait until nothing was painted for `quiet` seconds. Raises TimeoutError if the program
        paints on and on."""
        end = time.perf_counter() + timeout
        while True:
            if not self._await_read(self._count(), time.perf_counter() + quiet):
                return
            if time.perf_counter() > end:
                raise TimeoutError(f"still painting after {timeout} s; {self._state()}")

    def wait_full(self, meanwhile: Callable[[], object] | None = None) -> None:
        """Wait until a stalled terminal takes no more, so that the program's next write blocks;
        `meanwhile` is called again and again until then."""
        # The kernel passes on in the background what was written: it can take more right after.
        end, full = time.perf_counter() + LIMIT, 0
        while full < _FULL_LOOKS:
            full = full + 1 if self.is_full() else 0
            if time.perf_counter() > end:
                raise TimeoutError(f"not full after {LIMIT} s; {self._state()}")
            if meanwhile is not None and not full:
                meanwhile()
            time.sleep(0.01)

    def is_full(self) -> bool:
        """Whether the terminal takes no more at this moment."""
        slave = os.open(self._name, os.O_WRONLY | os.O_NOCTTY)
        try:
            poll = select.poll()
            poll.register(slave, select.POLLOUT)
            return not poll.poll(0)
        finally:
            os.close(slave)

    def wait_exit(self, timeout: float = LIMIT) -> int:
        """Wait for the program's end; its exit code, minus the number of a signal that ended it.
        All it painted has then been read, unless a child of it holds the terminal."""
        try:
            status = self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise TimeoutError(f"still running after {timeout} s; {self._state()}") from None
        if self._reading:
            self._reader.join(0.5)
        return status

    # Acting

    def send(self, keys: bytes | str) -> None:
        """Type `keys`. Raises TimeoutError if the program does not take them."""
        data = keys.encode() if isinstance(keys, str) else keys
        end = time.perf_counter() + LIMIT
        while data:
            try:
                data = data[os.write(self._master, data) :]
            except BlockingIOError:
                if time.perf_counter() > end:
                    raise TimeoutError(f"keys not taken; {self._state()}") from None
                time.sleep(0.01)

    def resize(self, cols: int, rows: int) -> None:
        """Give the terminal another size; the kernel tells the program."""
        self.screen.resize(rows, cols)
        self._set_size(cols, rows)

    def stall(self) -> None:
        """Stop reading, as a frozen connection or Ctrl-S does: soon the program's writes block.
        Nothing is read any more when this returns."""
        self._reading = False
        self._wake()
        with self._change:
            self._change.wait_for(lambda: self._at_rest or self._ended, LIMIT)

    def freeze(self) -> None:
        """Stop reading, and make the program paint until the terminal takes no more: it has to
        paint anew when its terminal has another size."""
        self.stall()
        cols, rows = self._screen.columns, self._screen.lines
        heights = itertools.cycle((rows - 1, rows))
        self.wait_full(lambda: self.resize(cols, next(heights)))
        self.resize(cols, rows)

    def unstall(self) -> None:
        """Read again."""
        self._reading = True
        self._wake()

    def kill(self, number: int) -> None:
        """Send a signal to the program, and to nothing else."""
        self.process.send_signal(number)

    def hangup(self) -> None:
        """Take the terminal away, as losing the connection does: the program gets SIGHUP, and
        then errors and ends of file. What was read before stays."""
        self._closing = True
        self._wake()
        self._reader.join()
        if self._master >= 0:
            os.close(self._master)
            self._master = -1

    def close(self, number: int = signal.SIGTERM, timeout: float = 3.0) -> int:
        """End the program by a signal, by SIGKILL if that fails, take the terminal away, and kill
        what is left of its process group. Returns the exit code; may be called again."""
        self.unstall()
        if self.process.poll() is None:
            self.kill(number)
            with contextlib.suppress(TimeoutError):
                self.wait_exit(timeout)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)
        status = self.process.wait()
        self._release()
        return status

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # The cost of the program

    def is_stopped(self) -> bool:
        """Whether a signal has stopped the program, as Ctrl-Z does."""
        return self._stat()[0] == "T"

    # Inside

    def _stat(self) -> list[str]:
        stat = Path(f"/proc/{self.pid}/stat").read_text("utf-8", "replace")
        return stat.rpartition(")")[2].split()

    def _start(
        self, argv: Sequence[str], slave: int, env: Mapping[str, str | None], netns: str | None
    ) -> "subprocess.Popen[bytes] | warm.WarmProgram":
        if warm.can_start(argv):
            return warm.start(argv, slave, _environment(env), netns)
        inside = ["ip", "netns", "exec", netns] if netns else []
        return subprocess.Popen(
            ["/bin/sh", "-c", _OPEN_TERMINAL, self._name, *inside, *argv],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=_environment(env),
            start_new_session=True,
        )

    def _set_size(self, cols: int, rows: int) -> None:
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, cols, 0, 0))

    def _wake(self) -> None:
        if self._wake_in >= 0:
            os.write(self._wake_in, b"!")

    def _release(self) -> None:
        self.hangup()
        if self._wake_in >= 0:
            os.close(self._wake_in)
            os.close(self._wake_out)
            self._wake_in = -1

    def _read(self) -> None:
        """The reader thread: until the program's side closes, or `hangup`."""
        tail = b""
        while not self._closing and (data := self._read_once()) is not None:
            if not data:
                continue
            with self._change:
                self._chunks.append((time.perf_counter(), data))
                self._change.notify_all()
            tail += data
            for _ in range(tail.count(_SYNCHRONISED_QUERY)):
                with contextlib.suppress(OSError):
                    os.write(self._master, _SYNCHRONISED_ANSWER)
            tail = tail[1 - len(_SYNCHRONISED_QUERY) :]
        with self._change:
            self._ended = True
            self._change.notify_all()

    def _read_once(self) -> bytes | None:
        """What is there to read, b"" after a change of mind, None at the end."""
        with self._change:
            self._at_rest = not self._reading
            self._change.notify_all()
        wanted = [self._wake_out] if self._at_rest else [self._wake_out, self._master]
        poll = select.poll()
        for descriptor in wanted:
            poll.register(descriptor, select.POLLIN)
        ready = {descriptor for descriptor, _ in poll.poll()}
        if self._wake_out in ready:
            os.read(self._wake_out, 64)
            return b""
        try:
            return os.read(self._master, 65536) or None
        except BlockingIOError:
            return b""
        except OSError:
            # Linux says EIO when the last program lets go of the terminal.
            return None

    def _parse_one(self) -> None:
        """Put one more read on the screen model; there must be one."""
        with self._change:
            data = self._rest + self._chunks[self._parsed][1]
        self._parsed += 1
        unfinished = _UNFINISHED.search(data)
        cut = unfinished.start() if unfinished else len(data)
        self._rest = data[cut:]
        self._stream.feed(_UNKNOWN.sub(b"", data[:cut]))

    def _catch_up(self) -> None:
        """Put on the model what was read up to now, and not what comes meanwhile."""
        for _ in range(self._count() - self._parsed):
            self._parse_one()

    def _shows(self, text: str) -> bool:
        """Whether the model shows `text`, whatever was read after it was last fed."""
        return any(text in row for row in self._read_rows())

    def _read_rows(self) -> list[str]:
        """The rows of the model; only those that have changed are put together anew."""
        changed, self._screen.dirty = self._screen.dirty, set()
        rows = [*self._rows, *[""] * self._screen.lines][: self._screen.lines]
        for y in changed:
            if y < len(rows):
                rows[y] = _row(self._screen, y)
        self._rows = rows
        return list(rows)

    def _wait_for(self, holds: Callable[[], bool], timeout: float, reason: str) -> float:
        """Feed the model read by read, so that no frame is missed, until `holds()`."""
        end = time.perf_counter() + timeout
        # What came before the question is not an answer to it, unless it is still on the screen.
        self._catch_up()
        seen = self._parsed
        while not holds():
            if self._parsed > seen:
                # It looked at the screen more than once, and not every time at the same one.
                seen = self._parsed
                continue
            late = time.perf_counter() > end
            if late or (self._parsed == self._count() and not self._await_read(self._parsed, end)):
                raise TimeoutError(f"waited {timeout} s in vain for {reason}; {self._state()}")
            self._parse_one()
            seen = self._parsed
        with self._change:
            last = self._chunks[self._parsed - 1][0] if self._parsed else time.perf_counter()
        return last - self.started

    def _count(self) -> int:
        with self._change:
            return len(self._chunks)

    def _await_read(self, count: int, end: float) -> bool:
        """Wait until more than `count` reads were made; False at the time `end`, or when nothing
        more can come."""
        with self._change:
            self._change.wait_for(
                lambda: len(self._chunks) > count or self._ended,
                max(0.0, end - time.perf_counter()),
            )
            return len(self._chunks) > count

    def _state(self) -> str:
        if self._ended and not self._closing:
            # The terminal is let go a moment before the process is gone.
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(0.5)
        status = self.process.poll()
        running = "it is running" if status is None else f"it ended with {status}"
        return f"{running}, and its screen is:\n{self.text()}"


def _environment(env: Mapping[str, str | None]) -> dict[str, str]:
    """The environment of a person with an ordinary terminal, with `env` laid over it."""
    base: dict[str, str | None] = {
        name: value for name, value in os.environ.items() if not _UNWANTED.fullmatch(name)
    }
    merged = base | {"TERM": "xterm-256color", "LANG": "C.UTF-8"} | dict(env)
    return {name: value for name, value in merged.items() if value is not None}


def _row(screen: pyte.Screen, y: int) -> str:
    # Not `screen.display`, which fails when the left half of a wide character was overwritten.
    row = screen.buffer[y]
    return "".join(row[x].data for x in range(screen.columns)).rstrip()
