"""The only module for what differs between systems: signals, terminals and sockets.

What needs no event loop is in `spoof_tui/console.py`; private files and locks are in
`spoof_tui/storage/files.py`.

Everything works on Linux, macOS and Windows; if a system lacks something, the docstring of the
function says so.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import re
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from types import FrameType
from typing import Any, Final, NoReturn, TextIO, TypeVar

if sys.platform == "win32":
    import ctypes
else:
    import termios

T = TypeVar("T")

STOPPED: Final = 129
"""Exit status of a program that was told to exit, or lost its terminal."""

GRACE: Final = 0.9
"""Seconds that the process has to exit properly before it is killed: after one second it must be
gone."""

CLOSE_GRACE: Final = 4.0
"""Seconds to exit when the window of a Windows console is closed: after five, the system itself
ends the process."""

_CLOSING: Final = frozenset({2, 5, 6})
"""Windows console events: the window was closed, the user logs off, the machine shuts down."""

_BLIND_TERMINALS: Final = frozenset({"", "dumb", "unknown"})
"""Values of TERM for terminals that cannot move the cursor."""

_LEAVE_SCREEN: Final = (
    b"\x18\x1b[?2026l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?2004l\x1b[?1004l\x1b[?7h"
    b"\x1b[0m\x1b[<u\x1b[?1049l\x1b[?25h"
)
"""Escape sequences that end an unfinished sequence, the synchronised frame, and the modes of mouse,
paste, focus and keyboard, go back to the ordinary screen and show the cursor."""

_ZONE: Final = re.compile(r"[A-Za-z][A-Za-z0-9._-]*")
"""Names of adapters that can be part of an address; any other adapter is written as its number."""

_GIVE_UP: Final = 0.05
"""Seconds after which a blocked write in another thread is sure to have been interrupted."""

_WRITES: Final = 1000
"""Maximum attempts to write the last sequences to a terminal that does not read."""


class LastResort:
    """Ends this process by force, with its terminal restored, if it does not exit in time.

    It is needed because an event loop that waits for a terminal that has stopped reading handles no
    signal.
    """

    def __init__(self, restore: Callable[[], None] | None = None) -> None:
        """`restore` restores the terminal; None for `remember_terminal()`, for one with a full
        screen."""
        self.first: Callable[[], None] = _nothing
        """Called first in that thread; must take less time than `GRACE`."""
        self._left = threading.Event()
        self._restore = restore or remember_terminal()

    def arm(self) -> None:
        """Start the countdown, in another thread."""
        threading.Thread(target=self.wait, daemon=True, name="last-resort").start()

    def wait(self) -> None:
        """Give the process `GRACE` seconds, then end it with status 129."""
        end = time.monotonic() + GRACE
        self.first()
        if not self._left.wait(max(0.0, end - time.monotonic())):
            _free_terminal()
            self._restore()
            os._exit(STOPPED)

    def cancel(self) -> None:
        """Let the process exit by itself, because it has left its event loop."""
        self._left.set()


def end_process(status: int) -> NoReturn:
    """End this process at once with this exit status, after flushing its output. Its objects are
    not destroyed first: that could take as long as saying goodbye on all links did."""
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            if stream is not None:
                stream.flush()
    os._exit(status)


def usable_cores() -> int:
    """Number of processor cores that this process may use, as far as the system tells; at least
    one."""
    if sys.platform == "linux":
        cores: int | None = len(os.sched_getaffinity(0))
    else:
        cores = os.cpu_count()
    return cores or 1


# Signals


_is_freeing: Final = threading.Event()
"""Set while a signal is sent only to interrupt a write."""


def on_termination(
    loop: asyncio.AbstractEventLoop,
    callback: Callable[[str], None],
    last_resort: LastResort | None = None,
) -> None:
    """Call `callback` in `loop`, with the signal's name, when the process is told to exit.

    The signals are SIGINT, SIGTERM and SIGHUP, on Windows SIGBREAK in place of the last; closing a
    Windows console window counts as SIGBREAK. A signal that was ignored from the start (nohup, a
    background job) stays ignored. The signal also arms `last_resort`. Call this in the main thread.
    """

    # Not loop.add_signal_handler: Windows has none, and its handlers wait for a stuck loop.
    def relay(number: int, _frame: FrameType | None) -> None:
        if _is_freeing.is_set():
            return
        if loop.is_closed():
            signal.signal(number, signal.SIG_DFL)
            signal.raise_signal(number)
            return
        loop.call_soon_threadsafe(callback, signal.Signals(number).name)
        if last_resort is not None:
            last_resort.arm()

    _on_console_event(closing_handler(loop, callback))
    for name in ("SIGTERM", "SIGHUP", "SIGBREAK", "SIGINT"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, relay)


def handle_in_loop(loop: asyncio.AbstractEventLoop, *names: str) -> None:
    """Have the handlers of these signals called by `loop`, as far as the system has such signals.

    A handler that runs between any two instructions would wait for ever if it needed a lock that
    the interrupted code holds, such as that of a queue.
    """
    for name in names:
        number = getattr(signal, name, None)
        handler = signal.getsignal(number) if number is not None else None
        if number is not None and callable(handler):
            loop.add_signal_handler(number, handler, number, None)


@contextlib.contextmanager
def putting_off_interrupts() -> Iterator[None]:
    """Have processes that are started in this context ignore Ctrl-C from the start.

    This process handles a Ctrl-C after the context; on Windows it is lost.
    """
    if sys.platform == "win32":
        handler = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, handler)
    else:
        # They inherit the mask.
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def closing_handler(
    loop: asyncio.AbstractEventLoop, callback: Callable[[str], None]
) -> Callable[[int], bool]:
    """A handler for Windows console events, which the system calls in a thread with the event's
    number.

    It has `callback` called in `loop` when the window is closed, and then blocks, because the
    process ends when the handler returns. It returns False for every other event, and once the loop
    is closed.
    """

    def handle(event: int) -> bool:
        if event not in _CLOSING:
            return False
        try:
            loop.call_soon_threadsafe(callback, "SIGBREAK")
        except RuntimeError:
            return False
        time.sleep(CLOSE_GRACE)
        return True

    return handle


# Event loops


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run `work` in a new event loop, in the main thread, and return its result."""
    with asyncio.Runner(loop_factory=network_loop) as runner:
        return runner.run(work)


