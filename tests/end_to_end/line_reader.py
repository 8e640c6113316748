"""Somebody who plays in plain lines: a real program that writes to a pipe and reads from one."""

from __future__ import annotations

import os
import random
import re
import subprocess
import threading
from collections.abc import Mapping, Sequence

from tests.spoof_tui.plain.readers import answer

PATIENCE = 60.0
"""Seconds within which anything is reported that will be."""


class LineReader:
    """Somebody who reads the program's lines from a pipe, and types what they ask for."""

    def __init__(
        self,
        command: Sequence[str],
        env: Mapping[str, str],
        seed: int = 1,
        patience: float = PATIENCE,
    ) -> None:
        """`env` are all the program's variables; `patience` is in seconds."""
        self._patience = patience
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=env,
        )
        self.bytes = b""
        self.is_playing = True
        """Whether a question of the game was answered."""
        self._chance = random.Random(seed)
        self._change = threading.Condition()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    @property
    def lines(self) -> list[str]:
        """All whole lines so far."""
        return self.bytes.decode().replace("\r\n", "\n").split("\n")[:-1]

    def type(self, *texts: str) -> None:
        """Type lines."""
        assert self.process.stdin
        self.process.stdin.write("".join(f"{text}\n" for text in texts).encode())
        self.process.stdin.flush()

    def wait(self, pattern: str, times: int = 1) -> str:
        """Wait until this many lines match; returns the last of them."""
        found: list[str] = []

        def matches() -> bool:
            found[:] = [line for line in self.lines if re.search(pattern, line)]
            return len(found) >= times

        with self._change:
            assert self._change.wait_for(matches, self._patience), f"no {pattern!r} in {self.lines}"
        return found[-1]

    def end(self) -> int:
        """Wait until the program has ended and all its output is read; returns its exit status."""
        status = self.process.wait(PATIENCE)
        self._reader.join(PATIENCE)
        return status

    def close(self) -> None:
        """End the program."""
        self.process.kill()
        self.process.wait()
        self._reader.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout):
            if stream:
                stream.close()

    def _read(self) -> None:
        assert self.process.stdout
        while data := os.read(self.process.stdout.fileno(), 65536):
            before = len(self.lines)
            with self._change:
                self.bytes += data
                self._change.notify_all()
            for line in self.lines[before:]:
                self._answer(line)

    def _answer(self, line: str) -> None:
        if self.is_playing and (said := answer(line, self._chance)) is not None:
            self.type(said)
