"""People with nothing but an OpenSSH client, and a table with a door for them."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.end_to_end import markers
from tests.end_to_end.homes import TABLE, Home, eventually, free_port
from tests.helpers.pty import Terminal

PHONE = 45, 20
"""Columns and rows of a telephone held upright."""

OFFICE = 80, 24

BY_SSH = "You came in by ssh"
CODE = "You’ll only"
COMEBACK = "Your return word, or Enter"
"""The question to somebody who logs in by another guest's name."""

OPEN = "Without Spoof, by ssh"
"""The line that a host reads while the door is open."""


def options_of(port: int, key: Path | None, **more: str) -> list[str]:
    """The options of an OpenSSH client that knows nothing of this machine."""
    options = {
        "Port": str(port),
        "StrictHostKeyChecking": "no",
        "UserKnownHostsFile": "/dev/null",
        "LogLevel": "ERROR",
        "IdentitiesOnly": "yes",
        "IdentityAgent": "none",
        "IdentityFile": str(key) if key else "none",
    }
    given = [f"-o{name}={value}" for name, value in (options | more).items()]
    return ["-F", "none", *given]


def new_key(path: Path) -> Path:
    """An ssh key, made there."""
    command = ("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path))
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return path


class Door:
    """A table whose host lets people in by ssh."""

    def __init__(
        self,
        parent: Path,
        stack: ExitStack,
        host: str = "Anna",
        table: str = TABLE,
        netns: str | None = None,
    ) -> None:
        """Open it until `stack` is left; the test is skipped where there is no ssh."""
        if shutil.which("ssh") is None or shutil.which("ssh-keygen") is None:
            pytest.skip("needs ssh: apt-get install openssh-client")
        self._parent, self._stack = parent, stack
        self.port, self.table_port = free_port(), free_port()
        self.anna = Home.make(parent, host)
        words = ("--port", str(self.table_port), "--table", table, "--ssh", str(self.port))
        self.host = self.anna.start("host", *words, netns=netns)
        stack.callback(self.host.close, signal.SIGTERM)
        self.host.wait(OPEN)
        self.code = markers.code(self.host.text())

    def key(self, name: str) -> Path:
        """An ssh key of somebody."""
        return new_key(self._parent / f"{name}.key")

    def call(
        self,
        name: str,
        key: Path | None = None,
        size: tuple[int, int] = OFFICE,
        env: Mapping[str, str] | None = None,
        netns: str | None = None,
        host: str = "127.0.0.1",
        **options: str,
    ) -> Terminal:
        """Somebody logs in under this name, with a key or without."""
        words = ["ssh", *options_of(self.port, key, **options), f"{name}@{host}"]
        terminal = Terminal(words, *size, env, netns)
        self._stack.callback(self.hang_up, terminal)
        return terminal

    @staticmethod
    def hang_up(terminal: Terminal) -> None:
        """End a client, even a stopped one."""
        terminal.kill(signal.SIGCONT)
        terminal.close(signal.SIGKILL)

    def sit(self, name: str, key: Path | None = None, size: tuple[int, int] = OFFICE) -> Terminal:
        """Somebody logs in, types the code, and has a seat."""
        terminal = self.call(name, key, size)
        terminal.wait(CODE)
        terminal.send(f"{self.code}\r")
        terminal.wait(BY_SSH)
        terminal.wait(markers.READY)
        return terminal

    def run(self, *words: str, timeout: float = 60.0) -> subprocess.CompletedProcess[str]:
        """Run an OpenSSH command without a terminal to its end."""
        return subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )

    def homes(self) -> list[Home]:
        """The state directories of the visitors."""
        return [Home(path, "") for path in sorted(self.anna.path.glob("door/*/*/"))]

    def interfaces(self) -> list[int]:
        """The processes of the visitors."""
        found = [each for each in _processes() if "visit" in each[1] and self._is_ours(each[1])]
        return [pid for pid, _words in found]

    def _is_ours(self, words: Sequence[str]) -> bool:
        return f"127.0.0.1:{self.table_port}" in words

    def nobody_is_left(self) -> None:
        """Wait until no visitor's process is left."""
        eventually(lambda: not self.interfaces(), "the end of the interfaces", 20.0)


def _processes() -> list[tuple[int, list[str]]]:
    """Every process of this machine with its words."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue  # it has ended meanwhile
        found.append((int(path.parent.name), words))
    return found