def network_loop() -> asyncio.AbstractEventLoop:
    """A new event loop for sockets.

    The default one of Windows stops listening for good when a client hangs up too early, and stops
    reading datagrams when one that it sent was rejected. This one handles Ctrl-C there only when
    something else happens, such as a table's tick.
    """
    return asyncio.SelectorEventLoop()


async def end(*tasks: asyncio.Future[Any] | None) -> list[Any]:
    """Cancel these tasks, of which some may be None, and return their results or the errors that
    they raised."""
    there = [task for task in tasks if task]
    for task in there:
        task.cancel()
    return await asyncio.gather(*there, return_exceptions=True)


# The terminal


def has_terminal() -> bool:
    """Whether a full screen can be shown: stdin is a terminal, and so is the output, which can move
    the cursor."""
    if not (_is_terminal(sys.__stdin__) and _is_terminal(_screen())):
        return False
    # Windows sets no TERM, but all its consoles will do.
    return sys.platform == "win32" or os.environ.get("TERM", "") not in _BLIND_TERMINALS


def has_line_terminal() -> bool:
    """Whether a person types at a terminal that cannot move the cursor; always False on Windows."""
    if not (_is_terminal(sys.__stdin__) and _is_terminal(sys.__stdout__)):
        return False
    return sys.platform != "win32" and os.environ.get("TERM", "") in _BLIND_TERMINALS


def terminal_name() -> str:
    """The system's name for the terminal on stdin; empty if there is none, and on Windows."""
    if not _is_terminal(sys.__stdin__):
        return ""
    try:
        return _name_of(_descriptor(sys.__stdin__))
    except OSError:
        return ""


def computer_name() -> str:
    """The short name of this computer on its network; may be empty."""
    return socket.gethostname().partition(".")[0]


