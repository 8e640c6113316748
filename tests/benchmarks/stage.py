"""The real programs that benchmarks look at, each with its own state directory."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final, Self

from tests.helpers import warm
from tests.helpers.pty import Terminal

PROGRAMS: Final = Path(__file__).parent / "programs"
ROOT: Final = Path(__file__).parents[2]

_LISTENS: Final = re.compile(r"port (\d+)")


def spoof(*words: str) -> list[str]:
    """The command line of the program, as a player starts it if it is installed."""
    return [*program(), *words]


def program() -> list[str]:
    """The words that start the program."""
    installed = Path(sys.executable).with_name("spoof")
    return [str(installed)] if installed.exists() else [sys.executable, "-m", "spoof_tui"]


def traced(file: Path, *words: str) -> list[str]:
    """The command line of the program that notes in a file when it passes certain points."""
    return [sys.executable, "-m", "tests.benchmarks.programs.traced", str(file), *words]


def bare(name: str, *words: str) -> list[str]:
    """The command line of one of the bare programs."""
    return [sys.executable, str(PROGRAMS / f"{name}.py"), *words]


class Stage:
    """A context manager: what is started on it ends with it."""

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as ending:
            self._home = Path(ending.enter_context(tempfile.TemporaryDirectory()))
            self._numbers = itertools.count(1)
            self.pids: list[int] = []
            """The processes that were started, in order."""
            self._ending = ending.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    def state(self, name: str) -> dict[str, str]:
        """The environment of a returning player called `name`."""
        folder = self._home / str(next(self._numbers))
        folder.mkdir(mode=0o700)
        settings = {"name": name, "confirm_endings": False}
        (folder / "settings.json").write_text(json.dumps(settings), "utf-8")
        return {"SPOOF_STATE": str(folder), "COLORTERM": "truecolor"}

    def screen(
        self, argv: Sequence[str], name: str = "Ottilie", netns: str | None = None
    ) -> Terminal:
        """A program in a terminal of 80 by 24 cells."""
        return self._ending.enter_context(Terminal(argv, env=self.state(name), netns=netns))

    def process(
        self, argv: Sequence[str], env: dict[str, str] | None = None
    ) -> subprocess.Popen[str]:
        """A program that is talked to by lines."""
        process = subprocess.Popen(
            argv, cwd=ROOT, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        self._ending.callback(_end, process)
        self.pids.append(process.pid)
        return process

    def afterwards(self, what: Callable[[], object]) -> None:
        """Run this once everything started from now on has been ended."""
        self._ending.callback(what)

    def file(self, name: str) -> Path:
        """A file to write into inside the context."""
        return self._home / name

    def host(
        self,
        *words: str,
        inside: Sequence[str] = (),
        program: Callable[..., list[str]] = spoof,
    ) -> int:
        """A table without a screen, perhaps inside of a namespace; its port."""
        options = ("--headless", "--open", "--port", "0", "--table", "Bench", *words)
        env = {**os.environ, **self.state("Host")}
        argv = warm.words(program("host", *options), env)
        process = self.process([*inside, *argv], env)
        assert process.stdout
        line = process.stdout.readline()
        listens = _LISTENS.search(line)
        if listens is None:
            raise RuntimeError(f"the table did not open: {line!r}")
        return int(listens[1])


def _end(process: subprocess.Popen[str]) -> None:
    process.kill()
    process.communicate()
