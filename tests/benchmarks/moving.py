"""How soon a table goes on: after its host was away, and after its host has died.

The aims are of people and absolute, so they stand in the place of a baseline. The time is virtual,
of programs on machines of their own: what they wait for, and not how busy this machine is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from spoof_tui.runtime.hosting import HostedTable
from spoof_tui.runtime.saved_tables import resumable
from tests.benchmarks.figures import Figure, Ratio
from tests.helpers.virtual import done_on, on, run_virtually, search
from tests.spoof_tui.runtime.local_table import until
from tests.spoof_tui.runtime.moves import Company

COUNT: Final = 10
NAMES: Final = ("Ann", "Bob", "Cem")
BACK_TIMEOUT: Final = 1.0
"""Seconds from the host being there again to everybody being at the table."""

GOES_ON_TIMEOUT: Final = 5.0
"""Seconds from a host's death to the game going on."""

_LIMIT: Final = 30.0


def measure(count: int = COUNT) -> list[Figure]:
    """Three players whose host is killed without a word."""
    back = [_alone(_back, seed) for seed in range(count)]
    moved = [_alone(_moved, seed) for seed in range(count)]
    both = (50, 95)
    return [
        Ratio("back at the table / aim", back, [BACK_TIMEOUT] * count, aim=1.0, percents=both),
        Ratio("going on elsewhere / aim", moved, [GOES_ON_TIMEOUT] * count, aim=1.0, percents=both),
    ]


def _alone(story: Callable[[Company], Awaitable[float]], seed: int) -> float:
    """What a story of a new table says, in a world with this seed."""

    async def tell() -> float:
        return await story(await Company.of(*NAMES, hosts=False))

    return run_virtually(tell(), seed)


async def _gone(table: Company) -> None:
    table.machine.stop()
    await until(lambda: not any(player.is_up for player in table.players))


async def _back(table: Company) -> float:
    """From a host that listens again to the last player who is at its table."""
    await _gone(table)
    await asyncio.sleep(1.0)
    table.machine.start()
    with on(table.machine):
        work = HostedTable.resume(resumable()[0], table.host_key, search())
    await done_on(table.machine, work)
    return await _until_all_are_there(table)


async def _moved(table: Company) -> float:
    """From a host's death to the last player who is at the table of the new one."""
    begin = asyncio.get_running_loop().time()
    await _gone(table)
    await _until_all_are_there(table)
    return asyncio.get_running_loop().time() - begin


async def _until_all_are_there(table: Company) -> float:
    begin = asyncio.get_running_loop().time()
    await until(lambda: all(player.is_up for player in table.players), _LIMIT)
    return asyncio.get_running_loop().time() - begin
