"""How soon a table goes on: after its host was away, and after its host has died.

The aims are of people and absolute, so they stand in the place of a baseline.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Awaitable, Callable
from typing import Final
from unittest import mock

from spoof_tui.network.locator import Search
from spoof_tui.runtime import hosting
from spoof_tui.runtime.hosting import HostedTable
from spoof_tui.runtime.saved_tables import resumable
from spoof_tui.storage.paths import STATE_VARIABLE
from tests.benchmarks.figures import Figure, Ratio
from tests.spoof_tui.runtime.local_table import until
from tests.spoof_tui.runtime.moves import Company, company, kill

COUNT: Final = 10
NAMES: Final = ("Ann", "Bob", "Cem")
BACK_TIMEOUT: Final = 1.0
"""Seconds from the host being there again to everybody being at the table."""

GOES_ON_TIMEOUT: Final = 5.0
"""Seconds from a host's death to the game going on."""

_LIMIT: Final = 30.0


def measure(count: int = COUNT) -> list[Figure]:
    """Three players on loopback, whose host is killed without a word."""
    back = [_alone(_back) for _ in range(count)]
    moved = [_alone(_moved) for _ in range(count)]
    both = (50, 95)
    return [
        Ratio("back at the table / aim", back, [BACK_TIMEOUT] * count, aim=1.0, percents=both),
        Ratio("going on elsewhere / aim", moved, [GOES_ON_TIMEOUT] * count, aim=1.0, percents=both),
    ]


def _alone(story: Callable[[Company], Awaitable[float]]) -> float:
    """What a story of a new table says, with a disk of its own."""

    async def tell() -> float:
        async with company() as table:
            return await story(table)

    with (
        tempfile.TemporaryDirectory() as state,
        mock.patch.dict(os.environ, {STATE_VARIABLE: state}),
    ):
        return asyncio.run(tell())


async def _sit(table: Company) -> None:
    for name in NAMES:
        table.join(name)
    await until(lambda: all(player.sits for player in table.players))
    await table.told_places()


async def _back(table: Company) -> float:
    """From a host that listens again to the last player who is at its table."""
    await _sit(table)
    await kill(table.hosted)
    await until(lambda: not any(player.is_up for player in table.players))
    await asyncio.sleep(1.0)
    with mock.patch.object(hosting, "LOOK_ELSEWHERE", 0.01):
        table.hosted = await HostedTable.resume(resumable()[0], table.host_key, Search())
    begin = time.monotonic()
    await until(lambda: all(player.is_up for player in table.players), _LIMIT)
    return time.monotonic() - begin


async def _moved(table: Company) -> float:
    """From a host's death to the last player who is at the table of the new one."""
    await _sit(table)
    await kill(table.hosted)
    begin = time.monotonic()
    await until(lambda: not any(player.is_up for player in table.players))
    await until(lambda: all(player.is_up for player in table.players), _LIMIT)
    return time.monotonic() - begin
