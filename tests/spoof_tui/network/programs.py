"""Programs in namespaces that host tables or look for some, and say what they see."""

from __future__ import annotations

import asyncio
import contextlib
import json
import signal
import sys
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

from spoof_tui.network.addresses import DEFAULT_PORT
from tests.helpers.namespaces import Bridge

ROOT = Path(__file__).parents[3]


class Program:
    """A program in a namespace that prints what it sees."""

    def __init__(self, process: Process) -> None:
        self.process = process
        self.state: dict[str, Any] = {}
        """What it printed last."""

    async def until(self, holds: Callable[[dict[str, Any]], bool], within: float) -> float:
        """Wait until it sees something; the seconds that it took."""
        assert self.process.stdout
        began = time.monotonic()
        try:
            async with asyncio.timeout(within):
                while not (self.state and holds(self.state)):
                    line = await self.process.stdout.readline()
                    assert line, "the program has ended"
                    self.state = json.loads(line)
        except TimeoutError:
            raise AssertionError(f"{within} s went by, and it says {self.state}") from None
        return time.monotonic() - began

    @property
    def at(self) -> float:
        """When it printed that, on the clock that all programs of this machine share."""
        return float(self.state["at"])

    async def sees(self, *names: str, within: float) -> float:
        """Wait until exactly these tables are listed."""
        return await self.until(lambda state: set(state["tables"]) == set(names), within)

    async def is_well(self, well: bool = True, within: float = 6.0) -> float:
        """Wait until there is no trouble, or some."""
        return await self.until(lambda state: (state["trouble"] is None) is well, within)

    def kill(self, number: int = signal.SIGKILL) -> None:
        self.process.send_signal(number)


@contextlib.asynccontextmanager
async def running(
    bridge: Bridge, index: int, *argv: str, within: float = 10
) -> AsyncIterator[Program]:
    """Run Python with these words in a namespace; it says something within this many seconds."""
    command = bridge.argv(index, [sys.executable, *argv])
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=ROOT)
    program = Program(process)
    try:
        await program.until(bool, within=within)
        yield program
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


@contextlib.asynccontextmanager
async def together(
    *programs: contextlib.AbstractAsyncContextManager[Program],
) -> AsyncIterator[list[Program]]:
    """Programs that start at the same time, and are all there."""
    async with contextlib.AsyncExitStack() as stack:
        yield await asyncio.gather(*map(stack.enter_async_context, programs))


GREETER = ("-m", "tests.spoof_tui.network.greeter")


def host(
    bridge: Bridge, index: int, name: str, port: int = DEFAULT_PORT
) -> contextlib.AbstractAsyncContextManager[Program]:
    return running(bridge, index, *GREETER, "host", name, str(port))


def look(bridge: Bridge, index: int) -> contextlib.AbstractAsyncContextManager[Program]:
    return running(bridge, index, *GREETER, "look")
