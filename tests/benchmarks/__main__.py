"""All benchmarks in one command: `python -m tests.benchmarks [NAME ...]`.

Every figure is a ratio to a bare baseline that was measured in turns with it, a number of bytes,
or seconds that are made of timers: none depends much on how fast this machine is.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from tests.benchmarks import (
    calls,
    checking,
    door,
    folding,
    history,
    listing,
    lobby,
    opponents,
    painting,
    reaction,
    siege,
    web,
)
from tests.benchmarks.figures import Figure, table
from tests.helpers import warm

BENCHMARKS: Final[Mapping[str, Callable[..., list[Figure]]]] = {
    "lobby": lobby.measure,
    "reaction": reaction.measure,
    "calls": calls.measure,
    "listing": listing.measure,
    "painting": painting.measure,
    "folding": folding.measure,
    "checking": checking.measure,
    "history": history.measure,
    "siege": siege.measure,
    "door": door.measure,
    "web": web.measure,
    "opponents": opponents.measure,
}
"""The benchmarks, each with its default number of samples."""


def main(arguments: Sequence[str]) -> int:
    """Run the named benchmarks, or all, and print the table; 1 if an aim was missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--count", type=int, help="samples of each (default: enough)")
    given = parser.parse_args(arguments)
    unknown = set(given.names) - set(BENCHMARKS)
    if unknown:
        parser.error(f"there is no benchmark called {', '.join(sorted(unknown))}")
    warm.begin_from_nothing()
    figures: list[Figure] = []
    for name in given.names or BENCHMARKS:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        counts = {} if given.count is None else {"count": given.count}
        figures += BENCHMARKS[name](**counts)
    print(table(figures))
    return 1 if any(figure.row().is_met is False for figure in figures) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
