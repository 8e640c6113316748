"""An open table to which anybody comes, whom its host need not keep."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.end_to_end import markers
from tests.end_to_end.machine import Machine


@pytest.fixture
def machine(state: Path) -> Iterator[Machine]:
    with ExitStack() as stack:
        yield Machine(state, stack, is_open=True)


def test_two_friends_play_after_three_strangers_have_come_and_gone_silent(
    machine: Machine,
) -> None:
    friend = machine.join(machine.home("Ben"))
    words = ("bot", f"127.0.0.1:{machine.port}", "--count", "3")
    strangers = machine.home("Strangers").spawn(*words)
    try:
        for terminal in (machine.host, friend):
            terminal.wait(markers.taken(5))
        strangers.send_signal(signal.SIGSTOP)
        machine.host.send("m")
        machine.host.wait("Send the strangers away")
        machine.host.send("\x1b[F\x1b[A\r")  # the last but one
        machine.host.wait("Send the strangers away?")
        machine.host.send("\x1b[C")
        machine.host.wait_until(lambda host: bool(re.search(r"Ben\s+. stays", host.text())))
        machine.host.send("\r")
        machine.deal(friend)
    finally:
        strangers.kill()
        strangers.communicate()
