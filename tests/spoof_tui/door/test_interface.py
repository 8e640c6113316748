"""A visitor's program in its own terminal."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from spoof_tui.door.interface import KEYS_BURST, NO_STATUS
from tests.spoof_tui.door.doors import DEAF, ECHO, Shown, python
from tests.spoof_tui.runtime.local_table import until

STUBBORN = """
import signal, time
signal.signal(signal.SIGHUP, signal.SIG_IGN)
print("here", flush=True)
while True:
    time.sleep(60)
"""
POLITE = """
import signal
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
print("here", flush=True)
signal.sigwait({signal.SIGHUP})
raise SystemExit(3)
"""
FLOOD = "while True: print('x' * 200)"


HOLDS = """
import subprocess
holder = subprocess.Popen(["sleep", "1000"], start_new_session=True)
open("holder", "w").write(str(holder.pid))
"""


@pytest.fixture
async def shown(state: Path) -> AsyncIterator[list[Shown]]:
    """Processes that were started, and are ended afterwards."""
    started: list[Shown] = []
    yield started
    for each in started:
        await each.interface.end()


async def test_a_program_that_ends_is_missed_though_somebody_holds_its_terminal(
    shown: list[Shown], state: Path
) -> None:
    shown.append(one := Shown(python(HOLDS + "print('bye'); raise SystemExit(7)"), state))
    await until(lambda: one.status >= 0)
    holder = int((state / "holder").read_text())
    os.kill(holder, signal.SIGKILL)
    assert (one.status, one.picture) == (7, b"bye\r\n")


@pytest.mark.parametrize(("program", "status"), [(POLITE, 3), (STUBBORN, NO_STATUS)])
async def test_a_program_is_told_to_end_and_one_that_stays_is_ended_by_force(
    program: str, status: int, shown: list[Shown], state: Path
) -> None:
    shown.append(one := Shown(python(program), state))
    await one.wait(b"here")
    await one.interface.end()
    assert one.status == status
    with pytest.raises(ProcessLookupError):
        os.kill(one.interface._process.pid, 0)


async def test_nothing_is_read_for_a_reader_that_waits(shown: list[Shown], state: Path) -> None:
    shown.append(one := Shown(python(FLOOD), state))
    await until(lambda: len(one.picture) > 10_000)
    one.interface.pause()
    held = len(one.picture)
    for _ in range(100):
        await asyncio.sleep(0)
    assert len(one.picture) == held
    one.interface.resume()
    await until(lambda: len(one.picture) > held)


async def test_a_flood_of_keys_is_passed_on_bit_by_bit(shown: list[Shown], state: Path) -> None:
    shown.append(one := Shown(python(ECHO), state))
    await one.wait(b"ready")
    drained = asyncio.Event()
    one.interface.feed(b"x" * (KEYS_BURST + 1000), drained.set)
    assert not one.interface.has_room
    await asyncio.wait_for(drained.wait(), 30)
    await one.wait(b"x" * (KEYS_BURST + 1000))


async def test_a_program_that_reads_no_keys_keeps_nobody_waiting(
    shown: list[Shown], state: Path
) -> None:
    shown.append(one := Shown(python(DEAF), state))
    await one.wait(b"ready")
    for _ in range(4):
        one.interface.feed(b"x" * 4096, lambda: None)
    assert not one.interface.has_room
    await one.interface.end()
    assert one.status >= 0
