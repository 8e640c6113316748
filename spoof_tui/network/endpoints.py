"""Where tables may be, what is known of that, and when to ask there again."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from protocol.timing import RoundTrip
from protocol.wire.messages import Card
from spoof_tui.network.addresses import Address
from spoof_tui.network.beacon import beacon_timeout
from spoof_tui.network.probe import GREETING_TRIPS, Answer, Failure

MAX_ENDPOINTS: Final = 512
"""Endpoints of one origin that are followed at once: a hall full of tables, and an end to a flood
of forgeries. Forged beacons leave room for adverts, and the other way round."""

MAX_OF_HOST: Final = 16
"""Beacons of one address that are followed at once: more tables than people share a machine."""

LISTED_INTERVAL: Final = 2.0
"""Seconds from the answer of a table to the next question, while its beacon is heard."""

UNHEARD_INTERVAL: Final = 1.0
"""Seconds from the answer of a table to the next question, if there is no sign of it between."""

CROWD_INTERVAL: Final = 0.5
"""Seconds from one question to the next, of all to those that answer: a list of hundreds of tables
costs no more than one of ten. A beacon that stops is asked about at once in any crowd."""

SPARE_INTERVAL: Final = 10.0
"""Seconds between two questions to a table that is listed at another address."""

SECOND_CHANCE_DELAY: Final = 0.25
"""Seconds from the first missing answer of a listed table to the second chance."""

MAX_HEARD_MISSES: Final = 4
"""Missing answers in a row that a listed table may have whose beacon is heard: packets get lost,
and a program that sends beacons runs. A forged beacon keeps a dead table so long, not longer."""

SILENT_INTERVAL: Final = 3.0
"""Seconds between two questions to what does not answer; from a silence to the next they double."""

MAX_DOUBLINGS: Final = 3
"""How often they double: an address of another network is asked every 24 seconds."""

SLACK: Final = 0.3
"""Seconds that a greeting may take beside its round trips."""

FORGET_DELAY: Final = 10.0
"""Seconds after which a beacon is forgotten that is not heard and whose table does not answer."""


class Origin(Enum):
    """Why a table may be somewhere."""

    GIVEN = auto()
    """This program was told."""
    ADVERT = auto()
    """It is advertised."""
    BEACON = auto()
    """Its beacon was heard."""


@dataclass(slots=True, eq=False)
class Endpoint:
    """Where a table may be, and what is known of it. Times are those of the event loop."""

    addresses: tuple[Address, ...]
    origin: Origin
    advert: bytes = b""
    """The TXT record that led here; its content is told apart, not believed."""
    table: bytes = b""
    """The first bytes of the table id, as advertised."""
    answer: Answer | None = None
    """The last answer; None while it is not listed."""
    trip: RoundTrip = field(default_factory=RoundTrip)
    """How long its answers take."""
    since: int = 0
    """Place in the order in which endpoints began to answer."""
    is_row: bool = False
    """Whether the table is listed at the address of this endpoint, not at that of another."""
    crowd: int = 1
    """How many endpoints of the list answer."""
    misses: int = 0
    """Questions without an answer since the last one."""
    silences: int = 0
    """Questions since the last one that nobody answered or refused."""
    asked: float = -math.inf
    """When it was asked last."""
    heard: float = -math.inf
    """When a beacon was heard last from where it answers."""
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when there is a reason to ask before the time."""
    task: asyncio.Task[None] | None = None
    card: Card | None = None
    """By which it has introduced itself, on a slow network."""
    awaited_until: float = -math.inf
    """When it should have answered since."""

    @property
    def in_order(self) -> list[Address]:
        """The addresses, the one that answered last before the others."""
        best = self.answer.address if self.answer else None
        return sorted(self.addresses, key=lambda address: address != best)

    @property
    def key(self) -> bytes | Address:
        """What is the same for two endpoints of one table, as far as can be known."""
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
        """When it is to be asked again."""
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
        # When a beacon stops, all addresses of its table are asked, not one after the other.
        later = max(self.asked + SPARE_INTERVAL, turn)
        return min(later, silent if silent > self.asked else math.inf)

    def is_over(self, now: float) -> bool:
        """Whether nothing speaks for it any more."""
        if self.origin is not Origin.BEACON or self.answer or self.is_new:
            return False
        return now - self.heard > FORGET_DELAY

    def introduced(self, card: Card, trip: float, now: float) -> None:
        """The table has told of itself after `trip` seconds; soon it should greet."""
        if self.card is None and not self.answer:
            self.card, self.awaited_until = card, now + GREETING_TRIPS * trip + SLACK

    def is_awaited(self, now: float) -> bool:
        """Whether its table has introduced itself and has not had the time to greet."""
        return self.card is not None and not self.answer and now < self.awaited_until

    def is_heard(self, now: float) -> bool:
        """Whether its beacon is there."""
        return now - self.heard < beacon_timeout(self.crowd)

    def doubt(self) -> None:
        """The table did not answer elsewhere, which counts here too: ask at once."""
        self.misses = 1
        self.wake.set()

    def answered(self, answer: Answer) -> None:
        """There was an answer."""
        self.answer = answer
        self.trip.measured(answer.round_trip)
        self.misses = self.silences = 0

    def missed(self, reason: Failure, now: float) -> None:
        """There was no answer. A full table has answered, if only to say so."""
        if reason is Failure.BUSY:
            return
        self.misses += 1
        is_silent = reason in (Failure.SILENT, Failure.UNREACHABLE)
        self.silences = self.silences + 1 if is_silent else 0
        # A beacon that is heard no more is the first missing answer.
        fell_silent = self.heard > -math.inf and not self.is_heard(now)
        most = MAX_HEARD_MISSES if self.is_heard(now) and is_silent else 1
        if self.answer and (reason is Failure.REFUSED or self.misses > most or fell_silent):
            self.answer = None
            # The next beacon is that of a table that came back.
            self.heard = -math.inf


def has_room(endpoints: Sequence[Endpoint], host: str) -> bool:
    """Whether one more beacon, of `host`, can be followed beside `endpoints`."""
    return len(endpoints) < MAX_ENDPOINTS and len(_of(endpoints, host)) < MAX_OF_HOST


def give_way(endpoints: Sequence[Endpoint], host: str) -> Endpoint | None:
    """The endpoint that makes room for a beacon of `host`: one where nobody answered, or none."""
    rivals = _of(endpoints, host)
    if len(rivals) < MAX_OF_HOST:
        rivals = endpoints
    dead = [endpoint for endpoint in rivals if not (endpoint.answer or endpoint.is_new)]
    return min(dead, key=lambda endpoint: endpoint.heard, default=None)


def _of(endpoints: Sequence[Endpoint], host: str) -> Sequence[Endpoint]:
    return [endpoint for endpoint in endpoints if endpoint.addresses[0].host == host]
