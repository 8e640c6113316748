"""Python functions that are called on the way from a key to two views."""

from __future__ import annotations

import sys
from collections import defaultdict
from typing import Final

from tests.benchmarks.figures import Count, Figure
from tests.benchmarks.stage import Stage

COUNT: Final = 20
"""Bids of each player that are counted."""

AIMS: Final = {"bid": 700, "hand": 610, "ending": 2580}


def measure(count: int = COUNT) -> list[Figure]:
    """Bids, hands and endings at a table of two, one of them its host.

    What belongs to a timer falls into some of them, so the middle of all is what counts.
    """
    counted: dict[str, list[list[float]]] = defaultdict(list)
    with Stage() as stage:
        program = [sys.executable, "-m", "tests.benchmarks.programs.counted", str(count)]
        process = stage.process(program, {**stage.state("Ottilie"), "PYTHONHASHSEED": "0"})
        assert process.stdout
        for line in process.stdout:
            what, *calls = line.split()
            counted[what].append([float(each) for each in calls])
    return [
        figure
        for what, aim in AIMS.items()
        for figure in (
            Count(f"functions called for a {what}", [own for own, _, _ in counted[what]], aim),
            Count(f"  with what is inside of them, {what}", [all_ for _, all_, _ in counted[what]]),
            Count(f"  with all of Python's, {what}", [calls for _, _, calls in counted[what]]),
        )
    ]
