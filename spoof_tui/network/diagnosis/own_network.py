"""Checks whether this machine is on a network at all, while that matters."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

from spoof_tui import system
from spoof_tui.clock import loop_time
from spoof_tui.network.diagnosis.examining import own_adapters
from spoof_tui.network.diagnosis.judging import is_on_network

LOOK_INTERVAL: Final = 1.0
"""Minimum seconds between two checks."""


async def look() -> bool:
    """Whether this machine is on a network, by the state of its adapters; True if that is not
    known."""
    try:
        return is_on_network(await asyncio.to_thread(own_adapters))
    except OSError:
        return True  # not known


class OwnNetwork:
    """Checks the network while it is asked to; belongs to one event loop."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        """`on_change` is called when `is_there` changes."""
        self.is_there = True
        """Whether this machine is on a network, as of the last check; True while that does not
        matter."""
        self._on_change = on_change
        self._looked = 0.0
        self._looking: asyncio.Task[None] | None = None

    def ask(self, *, matters: bool) -> None:
        """Begin a check if it `matters` now, otherwise assume that all is well; call this every
        second."""
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
        """Cancel a check that is under way."""
        await system.end(self._looking)
