"""A table that its host has closed may be opened again: somebody who was there waits for that."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final

from spoof_tui.network.addresses import Address
from spoof_tui.network.locator import TableLocator

LOOK_DELAY: Final = 1.0
"""Seconds between two looks for the table."""


class Reopening:
    """Waits for one table to be served again; lives in one event loop."""

    def __init__(self, locator: TableLocator, reopened: Callable[[Address], None]) -> None:
        """Look by `locator`, which is closed in the end, and call `reopened` once."""
        self._locator = locator
        # Who only stands for host cannot be chosen by somebody who is not there.
        locator.takes_candidates = False
        self._reopened = reopened
        self._looking = asyncio.create_task(self._look())

    async def close(self) -> None:
        """Wait no longer."""
        self._looking.cancel()
        await asyncio.gather(self._looking, return_exceptions=True)
        await self._locator.close()

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(LOOK_DELAY)
            with contextlib.suppress(OSError):
                answer = await self._locator.find()
                break
        self._reopened(answer.address)
