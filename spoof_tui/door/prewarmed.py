"""A visitor's program that starts before its visitor comes, and has imported everything by then.

Importing takes most of the time of a start. Through a socket, the door gives the waiting program
the words, variables, directory and terminal with which it would otherwise have been started.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from spoof_tui.door.interface import start_program

WAITS: Final = "--waits"
"""The word on the command line of a program that waits for its visitor."""

REST: Final = 2.0
"""Seconds after a visitor came in for which no other program is started, because theirs needs the
processor."""

_MAX: Final = 1 << 16
"""Maximum bytes of the message from the door to the waiting program."""


class Prewarmed:
    """At most one program that waits for a visitor; belongs to one event loop."""

    def __init__(self, words: Sequence[str], environment: Mapping[str, str]) -> None:
        """`words` begin the command of every visitor; `environment` is that of the waiting program
        while it imports."""
        self._words, self._environment = words, environment
        self._waiting: tuple[subprocess.Popen[bytes], socket.socket] | None = None
        self._next: asyncio.TimerHandle | None = None

    def begin(self) -> None:
        """Start a program that waits. If that fails, the next visitor's program is started when
        they come."""
        here, there = socket.socketpair()
        with there, contextlib.suppress(OSError):
            process = subprocess.Popen(
                [*self._words, WAITS],
                # All three, for a stream cannot turn from a file into a terminal.
                stdin=there.fileno(),
                stdout=there.fileno(),
                stderr=there.fileno(),
                env=dict(self._environment),
                start_new_session=True,
            )
            self._waiting = process, here
            return
        here.close()

    def start(
        self, words: Sequence[str], environment: Mapping[str, str], folder: Path, terminal: int
    ) -> subprocess.Popen[bytes]:
        """The program of a visitor: the one that waits, or one started as by `start_program`;
        raises `OSError`. Another one is started to wait after `REST` seconds."""
        waiting, self._waiting = self._waiting, None
        if self._next:
            self._next.cancel()
        self._next = asyncio.get_running_loop().call_later(REST, self.begin)
        if waiting is not None:
            process, link = waiting
            own = words[len(self._words) :]
            said = {"words": own, "environment": dict(environment), "folder": str(folder)}
            with link, contextlib.suppress(OSError):
                socket.send_fds(link, [json.dumps(said).encode()], [terminal])
                return process
            _end(process)
        return start_program(words, environment, folder, terminal)

    def close(self) -> None:
        """End the program that waits, and start no other."""
        if self._next:
            self._next.cancel()
        if self._waiting:
            process, link = self._waiting
            link.close()
            _end(process)
        self._waiting = None


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()


def become_visitors() -> list[str]:
    """Wait for a visitor, then take over their variables, directory and terminal; returns the words
    of their command line.

    Exits if the door ends first.
    """
    with socket.socket(fileno=os.dup(0)) as link:
        said, terminals, _flags, _address = socket.recv_fds(link, _MAX, 1)
    if not terminals:
        raise SystemExit(1)
    told = json.loads(said)
    os.environ.clear()
    os.environ.update(told["environment"])
    time.tzset()
    os.chdir(told["folder"])
    for descriptor in range(3):
        os.dup2(terminals[0], descriptor)
    os.close(terminals[0])
    return list(told["words"])
