"""Signals, and how a process ends. What needs a real terminal is in test_terminal.py."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from spoof_tui import system

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and modes of POSIX")

ENDINGS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


@pytest.fixture
def usual_signals() -> Iterator[None]:
    usual = {number: signal.getsignal(number) for number in ENDINGS}
    yield
    for number, handler in usual.items():
        signal.signal(number, handler)


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=30)


@pytest.mark.parametrize("number", ENDINGS)
async def test_a_signal_calls_back_in_the_loop_with_its_name(
    number: signal.Signals, usual_signals: None
) -> None:
    loop = asyncio.get_running_loop()
    told: asyncio.Future[str] = loop.create_future()
    system.on_termination(loop, told.set_result, interrupt=True)
    os.kill(os.getpid(), number)
    assert await asyncio.wait_for(told, 5) == number.name


async def test_an_ignored_signal_stays_ignored(usual_signals: None) -> None:
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    system.on_termination(asyncio.get_running_loop(), lambda name: None)
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


async def test_interrupt_is_left_alone_unless_asked_for(usual_signals: None) -> None:
    usual = signal.getsignal(signal.SIGINT)
    system.on_termination(asyncio.get_running_loop(), lambda name: None)
    assert signal.getsignal(signal.SIGINT) is usual


def test_a_signal_after_the_loop_has_its_usual_effect() -> None:
    program = (
        "import asyncio, os; from spoof_tui import system; loop = asyncio.new_event_loop()\n"
        "system.on_termination(loop, print); loop.close(); os.kill(os.getpid(), 15)"
    )
    assert run(program).returncode == -signal.SIGTERM


def test_the_last_resort_ends_a_stuck_process() -> None:
    program = (
        "import threading; from spoof_tui import system; system.GRACE = 0.01\n"
        "system.LastResort().arm(); threading.Event().wait()"
    )
    assert run(program).returncode == system.STOPPED


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


def test_a_cancelled_last_resort_lets_the_process_end_by_itself() -> None:
    program = (
        "import time; from spoof_tui import system; system.GRACE = 0.05\n"
        "resort = system.LastResort(); resort.arm(); resort.cancel(); time.sleep(0.2)"
    )
    assert run(program).returncode == 0


def test_pipes_are_no_terminal() -> None:
    program = "from spoof_tui import system; print(system.has_terminal())"
    assert run(program).stdout == "False\n"


def test_a_legacy_locale_prints_utf8() -> None:
    command = [sys.executable, "-c", "from spoof_tui import system; system.use_utf8(); print('●')"]
    environment = os.environ | {"PYTHONIOENCODING": "latin-1"}
    done = subprocess.run(command, capture_output=True, env=environment, check=True)
    assert done.stdout.decode() == "●\n"


def test_the_system_loads_no_interface() -> None:
    program = "import sys, spoof_tui.system; sys.exit('textual' in sys.modules)"
    assert run(program).returncode == 0


# The network


def test_an_adapter_is_named_as_its_addresses_name_it() -> None:
    for index, name in socket.if_nameindex():
        assert system.zone(index) in (name, str(index))
        assert system.zone_index(system.zone(index)) == index


def test_a_name_that_fits_no_address_gives_way_to_the_number(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name in ("7", "café", "a b", ""):
        monkeypatch.setattr(socket, "if_indextoname", lambda _, name=name: name)
        assert system.zone(12) == "12"
    assert system.zone_index("12") == 12


def test_an_adapter_that_is_gone_is_an_error() -> None:
    with pytest.raises(OSError):
        system.zone_index("no-such-adapter")


def test_two_sockets_share_a_port() -> None:
    with (
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other,
    ):
        system.share_port(one)
        system.share_port(other)
        one.bind(("127.0.0.1", 0))
        other.bind(one.getsockname())
