"""Programs in namespaces that say what they see."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import sys
from asyncio import StreamReader
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator, Callable, Sequence
from pathlib import Path
from typing import Any

from tests.helpers import warm
from tests.helpers.namespaces import Bridge

ROOT = Path(__file__).parents[2]


class Program:
    """A program in a namespace that prints what it sees."""

    def __init__(self, said: StreamReader) -> None:
        self._said = said
        self.state: dict[str, Any] = {}
        """Its last output."""

    async def until(self, holds: Callable[[dict[str, Any]], bool], within: float) -> None:
        """Wait until it sees something."""
        try:
            async with asyncio.timeout(within):
                while not (self.state and holds(self.state)):
                    line = await self._said.readline()
                    assert line, "the program has ended"
                    self.state = json.loads(line)
        except TimeoutError:
            raise AssertionError(f"{within} s went by, and it says {self.state}") from None


@contextlib.asynccontextmanager
async def running(
    bridge: Bridge, index: int, *argv: str, within: float = 10
) -> AsyncIterator[Program]:
    """Run Python with these words in a namespace; it says something within this many seconds."""
    words = [sys.executable, *argv]
    start = _forked if warm.can_start(words) else _started
    async with start(bridge, index, words) as program:
        await program.until(bool, within=within)
        yield program


@contextlib.asynccontextmanager
async def _started(bridge: Bridge, index: int, words: Sequence[str]) -> AsyncIterator[Program]:
    command = bridge.argv(index, words)
    process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, cwd=ROOT)
    assert process.stdout
    try:
        yield Program(process.stdout)
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.communicate()


@contextlib.asynccontextmanager
async def _forked(bridge: Bridge, index: int, words: Sequence[str]) -> AsyncIterator[Program]:
    said = StreamReader()
    here, there = os.pipe()
    pipe, _ = await asyncio.get_running_loop().connect_read_pipe(
        lambda: asyncio.StreamReaderProtocol(said), os.fdopen(here, "rb")
    )
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    try:
        # In a thread: the process that forks may have much to import first.
        process = await asyncio.to_thread(warm.start, words, there, env, bridge.name(index))
    finally:
        os.close(there)
    try:
        yield Program(said)
    finally:
        pipe.close()
        process.send_signal(signal.SIGKILL)
        await asyncio.to_thread(process.wait)
