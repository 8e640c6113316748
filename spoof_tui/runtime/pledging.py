"""The support that a seat promises to whom its host gives the role, before its program goes."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterable
from typing import Final

from protocol.guest.effects import GuestEffect
from protocol.guest.guest import Guest

PLEDGE_TIMEOUT: Final = 0.3
"""Seconds that the disk may take with a promise: later the vote goes its usual way."""


class Pledging:
    """The promise of one seat, on its way to the disk."""

    def __init__(self, guest: Guest, carry_out: Callable[[Iterable[GuestEffect]], None]) -> None:
        self._guest = guest
        self._carry_out = carry_out
        self._kept = asyncio.Event()

    async def promise(self, heir: bytes) -> bool:
        """Promise this seat's support to `heir`; whether that is on the disk in time."""
        self._kept.clear()
        guest = self._guest
        effects = [] if guest.departure.is_gone else guest.voter.pledge(heir, guest.table)
        self._carry_out(effects)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PLEDGE_TIMEOUT if effects else 0):
                await self._kept.wait()
        return self._kept.is_set()

    def kept(self) -> None:
        """The promise is on the disk."""
        self._kept.set()
