"""A table on a train that loses packets: it is slower, and nobody is shown away."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from pathlib import Path

import pytest

from protocol.table.announcements import Away
from protocol.table.statements import Speak
from spoof_tui.network.addresses import DEFAULT_PORT
from tests.end_to_end.homes import Home, entries
from tests.end_to_end.party import PATIENCE, is_away
from tests.helpers.namespaces import Bridge, why_not
from tests.helpers.pty import Terminal

OBSTACLE = why_not()

pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")

LOSS = 0.2
LOSSY = 30.0
"""Seconds for which so many packets are lost, in both directions of a link."""


def test_nobody_is_shown_away_though_a_fifth_of_all_packets_is_lost(state: Path) -> None:
    inn, bots, watcher = (Home.make(state, name) for name in ("Inn", "Bots", "Wanda"))
    with Bridge(3) as bridge, ExitStack() as stack:

        def start(home: Home, machine: int, *words: str) -> Terminal:
            terminal = home.start(*words, netns=bridge.name(machine))
            stack.callback(terminal.close, signal.SIGKILL)
            return terminal

        table = f"{bridge.address(1)}:{DEFAULT_PORT}"
        words = ("host", "--headless", "--open", "--start-when", "3")
        start(inn, 1, *words).wait("port")
        start(bots, 2, "bot", table, "--count", "3").wait(table)
        screen = start(watcher, 3, "join", table, "--watch")
        screen.wait("coins in play", PATIENCE)
        for machine in (2, 3):
            bridge.lose(machine, LOSS)
        with pytest.raises(TimeoutError, match="in vain"):
            screen.wait_until(is_away, LOSSY)
        # Before the bots are ended: that is told, too.
        said = [type(entry.statement) for entry in entries(inn.logs()[0])]
    assert Away not in said
    assert said.count(Speak) > 5
