"""How a program leaves the table that it hosts: the host's role goes on to another seat first.

Two seats are a majority only together, so the seat that leaves may be the one whose vote the next
host needs: it stays until the table has moved, and no longer than its program lasts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import Final

HAND_OVER_TIMEOUT: Final = 8.0
"""Seconds that the seat of a host stays to vote for the one that it gives its role to."""

LAST_HAND_OVER_TIMEOUT: Final = 0.6
"""The same when the program is told to end."""


class Departure:
    """One leaving of one table; lives in one event loop."""

    def __init__(self) -> None:
        self._moved = asyncio.Event()
        self._must_go = asyncio.Event()

    def moved(self) -> None:
        """The table has another host."""
        self._moved.set()

    def hurry(self, seconds: float = LAST_HAND_OVER_TIMEOUT) -> None:
        """Wait for the next host no longer than this from now on."""
        asyncio.get_running_loop().call_later(seconds, self._must_go.set)

    async def move(self, hand_over: Awaitable[bool]) -> None:
        """Have the role handed over, and wait until somebody has it or it is time to go.

        `hand_over` says whether the role was given away.
        """
        self._moved.clear()
        moving = asyncio.ensure_future(self._settle(hand_over))
        going = asyncio.ensure_future(self._must_go.wait())
        try:
            await asyncio.wait(
                {moving, going}, timeout=HAND_OVER_TIMEOUT, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            for task in (moving, going):
                task.cancel()
            await asyncio.gather(moving, going, return_exceptions=True)

    async def _settle(self, hand_over: Awaitable[bool]) -> None:
        if await hand_over:
            await self._moved.wait()
