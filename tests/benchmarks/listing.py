"""How soon an existing table is in the lobby's list, beside a bare search with zeroconf."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from typing import Final

from tests.benchmarks.figures import Figure, Ratio
from tests.benchmarks.stage import Stage
from tests.helpers.namespaces import Bridge, why_not

COUNT: Final = 30


def measure(count: int = COUNT) -> list[Figure]:
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
