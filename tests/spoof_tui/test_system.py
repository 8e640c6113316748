"""Signals, and how a process ends. What needs a real terminal is in test_terminal.py."""

import asyncio
import errno
import io
import signal
import subprocess
import sys
import threading
import time

import pytest

from spoof_tui import system
from tests.helpers.unix import HANGUP

CLOSED = 2
"""CTRL_CLOSE_EVENT of Windows."""

ENDINGS = (signal.SIGTERM, HANGUP, signal.SIGINT)


class Console(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


INTERRUPTED = """
import os, signal, subprocess, sys
from spoof_tui import system
interrupt = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('goes on', flush=True)"
try:
    with system.putting_off_interrupts():
        exec(interrupt)
        subprocess.run([sys.executable, "-c", interrupt])
    print("lost")
except KeyboardInterrupt:
    print("stops")
"""


@pytest.mark.unix("signals to other programs")
def test_an_interrupt_is_put_off_here_and_ignored_by_processes_that_are_started_meanwhile() -> None:
    assert run(INTERRUPTED).stdout.split("\n") == ["goes on", "goes on", "stops", ""]


@pytest.mark.parametrize("number", ENDINGS)
async def test_a_signal_calls_back_in_the_loop_with_its_name(
    number: signal.Signals, usual_signals: None
) -> None:
    loop = asyncio.get_running_loop()
    told: asyncio.Future[str] = loop.create_future()
    system.on_termination(loop, told.set_result)
    signal.raise_signal(number)
    assert await asyncio.wait_for(told, 5) == number.name


@pytest.mark.unix("signals in the event loop")
async def test_a_handler_in_the_loop_never_waits_for_what_it_interrupted() -> None:
    lock, got = threading.Lock(), asyncio.Event()

    def handle(*_given: object) -> None:
        assert lock.acquire(blocking=False)
        lock.release()
        got.set()

    usual = signal.signal(signal.SIGTSTP, handle)
    try:
        system.handle_in_loop(asyncio.get_running_loop(), "SIGTSTP", "SIG_OF_NO_SYSTEM")
        with lock:
            signal.raise_signal(signal.SIGTSTP)
        await asyncio.wait_for(got.wait(), 5)
    finally:
        signal.signal(signal.SIGTSTP, usual)


async def test_an_ignored_signal_stays_ignored(usual_signals: None) -> None:
    signal.signal(HANGUP, signal.SIG_IGN)
    system.on_termination(asyncio.get_running_loop(), lambda name: None)
    assert signal.getsignal(HANGUP) is signal.SIG_IGN


async def test_a_closed_window_of_windows_calls_back_and_keeps_the_system_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    loop, waits = asyncio.get_running_loop(), list[float]()
    told: asyncio.Future[str] = loop.create_future()
    monkeypatch.setattr(time, "sleep", waits.append)
    handle = system.closing_handler(loop, told.set_result)
    assert await loop.run_in_executor(None, handle, CLOSED)
    assert await asyncio.wait_for(told, 5) == "SIGBREAK"
    assert waits == [system.CLOSE_GRACE]
    other = system.closing_handler(loop, pytest.fail)
    assert not (other(0) or other(1))
    ended = asyncio.new_event_loop()
    ended.close()
    assert not system.closing_handler(ended, pytest.fail)(CLOSED)


@pytest.mark.unix("signals that end a program")
def test_a_signal_after_the_loop_has_its_usual_effect() -> None:
    program = (
        "import asyncio, os; from spoof_tui import system; loop = asyncio.new_event_loop()\n"
        "system.on_termination(loop, print); loop.close(); os.kill(os.getpid(), 15)"
    )
    assert run(program).returncode == -signal.SIGTERM


def test_the_last_resort_does_first_what_it_was_given() -> None:
    program = (
        "import threading; from spoof_tui import system; system.GRACE = 0.01\n"
        "resort = system.LastResort(); resort.first = lambda: print('goodbye', flush=True)\n"
        "resort.arm(); threading.Event().wait()"
    )
    ended = run(program)
    assert (ended.returncode, ended.stdout) == (system.STOPPED, "goodbye\n")


def test_a_process_ends_at_once_and_loses_nothing_that_was_printed() -> None:
    program = (
        "import atexit; from spoof_tui import system; atexit.register(print, 'late')\n"
        "print('all'); system.end_process(3)"
    )
    ended = run(program)
    assert (ended.returncode, ended.stdout) == (3, "all\n")


@pytest.mark.parametrize(
    ("platform", "painted", "expected"),
    [
        ("linux", "__stderr__", True),
        ("linux", "__stdout__", False),
        ("win32", "__stderr__", False),
        ("win32", "__stdout__", True),
    ],
)
def test_the_screen_is_where_textual_paints(
    platform: str, painted: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("__stdin__", "__stdout__", "__stderr__"):
        is_terminal = name in ("__stdin__", painted)
        monkeypatch.setattr(sys, name, Console() if is_terminal else io.StringIO())
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setenv("TERM", "xterm")
    assert system.has_terminal() is expected


@pytest.mark.unix("terminals without a cursor")
@pytest.mark.parametrize(
    ("term", "expected"), [("dumb", True), ("", True), ("unknown", True), ("xterm", False)]
)
def test_a_terminal_without_cursor_shows_lines(
    term: str, expected: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "__stdin__", Console())
    monkeypatch.setattr(sys, "__stdout__", Console())
    monkeypatch.setenv("TERM", term)
    assert system.has_line_terminal() is expected
    monkeypatch.setattr(sys, "__stdout__", io.StringIO())
    assert not system.has_line_terminal()


@pytest.mark.unix("pseudo terminals")
@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_a_lost_terminal_is_noticed(platform: str) -> None:
    program = (
        "import os, pty, sys, threading; from spoof_tui import system\n"
        "sys.platform, system.GRACE = sys.argv[1], 0.01; lost = threading.Event()\n"
        "keys, screen = pty.openpty(); os.dup2(screen, 0); os.close(screen)\n"
        "resort = system.LastResort(); resort.cancel(); system.watch_terminal(lost.set, resort)\n"
        "os.close(keys); sys.exit(not lost.wait(20))"
    )
    assert run(program, platform).returncode == 0


# The network


def test_only_macos_says_that_a_network_is_denied(monkeypatch: pytest.MonkeyPatch) -> None:
    no_way, other = OSError(errno.EHOSTUNREACH, ""), OSError(errno.ENETDOWN, "")
    assert not system.is_denied(no_way)
    monkeypatch.setattr(sys, "platform", "darwin")
    assert system.is_denied(no_way) and not system.is_denied(other)
