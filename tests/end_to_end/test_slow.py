"""A table over a slow network: found, joined and come back to."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from spoof_tui.network.addresses import DEFAULT_PORT
from tests.end_to_end import markers
from tests.end_to_end.homes import Home
from tests.end_to_end.party import is_steady
from tests.helpers.namespaces import Bridge, why_not

OBSTACLE = why_not()

pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")

ANNA, BEN = 1, 2

PATIENCE = 60.0
"""Seconds that one step may take."""


def test_a_round_trip_of_a_second_keeps_nobody_from_a_table(state: Path) -> None:
    with ExitStack() as stack:
        bridge = stack.enter_context(Bridge(2))
        bridge.slow_down(BEN, 1.0)
        host = ["host", "--table", "Snug", "--open"]
        anna, ben = (
            stack.enter_context(Home.make(state, name).start(*words, netns=bridge.name(machine)))
            for name, machine, words in (("Anna", ANNA, host), ("Ben", BEN, []))
        )
        ben.wait("Snug", PATIENCE)
        ben.send("\x1b[F\r")
        ben.wait(markers.READY, PATIENCE)
        ben.wait("slow network, 1 s", PATIENCE)
        bridge.run(ANNA, ["ss", "-K", "state", "established", f"sport = :{DEFAULT_PORT}"])
        for each in (anna, ben):
            each.wait_until(lambda terminal: not is_steady(terminal), PATIENCE)
        for each in (ben, anna):
            each.wait_until(is_steady, PATIENCE)
