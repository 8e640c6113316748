"""Endpoints: addresses at which a table may be, what is known of each, and when it is asked
again."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from typing import Final

from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME
from protocol.timeouts import RoundTrip
from spoof_tui import system
from spoof_tui.clock import loop_time
from spoof_tui.network.addresses import Address
from spoof_tui.network.beacon import beacon_timeout
from spoof_tui.network.links import Connect
from spoof_tui.network.probe import (
    PROBE_TIMEOUT,
    SLOW_TIMEOUT,
    Failure,
    FoundTable,
    ProbeFailed,
    greeting_timeout,
    hang_up_on,
    probe,
)
from spoof_tui.text.safe_text import show

MAX_ENDPOINTS: Final = 512
"""Maximum number of endpoints of one origin: enough for a hall full of tables, and a limit for a
flood of forgeries. It is counted per origin, so that forged beacons leave room for adverts and
forged adverts for beacons."""

MAX_OF_HOST: Final = 16
"""Maximum number of endpoints from the beacons of one address: more tables than are open on a
machine that people share."""

LISTED_INTERVAL: Final = 2.0
"""Seconds from a table's answer to the next question, while its beacon is heard."""

UNHEARD_INTERVAL: Final = 1.0
"""Seconds from a table's answer to the next question, if no beacon of it is heard."""

CROWD_INTERVAL: Final = 0.5
"""Seconds between two questions, over all endpoints that answer, so that a list of hundreds of
tables costs no more than one of ten. If a beacon stops, its table is asked at once, however many
there are."""

SPARE_INTERVAL: Final = 10.0
"""Seconds between two questions to a table that is listed at another address."""

SECOND_CHANCE_DELAY: Final = 0.25
"""Seconds from the first missing answer of a listed table to the second question."""

MAX_HEARD_MISSES: Final = 4
"""Answers in a row that a listed table may miss while its beacon is heard: packets get lost, and a
program that sends beacons is running. A forged beacon keeps a dead table listed for no longer than
that."""

SILENT_INTERVAL: Final = 3.0
"""Seconds between two questions to a silent endpoint at first; doubled with each missing answer."""

MAX_DOUBLINGS: Final = 3
"""How often that interval is doubled: in the end an address on another network is asked every 24
seconds."""

FORGET_DELAY: Final = 10.0
"""Seconds after which an endpoint without a beacon or an answer is forgotten."""


class FoundBy(Enum):
    """The reason to look for a table at an endpoint."""

    GIVEN = auto()
    """The address was given to this program."""
    ADVERT = auto()
    """The table is advertised."""
    BEACON = auto()
    """A beacon of the table was heard."""