def _screen() -> TextIO | None:
    """The stream that Textual paints on."""
    return sys.__stdout__ if sys.platform == "win32" else sys.__stderr__


@contextlib.contextmanager
def forgiving_screen() -> Iterator[None]:
    """A context in which the stream that Textual draws on ignores errors of a lost terminal."""
    name = "__stdout__" if sys.platform == "win32" else "__stderr__"
    usual = _screen()
    setattr(sys, name, usual and _ForgivingStream(usual))
    try:
        yield
    finally:
        setattr(sys, name, usual)


class _ForgivingStream:
    """A stream to a terminal that ignores errors, because the terminal may be gone."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> None:
        """Write the text; an error is ignored."""
        with contextlib.suppress(OSError):
            self._stream.write(text)

    def flush(self) -> None:
        """Flush the stream; an error is ignored."""
        with contextlib.suppress(OSError):
            self._stream.flush()


def _is_terminal(stream: TextIO | None) -> bool:
    return stream is not None and not stream.closed and stream.isatty()


def remember_terminal() -> Callable[[], None]:
    """A function that restores the terminal's present modes, and leaves the full screen.

    It never blocks, not even on a terminal that has stopped reading. It may be called from any
    thread, twice, and when the terminal is gone. On Windows, or without a terminal, it does
    nothing.
    """
    if not (_is_terminal(sys.__stdin__) and _is_terminal(_screen())):
        return _nothing
    return _remember(_descriptor(sys.__stdin__), _descriptor(_screen()))


def watch_terminal(lost: Callable[[], None], last_resort: LastResort | None = None) -> None:
    """Call `lost` in another thread when the terminal on stdin is gone; does nothing without one.

    `GRACE` seconds later `last_resort` ends the process, unless it was cancelled. On Windows, where
    closing a console ends its processes, `lost` is never called.
    """
    if not _is_terminal(sys.__stdin__):
        return
    arguments = (_descriptor(sys.__stdin__), lost, last_resort or LastResort())
    threading.Thread(target=_watch, args=arguments, daemon=True, name="terminal-watch").start()


def forget_lost_terminal() -> None:
    """If the terminal is gone, replace its streams by the null device, so that a last print does
    not fail."""
    streams = [stream for stream in (sys.__stdin__, sys.__stdout__, sys.__stderr__) if stream]
    lost = [stream.fileno() for stream in streams if _is_lost(stream.fileno())]
    if lost:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in lost:
            os.dup2(nowhere, descriptor)
        os.close(nowhere)


def _watch(terminal: int, lost: Callable[[], None], last_resort: LastResort) -> None:
    _wait_for_hangup(terminal)
    lost()
    last_resort.wait()


def _nothing() -> None:
    pass


def _descriptor(stream: TextIO | None) -> int:
    return -1 if stream is None else stream.fileno()


if sys.platform == "win32":
    _console_handlers: list[object] = []
    """The system does not keep them itself."""

    def _on_console_event(handle: Callable[[int], bool]) -> None:
        known = ctypes.WINFUNCTYPE(ctypes.c_int, ctypes.c_ulong)(handle)
        _console_handlers.append(known)
        ctypes.windll.kernel32.SetConsoleCtrlHandler(known, True)

    def _name_of(terminal: int) -> str:
        return ""

    def _remember(keys: int, screen: int) -> Callable[[], None]:
        return _nothing

    def _free_terminal() -> None:
        pass

    def _is_lost(descriptor: int) -> bool:
        return False

    def _wait_for_hangup(terminal: int) -> None:
        threading.Event().wait()  # forever: there is no hangup to wait for

else:

    def _on_console_event(handle: Callable[[int], bool]) -> None:
        pass

    def _name_of(terminal: int) -> str:
        return os.ttyname(terminal)

    def _remember(keys: int, screen: int) -> Callable[[], None]:
        try:
            modes = termios.tcgetattr(keys)
        except termios.error:
            return _nothing

        def restore() -> None:
            with contextlib.suppress(termios.error, OSError):
                termios.tcsetattr(keys, termios.TCSANOW, modes)
                _write_at_once(screen, _LEAVE_SCREEN)

        return restore

    def _write_at_once(descriptor: int, data: bytes) -> None:
        """Write before anything that a terminal which does not read still has in its buffer."""
        os.set_blocking(descriptor, False)
        try:
            for _ in range(_WRITES):
                termios.tcflush(descriptor, termios.TCOFLUSH)
                # Another thread that still paints may fill it in between.
                with contextlib.suppress(BlockingIOError):
                    if os.write(descriptor, data) == len(data):
                        return
        finally:
            # The shell, which shares this terminal, expects blocking writes.
            os.set_blocking(descriptor, True)

    def _free_terminal() -> None:
        """Interrupt the writes of other threads that are blocked on the terminal, so that this one
        can write."""
        with contextlib.suppress(OSError):
            os.set_blocking(_descriptor(sys.__stderr__), False)
        # Only a signal that has a handler interrupts a write and does nothing worse.
        if callable(signal.getsignal(signal.SIGTERM)):
            _is_freeing.set()
            for thread in threading.enumerate():
                if thread.ident and thread is not threading.current_thread():
                    signal.pthread_kill(thread.ident, signal.SIGTERM)
            time.sleep(_GIVE_UP)

    def _wait_for_hangup(terminal: int) -> None:
        # macOS reports nothing about a terminal unless an event is requested.
        if sys.platform == "darwin" or not _is_hangup_told(terminal):
            _ask_until_gone(terminal)

    def _is_hangup_told(terminal: int) -> bool:
        """Wait for an event of the terminal; returns whether it is a hangup."""
        hangup = select.poll()
        hangup.register(terminal, 0)
        events = [event for _, event in hangup.poll()]
        return any(event & (select.POLLHUP | select.POLLERR) for event in events)

    def _ask_until_gone(terminal: int) -> None:
        while not _is_lost(terminal):
            time.sleep(GRACE)

    def _is_lost(descriptor: int) -> bool:
        """Whether this descriptor was a terminal that is gone; False for a working one, and for a
        pipe."""
        try:
            termios.tcgetattr(descriptor)
        except termios.error as error:
            return error.args[0] in (errno.EIO, errno.ENXIO)
        return False


# The network


def send_at_once(stream: socket.socket) -> None:
    """Set TCP_NODELAY, so that small writes are sent at once; an error is ignored.

    asyncio sets it only for sockets that know their protocol, and on some systems those that were
    accepted, or created after a look-up, do not.
    """
    with contextlib.suppress(OSError):
        stream.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


def refusal_delay() -> float:
    """Seconds after which a refused connection is reported: Windows tries three times first."""
    return 2.1 if sys.platform == "win32" else 0.0


def is_denied(error: OSError) -> bool:
    """Whether this error means that the system itself refuses to send datagrams to the local
    network.

    macOS does so if the user has not allowed the program to use the local network; other systems
    never do.
    """
    return sys.platform == "darwin" and error.errno == errno.EHOSTUNREACH


def can_mix_multicast() -> bool:
    """Whether one socket can send to both IPv4 and IPv6 multicast groups."""
    return sys.platform != "darwin"


def own_port(bound: socket.socket) -> None:
    """Keep other programs from this TCP port; call this before the socket is bound.

    A port that was just released can be bound again at once.
    """
    if sys.platform == "win32":
        # Without it, another program could take over a port that is in use.
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
    else:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)


def share_port(bound: socket.socket) -> None:
    """Let other programs share the port of this UDP socket; call this before it is bound.

    Each of them gets what is sent by multicast or broadcast; what is sent to this machine alone
    reaches only one of them.
    """
    bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if sys.platform != "win32":
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)


def zone(index: int) -> str:
    """The scope id of the adapter with this number in a link-local IPv6 address: its name, or the
    number if that cannot be used."""
    name = ""
    if sys.platform != "win32":
        with contextlib.suppress(OSError):
            name = socket.if_indextoname(index)
    return name if _ZONE.fullmatch(name) else str(index)


def zone_index(zone: str) -> int:
    """The number of the adapter with this scope id; raises `OSError` if there is no such
    adapter."""
    return int(zone) if zone.isdigit() else socket.if_nametoindex(zone)
