"""A table over a slow network: found, joined and come back to.

`python -m tests.benchmarks slow_links` measures how long each of that takes.
"""

from pathlib import Path

import pytest

from tests.end_to_end.slow import FarApart, Network
from tests.helpers.namespaces import why_not

OBSTACLE = why_not()

pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")

SLOW = Network(1.0)


def test_a_round_trip_of_a_second_keeps_nobody_from_a_table(state: Path) -> None:
    with FarApart(state, SLOW, "--open") as pair:
        pair.listed()
        pair.sits()
        assert "slow network, 1 s" in pair.ben.text()
        pair.back()
