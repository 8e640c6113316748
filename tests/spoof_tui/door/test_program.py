"""A door as its host's program sees it."""

import asyncio
import os
import signal
import sys
import time
from pathlib import Path

import pytest

from spoof_tui.door import program
from spoof_tui.door.program import PROGRAM, START_TIMEOUT, DoorFailed, DoorOpened, DoorProgram

ADDRESS = "127.0.0.1:7763"
BABBLING = [sys.executable, "-S", "-c", "print('x' * 100_000)"]
DEAF = [sys.executable, "-S", "-c", "import time; print('{}', flush=True); time.sleep(600)"]

HOLDS = """
import subprocess
holder = subprocess.Popen(["sleep", "1000"], start_new_session=True)
open({!r}, "w").write(str(holder.pid))
"""


async def test_a_door_opens_and_closes() -> None:
    door = DoorProgram()
    opened = await door.open(bytes(32), ADDRESS, 0)
    assert isinstance(opened, DoorOpened), opened
    assert opened.fingerprint.startswith("SHA256:")
    _, writer = await asyncio.open_connection("127.0.0.1", opened.port)
    await door.close()
    assert door._process is None
    with pytest.raises(OSError):
        await asyncio.open_connection("127.0.0.1", opened.port)
    writer.close()


async def test_a_door_that_ends_by_itself_is_missed() -> None:
    door, ended = DoorProgram(PROGRAM), asyncio.Event()
    door.on_end = ended.set
    assert isinstance(await door.open(bytes(32), ADDRESS, 0), DoorOpened)
    assert door._process
    door._process.terminate()
    async with asyncio.timeout(30):
        await ended.wait()
    assert door._process is None


@pytest.mark.parametrize("words", [BABBLING, ["/nowhere"]])
async def test_what_is_no_door_has_failed(
    words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "END_TIMEOUT", 0.1)
    door = DoorProgram(words)
    assert isinstance(await door.open(bytes(32), ADDRESS, 0), DoorFailed)
    assert door._process is None


async def test_a_door_that_is_gone_has_failed_though_somebody_holds_its_output(
    tmp_path: Path,
) -> None:
    holder = tmp_path / "holder"
    began = time.monotonic()
    words = [sys.executable, "-S", "-c", HOLDS.format(str(holder))]
    assert isinstance(await DoorProgram(words).open(bytes(32), ADDRESS, 0), DoorFailed)
    os.kill(int(holder.read_text()), signal.SIGKILL)
    assert time.monotonic() - began < START_TIMEOUT / 2


async def test_a_door_that_does_not_end_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program, "END_TIMEOUT", 0.1)
    door = DoorProgram(DEAF)
    await door.open(bytes(32), ADDRESS, 0)
    assert door._process is None
