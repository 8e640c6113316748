"""Virtual time for everything that needs no real program beside it."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from spoof_tui.runtime import troubleshooting
from tests.helpers.virtual import LoopFactory, virtual_loop

REAL: Final = {"test_background", "test_engine", "test_second_window"}
"""Files whose tests wait for real threads, files and processes."""


def pytest_asyncio_loop_factories(item: pytest.Item) -> dict[str, LoopFactory]:
    """The loop that the async tests of this folder run in."""
    is_real = item.path.stem in REAL
    return {"real": asyncio.new_event_loop} if is_real else {"virtual": virtual_loop}


@pytest.fixture(autouse=True)
def no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is in the way of a table, nobody looks at this machine's real network for it."""

    async def nothing(request: object) -> tuple[()]:
        return ()

    monkeypatch.setattr(troubleshooting, "find_out", nothing)
