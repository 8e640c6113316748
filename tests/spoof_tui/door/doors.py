"""A door in this process, with a small program behind it, and clients that knock."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import asyncssh

from spoof_tui.door.interface import Interface, Start, TerminalSize, start_program
from spoof_tui.door.ssh_door import Behind, Door
from spoof_tui.door.visitors import Visitor
from spoof_tui.visiting import DoorKind
from tests.spoof_tui.runtime.local_table import until

USUAL: Final = TerminalSize(80, 24)

LIMIT: Final = 30.0
"""Seconds after which something is not coming any more."""

ECHO: Final = "import sys, tty; tty.setraw(0); print('ready', end='', flush=True)\n" + (
    "while (letter := sys.stdin.buffer.raw.read(1)) not in (b'q', b''):\n"
    "    print(letter.decode(), end='', flush=True)"
)
"""A program that shows every key, and ends with q."""


DEAF: Final = (
    "import signal, tty; tty.setraw(0); print('ready', end='', flush=True); signal.pause()"
)
"""A program that reads no key."""

SIZES: Final = """
import fcntl, os, signal, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGWINCH})
while True:
    print(*os.get_terminal_size(), flush=True)
    signal.sigwait({signal.SIGWINCH})
"""
"""A program that shows the size of its terminal, and every other one that it gets."""


def python(program: str) -> list[str]:
    """The command that runs a small program."""
    return [sys.executable, "-S", "-c", program]


class Shown:
    """The interface of a program, and what it painted."""

    def __init__(
        self,
        words: Sequence[str],
        folder: Path,
        size: TerminalSize = USUAL,
        start: Start = start_program,
        **variables: str,
    ) -> None:
        self.picture, self.status = b"", -1
        env = {"PATH": os.environ["PATH"], "TERM": "xterm", **variables}
        self.interface = Interface(words, env, folder, size, self._paint, self._end, start)

    def _paint(self, data: bytes) -> None:
        self.picture += data

    def _end(self, status: int) -> None:
        self.status = status

    async def wait(self, needle: bytes) -> None:
        await until(lambda: needle in self.picture)


class Guest(asyncssh.SSHClient):
    """A client that answers questions: with Enter, once it has no answers left."""

    def __init__(self, *answers: str) -> None:
        self._answers = list(answers)
        self.asked: list[str] = []
        """The text above the questions."""

    def kbdint_auth_requested(self) -> str:
        return ""

    def kbdint_challenge_received(
        self, name: str, instructions: str, lang: str, prompts: Sequence[tuple[str, bool]]
    ) -> list[str]:
        if not prompts:
            return []
        self.asked.append(instructions)
        return [self._answers.pop(0) if self._answers else ""]


class Knocking:
    """An open door, and its address."""

    def __init__(self, door: Door, port: int) -> None:
        self.door, self.port = door, port

    async def connect(self, user: str = "Ben", **options: Any) -> asyncssh.SSHClientConnection:
        """A client that has logged in: as a guest, unless `client_keys` are given."""
        given = {
            "client_factory": Guest,
            "client_keys": [],
            "known_hosts": None,
            "agent_path": None,
            "config": [],
        } | options
        return await asyncssh.connect("127.0.0.1", self.port, username=user, **given)


@asynccontextmanager
async def knocking(
    program: str = ECHO, *, run: Callable[[Visitor], Sequence[str]] | None = None
) -> AsyncIterator[Knocking]:
    """A door with this program behind it."""
    behind = Behind(b"", run or (lambda visitor: python(program)), DoorKind.OWN)
    door = Door(behind, asyncssh.generate_private_key("ssh-ed25519"))
    try:
        yield Knocking(door, await door.open(0))
    finally:
        await door.close()


async def terminal(
    client: asyncssh.SSHClientConnection, shows: str = "ready"
) -> asyncssh.SSHClientProcess[str]:
    """A terminal behind the door that shows this by now."""
    process = await client.create_process(term_type="xterm", term_size=(80, 24))
    await read_until(process.stdout, shows)
    return process


async def read_until(reader: asyncssh.SSHReader[Any], needle: str) -> str:
    """Everything painted until `needle` is."""
    seen = ""
    async with asyncio.timeout(LIMIT):
        while needle not in seen:
            part = await reader.read(4096)
            assert part, f"it ended after {seen!r}"
            seen += str(part)
    return seen
