"""Whether this machine is on a network at all, for as long as that matters to somebody."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from spoof_tui import system
from spoof_tui.clock import loop_time
from spoof_tui.network.diagnosis.examining import own_adapters
from spoof_tui.network.diagnosis.judging import is_on_network

LOOK_INTERVAL: Final = 1.0
"""Seconds between two looks."""


async def look() -> bool:
    """Whether this machine is on a network, by what its system says of its adapters."""
    try:
        return is_on_network(await asyncio.to_thread(own_adapters))
    except OSError:
        return True  # not known


class OwnNetwork:
    """Looks while it is asked; belongs to one event loop."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        """`on_change` is called when `is_there` changes."""
        self.is_there = True
        """The result of the last look."""
        self._on_change = on_change
        self._looked = 0.0
        self._looking: asyncio.Task[None] | None = None

    def ask(self, *, matters: bool) -> None:
        """To be called every second; looks if it `matters` now, and else knows of nothing wrong."""
        if not matters:
            self.is_there = True
        elif self._looking is None and loop_time() - self._looked >= LOOK_INTERVAL:
            self._looked = loop_time()
            self._looking = asyncio.get_running_loop().create_task(self._look())

    async def _look(self) -> None:
        before, self.is_there = self.is_there, await look()
        self._looking = None
        if self.is_there is not before:
            self._on_change()

    async def close(self) -> None:
        """Stop looking."""
        await system.end(self._looking)
