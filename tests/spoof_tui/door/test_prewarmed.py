"""A program that waits for its visitor."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from spoof_tui.door.interface import TerminalSize
from spoof_tui.door.prewarmed import Prewarmed
from tests.spoof_tui.door.doors import Shown
from tests.spoof_tui.runtime.local_table import until

ROOT: Final = Path(__file__).parents[3]
PROGRAM: Final = """
import os, sys
words = sys.argv[1:]
if words == ["--waits"]:
    from spoof_tui.door.prewarmed import become_visitors
    words = ["waited", *become_visitors()]
print(os.getpid(), *words, os.environ.get("TERM"), sorted(os.environ).count("OWN"), os.getcwd())
print(os.get_terminal_size(0).columns, os.isatty(2), input())
"""
COMMAND: Final = [sys.executable, "-c", PROGRAM]


@contextmanager
def ahead() -> Iterator[Prewarmed]:
    one = Prewarmed(COMMAND, {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "OWN": "1"})
    try:
        yield one
    finally:
        one.close()


def has_ended(pid: int | None) -> bool:
    """Whether a child has ended; it stays to be waited for."""
    assert pid is not None
    return os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is not None


class Visit(Shown):
    """One visitor, whose program says what it was told, and ends at Enter."""

    def __init__(self, ahead: Prewarmed, folder: Path) -> None:
        words, size = [*COMMAND, "--name=Ann"], TerminalSize(45, 20)
        super().__init__(words, folder, size, ahead.start, PYTHONPATH=str(ROOT))

    async def says(self) -> list[str]:
        """What the program says until it has ended."""
        self.interface.feed(b"done\r", lambda: None)
        await until(lambda: self.status >= 0)
        assert self.status == 0, self.picture
        return self.picture.decode().split("\r\n")


def pid_of(one: Prewarmed) -> int | None:
    """The process that waits; None if there is none."""
    return one._waiting[0].pid if one._waiting else None


async def test_who_waits_becomes_the_program_of_the_visitor_and_nothing_else(state: Path) -> None:
    with ahead() as one:
        one.begin()
        waiting = pid_of(one)
        visit = Visit(one, state)
        said = await visit.says()
    assert said[0] == f"{waiting} waited --name=Ann xterm 0 {state}"
    assert said[1] == "45 True done"


async def test_a_visitor_for_whom_nobody_waits_gets_a_program_of_their_own(state: Path) -> None:
    with ahead() as one:
        said = await Visit(one, state).says()
    assert said[0].split(" ", 1)[1] == f"--name=Ann xterm 0 {state}"


async def test_one_that_was_killed_while_it_waited_is_replaced(state: Path) -> None:
    with ahead() as one:
        one.begin()
        waiting = pid_of(one)
        assert waiting is not None
        os.kill(waiting, signal.SIGKILL)
        await until(lambda: has_ended(waiting))
        said = await Visit(one, state).says()
    assert said[0].split(" ", 1)[1] == f"--name=Ann xterm 0 {state}"


async def test_another_one_waits_after_a_while(state: Path) -> None:
    with ahead() as one:
        one.begin()
        first = pid_of(one)
        await Visit(one, state).says()
        await until(lambda: pid_of(one) is not None)
        assert pid_of(one) != first


def test_nobody_waits_at_a_door_that_is_closed() -> None:
    with ahead() as one:
        one.begin()
        pid = pid_of(one)
        assert pid is not None
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
