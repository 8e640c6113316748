"""How soon a table is in the lobby's list, beside a bare search with zeroconf; 300 tables."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Final

from tests.benchmarks.figures import OF_A_CORE, Amount, Delay, Figure, Ratio
from tests.benchmarks.programs.crowd import host_of
from tests.benchmarks.stage import Stage
from tests.helpers.namespaces import Bridge, why_not

COUNT: Final = 30

CROWD: Final = 300
"""Tables on one network."""

REST: Final = 10.0
"""Seconds for which the list of all of them is watched."""


def measure(count: int = COUNT, crowd: int = CROWD, rest: float = REST) -> list[Figure]:
    """How soon one table is listed, and what a list of many costs."""
    return [*_soonness(count), *_crowd(crowd, rest)]


def _crowd(count: int, rest: float) -> list[Figure]:
    """Many tables on another computer, where namespaces are permitted; nothing elsewhere."""
    if why_not() is not None:
        return []
    program = [sys.executable, "-m", "tests.benchmarks.programs.crowd"]
    with Stage() as stage, Bridge(2) as bridge:
        lines = [f"addr add {host_of(number)}/16 dev eth0" for number in range(count)]
        for index, added in ((1, lines), (2, ["addr add 10.78.0.1/16 dev eth0"])):
            words = " && ".join(f"ip {line}" for line in added)
            bridge.run(index, ["sh", "-c", words], timeout=60)
        tables = stage.process(bridge.argv(1, [*program, "tables", str(count)]))
        assert tables.stdout
        tables.stdout.readline()
        looking = [*program, "look", str(count), str(rest)]
        output, _ = stage.process(bridge.argv(2, looking)).communicate()
    listed, share = map(float, output.split())
    return [
        Delay(f"{count} tables listed", [listed]),
        Amount(f"{count} tables on the list at rest", [share], 0.02, OF_A_CORE),
    ]


def _soonness(count: int) -> list[Figure]:
    """The table is on another computer of one network, where namespaces are permitted.

    Without them it is on this computer, where answers by unicast get lost between processes.
    """
    with ExitStack() as stack:
        stage = stack.enter_context(Stage())
        there: list[str] = []
        here: list[str] = []
        where = "on this machine"
        if why_not() is None:
            bridge = stack.enter_context(Bridge(2))
            there, here = bridge.argv(1, []), bridge.argv(2, [])
            where = "on another machine"
        port = stage.host(inside=there)
        argv = ["-m", "tests.benchmarks.programs.listing", str(port), str(count)]
        output, _ = stage.process([*here, sys.executable, *argv]).communicate()
    pairs = [tuple(map(float, line.split())) for line in output.splitlines()]
    ours, bare = zip(*pairs, strict=True)
    return [Ratio(f"table {where} listed / bare zeroconf", ours, bare, aim=1.2)]
