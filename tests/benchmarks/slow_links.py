"""How long it takes to find, join, play at and come back to a table over a slow network.

Two people with the real program, one of them behind a slow cable. What a step takes is mostly made
of round trips: a greeting needs three, and a fourth where the other machine was never spoken to.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.benchmarks.figures import Delay, Figure
from tests.end_to_end.slow import FarApart, Network
from tests.helpers.namespaces import why_not

COUNT: Final = 1
NETWORKS: Final = (
    *(Network(each) for each in (0.05, 0.2, 0.4, 1.0, 2.0)),
    *(Network(each, jitter=each / 10) for each in (0.05, 0.2, 0.4, 1.0, 2.0)),
    *(Network(each, loss=0.1) for each in (0.05, 0.2, 0.4, 1.0, 2.0)),
)

AIMS: Final = {
    Network(1.0): (4.0, None, 8.0, None, 6.0),
    Network(1.0, loss=0.1): (None, None, 10.0, None, 8.0),
}
"""Seconds that the steps of an evening should take, on the networks for which there are aims."""


def measure(count: int = COUNT, networks: Sequence[Network] = NETWORKS) -> list[Figure]:
    """So many evenings on each network."""
    if why_not() is not None:
        print(f"slow_links: {why_not()}", file=sys.stderr)
        return []
    return [figure for network in networks for figure in _figures(network, count)]


def _figures(network: Network, count: int) -> list[Figure]:
    evenings = [_evening(network) for _ in range(count)]
    aims = AIMS.get(network, (None,) * 5)
    names = ("listed", "asked for the code", "sits after the code", "hears a bid", "is back")
    return [
        Delay(f"{network.name}: {name}", samples, aim)
        for name, samples, aim in zip(names, zip(*evenings, strict=True), aims, strict=True)
    ]


def _evening(network: Network) -> tuple[float, ...]:
    with tempfile.TemporaryDirectory() as parent, FarApart(Path(parent), network) as pair:
        listed, asked, joined = pair.listed(), pair.asked(), pair.joined()
        pair.deal()
        return listed, asked, joined, pair.heard(), pair.back()
