"""How much of the processor a visitor's program gets."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import pytest

from spoof_tui.door import priority
from spoof_tui.door.priority import LOWEST, SHARE, Priority, processor_time
from tests.end_to_end.homes import eventually

NOW: Final = 1000.0
BURST: Final = 0.1
"""Seconds of processor time, so that the tests need not take much."""

WORKS: Final = """
import sys, time
for line in sys.stdin:
    until = time.process_time() + float(line)
    while time.process_time() < until:
        pass
    print(flush=True)
"""

pytestmark = pytest.mark.skipif(
    not priority.session("self").exists(), reason="the system shares by processes, or does not tell"
)


@pytest.fixture(autouse=True)
def short_burst(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(priority, "BURST", BURST)


SHARED = """
import os, subprocess, sys
from spoof_tui.door import priority
before = priority.session("self").read_text()
lowers = "import os; from spoof_tui.door import priority; priority.set_niceness(os.getpid(), 19)"
subprocess.run([sys.executable, "-c", lowers], check=True)
print(priority.session("self").read_text() == before)
"""
"""Starts a program that lowers its priority in this one's session, and says whether it stays."""


class Visit:
    """A program that takes processor time when it is told to."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", WORKS],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.pid = self._process.pid

    def work(self, seconds: float) -> None:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin and stdout
        stdin.write(f"{seconds}\n")
        stdin.flush()
        assert stdout.readline()

    def end(self) -> None:
        self._process.communicate()

    @property
    def niceness(self) -> int:
        return int(priority.session(self.pid).read_text().split()[-1])


@contextmanager
def visit() -> Iterator[Visit]:
    one = Visit()
    one.work(0)
    try:
        yield one
    finally:
        one.end()


def changes(shared: Priority, now: float, one: Visit, wanted: int) -> None:
    """The niceness becomes what is wanted; the system may refuse the first attempts."""

    def is_changed() -> bool:
        shared.adjust(now)
        return one.niceness == wanted

    eventually(is_changed, f"niceness {wanted}")


def test_who_takes_more_than_a_share_comes_last_until_that_is_made_good() -> None:
    with visit() as one:
        assert priority.set_niceness(one.pid, priority.usual())
        shared, before = Priority(one.pid, NOW), processor_time(one.pid)
        one.work(0.5 * BURST)
        shared.adjust(NOW)
        assert one.niceness == priority.usual() < LOWEST
        one.work(0.8 * BURST)
        changes(shared, NOW, one, LOWEST)
        assert os.getpriority(os.PRIO_PROCESS, one.pid) == LOWEST
        owed = (processor_time(one.pid) - before) / SHARE
        shared.adjust(NOW + 0.9 * owed)
        assert one.niceness == LOWEST
        changes(shared, NOW + 1.1 * owed, one, priority.usual())


def test_who_takes_no_more_than_a_share_keeps_the_usual_priority() -> None:
    with visit() as one:
        assert priority.set_niceness(one.pid, priority.usual())
        shared, now = Priority(one.pid, NOW), NOW
        for _ in range(4):
            one.work(0.5 * BURST)
            now += 0.6 * BURST / SHARE
            shared.adjust(now)
            assert one.niceness == priority.usual()


def test_a_process_that_is_gone_is_left_alone() -> None:
    with visit() as one:
        shared = Priority(one.pid, NOW)
        one.work(2 * BURST)
    shared.adjust(NOW)
    assert processor_time(one.pid) == 0
    assert not priority.set_niceness(one.pid, LOWEST)


def test_a_session_that_a_visitor_only_shares_keeps_its_priority() -> None:
    command = [sys.executable, "-c", SHARED]
    ran = subprocess.run(
        command, capture_output=True, text=True, check=True, start_new_session=True
    )
    assert ran.stdout.strip() == "True"
