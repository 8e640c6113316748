"""Many evenings: `python -m tests.simulation [--seeds N] [--first S] [--drill NAME] [--trace]`.

Every seed is one table with its faults, or the drill of that name. One that breaks a law is printed
with what it broke; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import collections
import sys
import time
from collections.abc import Sequence
from typing import Final

from tests.simulation.drills import DRILLS
from tests.simulation.runs import Failure, Result, fresh_seed, run

PROGRESS: Final = 100
"""Evenings between two reports of progress."""


def main(arguments: Sequence[str]) -> int:
    """Run the seeds; 1 if any failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation", description=__doc__)
    parser.add_argument("--seeds", type=int, default=300, help="how many (default: 300)")
    parser.add_argument("--first", type=int, help="the first of them (default: a new one)")
    parser.add_argument("--drill", choices=DRILLS, metavar="NAME", help=", ".join(DRILLS))
    parser.add_argument("--trace", action="store_true", help="print everything that happens")
    given = parser.parse_args(arguments)
    first = fresh_seed() if given.first is None else given.first
    print(f"seeds {first} to {first + given.seeds - 1}", flush=True)
    play = DRILLS[given.drill] if given.drill else run
    began, results, whys = time.process_time(), list[Result](), collections.Counter[str]()
    for number in range(given.seeds):
        try:
            results.append(play(first + number, print if given.trace else None))
        except Failure as failure:
            whys[failure.why.split(":")[1][:60]] += 1
            print(failure, flush=True)
        if number % PROGRESS == PROGRESS - 1 or number == given.seeds - 1:
            _sum_up(results, time.process_time() - began)
    for why, count in whys.most_common():
        print(f"{count} x {why}")
    return 1 if whys else 0


def _sum_up(results: list[Result], spent: float) -> None:
    hours = sum(result.seconds for result in results) / 3600
    print(
        f"{len(results)} evenings, {hours:.2f} hours in {spent:.1f} s of CPU "
        f"({hours / spent if spent else 0:.3f} hours a second), "
        f"{sum(result.entries for result in results)} entries, "
        f"{sum(result.epochs > 0 for result in results)} tables moved, "
        f"{sum(result.is_elsewhere for result in results)} went on at a new table, "
        f"{sum(not result.finished for result in results)} with too few left to finish",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
