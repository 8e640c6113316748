"""Virtual time for everything that needs no real program beside it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Final

import pytest

from tests.helpers.virtual import LoopFactory, virtual_loop
from tests.simulation.substitutes import no_search

REAL: Final = {"test_background", "test_engine", "test_second_window"}
"""Files whose tests wait for real threads, files and processes."""


def pytest_asyncio_loop_factories(item: pytest.Item) -> dict[str, LoopFactory]:
    """The loop that the async tests of this folder run in."""
    is_real = item.path.stem in REAL
    return {"real": asyncio.new_event_loop} if is_real else {"virtual": virtual_loop}


@pytest.fixture(autouse=True)
def no_troubles() -> Iterator[None]:
    """Nobody looks at this machine's real network."""
    with no_search():
        yield
