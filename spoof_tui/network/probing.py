"""Asks endpoints whether a table is there, so many at a time that nobody keeps others waiting.

Whoever answers is asked before the new ones, and these before the silent ones. Who does not answer
in the usual time makes room, and is waited for beside if there is a place: on a slow network the
greeting takes four round trips, and a table there is found as well.
"""

from __future__ import annotations

import asyncio
import math
from typing import Final

from spoof_tui import system
from spoof_tui.network.endpoints import Endpoint
from spoof_tui.network.links import Connect
from spoof_tui.network.probe import (
    PROBE_TIMEOUT,
    SLOW_TIMEOUT,
    Answer,
    Failure,
    ProbeFailed,
    greeting_timeout,
    hang_up_on,
    probe_any,
)

MAX_SILENT_PROBES: Final = 4
"""Endpoints that are asked at the same time, of those that do not answer."""

MAX_NEW_PROBES: Final = 32
"""The same of those that are new: they do not wait for the dead, and a flood of forgeries that
fills the list is asked within a quarter of a minute."""

MAX_LISTED_PROBES: Final = 16
"""The same of those that answer."""

MAX_SLOW_PROBES: Final = 64
"""The same of those that have not answered in time and may be on a slow network: they are in the
way of nobody else."""

LISTED_TIMEOUT: Final = 0.7
"""Seconds that a listed table may take to greet, if there is no other sign of it and it was never
slow. With the time to ask twice this makes less than three seconds in which a table that is dead
is listed."""


MAX_TRIES: Final = 6
"""Connections to a listed table, one soon after the other, once there is doubt whether it is there:
a packet that is lost at the beginning of one costs a second."""

QUICK_TRIP: Final = 0.03
"""Seconds of a round trip up to which that is done: elsewhere the answer to the first is near."""


class Probes:
    """The questions of one list of tables that are under way."""

    def __init__(self, connect: Connect) -> None:
        """Ask by `connect`."""
        self._connect = connect
        self._listed = asyncio.Semaphore(MAX_LISTED_PROBES)
        self._new = asyncio.Semaphore(MAX_NEW_PROBES)
        self._silent = asyncio.Semaphore(MAX_SILENT_PROBES)
        self._slow = asyncio.Semaphore(MAX_SLOW_PROBES)

    async def ask(self, endpoint: Endpoint) -> Answer:
        """Who greets at one of its addresses; raises `ProbeFailed`.

        A silent one is waited for until it answers or something speaks for asking it anew.
        """
        is_listed, asking = endpoint.answer is not None, None
        try:
            async with self._turn(endpoint):
                within = _usual(endpoint)
                asking = self._begin(endpoint, within if is_listed else SLOW_TIMEOUT)
                await asyncio.wait({asking}, timeout=within)
            if not (asking.done() or is_listed or self._slow.locked()):
                endpoint.asked = _now()
                async with self._slow:
                    await _until_done(asking, endpoint.wake)
            if not asking.done():
                raise ProbeFailed(endpoint.in_order[0], Failure.SILENT)
            return asking.result()
        finally:
            await hang_up_on({asking} if asking else ())

    def _turn(self, endpoint: Endpoint) -> asyncio.Semaphore:
        if endpoint.answer:
            return self._listed
        return self._new if endpoint.is_new else self._silent

    def _begin(self, endpoint: Endpoint, within: float) -> asyncio.Task[Answer]:
        addresses = endpoint.in_order
        if _is_doubtful(endpoint) and endpoint.trip.mean < QUICK_TRIP:
            addresses += addresses[:1] * (MAX_TRIES - len(addresses))
        return asyncio.create_task(probe_any(addresses, within, self._connect))


def _usual(endpoint: Endpoint) -> float:
    """Seconds in which it should answer, by what is known of it."""
    is_urgent = endpoint.answer is not None and not endpoint.is_heard(_now())
    least = LISTED_TIMEOUT if is_urgent else PROBE_TIMEOUT
    # A table that is closed goes from the list at once, one that is silent only after some tries.
    return greeting_timeout(endpoint.trip, max(least, system.refusal_delay()))


def _is_doubtful(endpoint: Endpoint) -> bool:
    """Whether a listed table, the beacon of which was heard, may be gone."""
    if endpoint.answer is None or endpoint.heard == -math.inf:
        return False
    return endpoint.misses > 0 or not endpoint.is_heard(_now())


async def _until_done(task: asyncio.Task[Answer], wake: asyncio.Event) -> None:
    """Wait until there is an answer, or a reason to ask anew."""
    waking = asyncio.create_task(wake.wait())
    try:
        await asyncio.wait({task, waking}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waking.cancel()


def _now() -> float:
    return asyncio.get_running_loop().time()