@dataclass(slots=True, eq=False)
class Endpoint:
    """Addresses at which a table may be, and what is known of it. Times are by the loop's clock."""

    addresses: tuple[Address, ...]
    origin: FoundBy
    advert: bytes = b""
    """The TXT record of the advert, only used to see whether it has changed."""
    table: bytes = b""
    """The first bytes of the table id, as advertised."""
    answer: FoundTable | None = None
    """The last answer; None if the endpoint is not listed."""
    trip: RoundTrip = field(default_factory=RoundTrip)
    """The measured round trips."""
    since: int = 0
    """Its place in the order in which endpoints began to answer."""
    is_row: bool = False
    """Whether the table is listed with this endpoint's address, and not with another one."""
    crowd: int = 1
    """Number of endpoints in the list that answer."""
    misses: int = 0
    """Number of questions without an answer since the last answer."""
    silences: int = 0
    """Number of questions in a row, up to the last, that were neither answered nor refused."""
    asked: float = -math.inf
    """When it was last asked; minus infinity if it was not."""
    heard: float = -math.inf
    """When a beacon was last heard from the address where it answers; minus infinity for never."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is a reason to ask before `due`."""
    task: asyncio.Task[None] | None = None

    @property
    def in_order(self) -> list[Address]:
        """The addresses, that of the last answer first."""
        best = self.answer.address if self.answer else None
        return sorted(self.addresses, key=lambda address: address != best)

    @property
    def key(self) -> bytes | Address:
        """A value that is equal for two endpoints of the same table, as far as that is known; only
        for one that answers."""
        assert self.answer
        if self.answer.card:
            return self.answer.card.table
        return self.table or self.answer.address

    @property
    def is_new(self) -> bool:
        """Whether it was never asked."""
        return self.asked == -math.inf

    @property
    def due(self) -> float:
        """When it is to be asked again, by the loop's clock."""
        if not self.answer:
            doublings = min(max(self.silences - 1, 0), MAX_DOUBLINGS)
            return self.asked + SILENT_INTERVAL * (1 << doublings)
        if self.misses:
            return self.asked + SECOND_CHANCE_DELAY
        silent = self.heard + beacon_timeout(self.crowd)
        turn = self.asked + self.crowd * CROWD_INTERVAL
        if self.is_row:
            later = max(self.asked + LISTED_INTERVAL, turn)
            sooner = max(self.asked + UNHEARD_INTERVAL, silent if silent > self.asked else turn)
            return min(later, sooner)
        # When a beacon stops, all addresses of its table are asked at once, not one after the
        # other.
        later = max(self.asked + SPARE_INTERVAL, turn)
        return min(later, silent if silent > self.asked else math.inf)

    def is_over(self, now: float) -> bool:
        """Whether nothing suggests any more that a table is there: it came from a beacon, does not
        answer, and is no longer heard."""
        if self.origin is not FoundBy.BEACON or self.answer or self.is_new:
            return False
        return now - self.heard > FORGET_DELAY

    def is_heard(self, now: float) -> bool:
        """Whether its beacons are being heard."""
        return now - self.heard < beacon_timeout(self.crowd)

    def doubt(self) -> None:
        """Have it asked at once, because its table did not answer at another address and may be
        gone from this one, too."""
        self.misses = 1
        self.wake.set()

    def answered(self, answer: FoundTable) -> None:
        """Note an answer of the table."""
        self.answer = answer
        self.trip.measured(answer.round_trip)
        self.misses = self.silences = 0

    def missed(self, reason: Failure, now: float) -> None:
        """Note that the table has not answered, and take it off the list after too many misses. A
        full table counts as one that has answered."""
        if reason is Failure.BUSY:
            return
        self.misses += 1
        is_silent = reason in (Failure.SILENT, Failure.UNREACHABLE)
        self.silences = self.silences + 1 if is_silent else 0
        # A beacon that stops counts as the first missing answer.
        fell_silent = self.heard > -math.inf and not self.is_heard(now)
        most = MAX_HEARD_MISSES if self.is_heard(now) and is_silent else 1
        if self.answer and (reason is Failure.REFUSED or self.misses > most or fell_silent):
            self.answer = None
            # The next beacon is that of a table that came back.
            self.heard = -math.inf


def has_room(endpoints: Sequence[Endpoint], host: str) -> bool:
    """Whether one more beacon from `host` can be followed in addition to `endpoints`."""
    return len(endpoints) < MAX_ENDPOINTS and len(_of(endpoints, host)) < MAX_OF_HOST


def give_way(endpoints: Sequence[Endpoint], host: str) -> Endpoint | None:
    """The endpoint to drop for a beacon from `host`, one that never answered; None if there is
    none."""
    rivals = _of(endpoints, host)
    if len(rivals) < MAX_OF_HOST:
        rivals = endpoints
    dead = [endpoint for endpoint in rivals if not (endpoint.answer or endpoint.is_new)]
    return min(dead, key=lambda endpoint: endpoint.heard, default=None)


def _of(endpoints: Sequence[Endpoint], host: str) -> Sequence[Endpoint]:
    return [endpoint for endpoint in endpoints if endpoint.addresses[0].host == host]


@lru_cache(MAX_ENDPOINTS)
def _sorted_as(name: ForeignText) -> str:
    return show(name, MAX_NAME).casefold()


