"""Which of the other seats this program would reach if one of them served the table.

A network may let everybody reach the host and keep the guests apart: then the table cannot move,
and its host should know before it leaves.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Final

from protocol.guest.guest import Guest
from protocol.views import LinkState
from protocol.wire.messages import Whereabout
from spoof_tui import system
from spoof_tui.network.addresses import is_of_unknown_link

KNOCK_TIMEOUT: Final = 10.0
"""Seconds within which a machine accepts a connection, even if some packets are lost."""

FIRST_TIMEOUT: Final = 2.5
"""The same for the first time, on a fast network: its host should soon hear the result."""

MAX_KNOCKS: Final = 5
"""Unanswered attempts in that time after which a seat counts as not reached."""

SLOW_TRIPS: Final = 4
"""Round trips to the host within which two guests on slow links hear each other, with
some reserve."""

MISSED_INTERVAL: Final = 5.0
"""Seconds until a seat that was not reached is tried again."""

REACHED_INTERVAL: Final = 120.0
"""Seconds until a seat that was reached is tried again: people change networks."""

Knock = Callable[[str, int], Awaitable[bool]]
"""Whether a machine answers at a port."""


async def knock(host: str, port: int) -> bool:
    """Whether a machine accepts a connection, or refuses it, which is an answer too.

    Cancel it to stop waiting.
    """
    try:
        _reader, writer = await asyncio.open_connection(host, port)
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    writer.transport.abort()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return True


class Neighbours:
    """Has a guest tell its host which other seats it cannot reach; belongs to one event loop."""

    def __init__(self, guest: Guest, knock: Knock = knock) -> None:
        self._guest = guest
        self._knock = knock
        self._visits: dict[Whereabout, asyncio.Task[None]] = {}
        self._missed: set[Whereabout] = set()

    def look(self) -> None:
        """Follow what the host says about the seats; to be called when that, or the link, has
        changed."""
        wanted = set(self._others())
        for gone in self._visits.keys() - wanted:
            self._visits.pop(gone).cancel()
            self._missed.discard(gone)
        for place in wanted - self._visits.keys():
            self._visits[place] = asyncio.create_task(self._visit(place))
        self._tell()

    def _tell(self) -> None:
        self._guest.apart = tuple(sorted(place.key for place in self._missed))

    def _others(self) -> list[Whereabout]:
        guest, table = self._guest, self._guest.table
        if table is None or guest.link not in (LinkState.UP, LinkState.UNSTEADY):
            return []
        if guest.key == table.host:
            return []
        places = (place for place in guest.places if place.key not in (guest.key, table.host))
        return [place for place in places if not is_of_unknown_link(place.address)]

    async def _visit(self, place: Whereabout) -> None:
        within = max(FIRST_TIMEOUT, SLOW_TRIPS * self._guest.trip.mean)
        while True:
            is_there = await self._answers(place, within)
            (self._missed.discard if is_there else self._missed.add)(place)
            self._tell()
            await asyncio.sleep(REACHED_INTERVAL if is_there else MISSED_INTERVAL)
            within = KNOCK_TIMEOUT

    async def _answers(self, place: Whereabout, within: float) -> bool:
        """Try again and again, concurrently: a system that reports at once that there is no route
        may find one in a moment."""
        calls = [
            asyncio.create_task(self._call(place, number * within / MAX_KNOCKS))
            for number in range(MAX_KNOCKS)
        ]
        try:
            for call in asyncio.as_completed(calls, timeout=within):
                if await call:
                    return True
        except TimeoutError:
            return False
        finally:
            await system.end(*calls)
        return False

    async def _call(self, place: Whereabout, delay: float) -> bool:
        await asyncio.sleep(delay)
        return await self._knock(place.address, place.port)

    async def close(self) -> None:
        """Stop trying."""
        visits, self._visits = list(self._visits.values()), {}
        await system.end(*visits)
