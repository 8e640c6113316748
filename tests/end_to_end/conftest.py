"""Fixtures of the stories."""

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.end_to_end.machine import Machine


@pytest.fixture
def machine(state: Path) -> Iterator[Machine]:
    """Anna's table on this machine, and everybody who joins her, until the test is over."""
    with ExitStack() as stack:
        yield Machine(state, stack)