def place_of(table: FoundTable) -> tuple[bool, str, bytes, Address]:
    """The sort key of a table in the list: by name, then by id; tables of other versions come
    last."""
    card = table.card
    name, identity = (_sorted_as(card.name), card.table) if card else ("", b"")
    return card is None, name, identity, table.address


MAX_SILENT_PROBES: Final = 4
"""Maximum number of silent endpoints that are asked at the same time."""

MAX_NEW_PROBES: Final = 32
"""Maximum number of new endpoints that are asked at the same time. They do not wait for silent
ones, and a flood of forgeries that fills the list is through in a quarter of a minute."""

MAX_LISTED_PROBES: Final = 16
"""Maximum number of listed endpoints that are asked at the same time."""

MAX_SLOW_PROBES: Final = 64
"""Maximum number of endpoints that did not answer in time, may be on a slow network, and are waited
for at the same time without keeping others waiting."""

LISTED_TIMEOUT: Final = 0.7
"""Seconds that a listed table may take to greet, if no beacon of it is heard and it was never slow.
With the time to ask twice, a dead table is listed for less than three seconds."""


MAX_TRIES: Final = 6
"""Maximum number of connections to a listed table in quick succession when it may be gone, since
losing the first packet of one costs a second."""

QUICK_TRIP: Final = 0.03
"""Longest round trip, in seconds, at which that many connections are made; with longer ones, the
first answer may still be on its way."""


class Probes:
    """Asks the endpoints of one list of tables, so many at a time."""

    def __init__(self, connect: Connect) -> None:
        """`connect` makes the connections."""
        self._connect = connect
        self._listed = asyncio.Semaphore(MAX_LISTED_PROBES)
        self._new = asyncio.Semaphore(MAX_NEW_PROBES)
        self._silent = asyncio.Semaphore(MAX_SILENT_PROBES)
        self._slow = asyncio.Semaphore(MAX_SLOW_PROBES)

    async def ask(self, endpoint: Endpoint) -> FoundTable:
        """The answer from one of the endpoint's addresses; raises `ProbeFailed`.

        An endpoint that is not listed and does not answer in time is waited for until it does, or
        there is a reason to ask again.
        """
        is_listed, asking = endpoint.answer is not None, None
        try:
            async with self._turn(endpoint):
                within = _usual(endpoint)
                asking = self._begin(endpoint, within if is_listed else SLOW_TIMEOUT)
                await asyncio.wait({asking}, timeout=within)
            if not (asking.done() or is_listed or self._slow.locked()):
                endpoint.asked = loop_time()
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

    def _begin(self, endpoint: Endpoint, within: float) -> asyncio.Task[FoundTable]:
        addresses = endpoint.in_order
        if _is_doubtful(endpoint) and endpoint.trip.mean < QUICK_TRIP:
            addresses += addresses[:1] * (MAX_TRIES - len(addresses))
        return asyncio.create_task(probe(addresses, within, self._connect))


def _usual(endpoint: Endpoint) -> float:
    """Seconds within which the endpoint should answer, by what is known of it."""
    is_urgent = endpoint.answer is not None and not endpoint.is_heard(loop_time())
    least = LISTED_TIMEOUT if is_urgent else PROBE_TIMEOUT
    if endpoint.answer is not None:
        # A closed table leaves the list at once, a silent one only after some attempts.
        least = max(least, system.refusal_delay())
    return greeting_timeout(endpoint.trip, least)


def _is_doubtful(endpoint: Endpoint) -> bool:
    """Whether a listed table whose beacon was heard before may be gone."""
    if endpoint.answer is None or endpoint.heard == -math.inf:
        return False
    return endpoint.misses > 0 or not endpoint.is_heard(loop_time())


async def _until_done(task: asyncio.Task[FoundTable], wake: asyncio.Event) -> None:
    """Wait until the question is answered, or there is a reason to ask again."""
    waking = asyncio.create_task(wake.wait())
    try:
        await asyncio.wait({task, waking}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        waking.cancel()
