"""The beacon: datagrams by which tables and lobbies on one link notice each other at once.

All of it is public and anybody can forge it: a beacon is only a reason to ask a table over TCP.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import secrets
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from protocol.encoding.codec import pack, read_message, unpack
from protocol.errors import Malformed
from protocol.host.rate_limit import Bucket, RateLimits
from protocol.version import PROTOCOL
from protocol.wire.messages import Card
from spoof_tui.clock import loop_time
from spoof_tui.network.addresses import Address
from spoof_tui.network.broadcast import Broadcast, Reply
from spoof_tui.network.mdns import LOOK_INTERVAL

NONCE_BYTES: Final = 8
"""Bytes that match an introduction to its question."""

MAX_TRIP: Final = 3.0
"""Seconds from a question to an introduction that still counts: nobody plays on a slower link, and
a forged one keeps nothing on a list for longer than a greeting takes on such a network."""

MAX_SIZE: Final = 512
"""Bytes of an introduction."""

_INTRODUCED: Final = struct.Struct("!5sHH8s")
_INTRODUCES: Final = b"SPOF="
_MAX_NUMBER: Final = 0xFFFF


@dataclass(frozen=True, slots=True)
class Introduction:
    """A table introducing itself. Raises `ValueError`."""

    port: int
    """TCP port of the table; its address is the sender's."""
    nonce: bytes
    """The nonce of the question."""
    card: Card
    """The table, without those that it goes on from."""

    def __post_init__(self) -> None:
        if not 0 < self.port <= _MAX_NUMBER or len(self.nonce) != NONCE_BYTES:
            raise ValueError(self)

    def write(self) -> bytes:
        """The datagram."""
        card = replace(self.card, continues=())
        return _INTRODUCED.pack(_INTRODUCES, PROTOCOL, self.port, self.nonce) + pack(
            card.packable()
        )

    @classmethod
    def read(cls, data: bytes) -> Introduction | None:
        """Parse a datagram; None unless it is an introduction of this version."""
        if not _INTRODUCED.size < len(data) <= MAX_SIZE:
            return None
        magic, protocol, port, nonce = _INTRODUCED.unpack_from(data)
        if (magic, protocol) != (_INTRODUCES, PROTOCOL):
            return None
        try:
            card = read_message({Card.KIND: Card}, unpack(data[_INTRODUCED.size :]))
            return cls(port, nonce, card) if isinstance(card, Card) else None
        except (Malformed, ValueError):
            return None


TABLE_BYTES: Final = 8
"""Bytes of the table id in a beacon or an advert: enough to tell tables apart."""

BEACON_INTERVAL: Final = 0.5
"""Seconds between two beacons of a table."""

BEACON_TIMEOUT: Final = 1.2
"""Seconds without a beacon after which a table may be gone: two were lost."""

CROWD_RATE: Final = 30
"""Beacons per second from all tables on one link: in a crowd each sends fewer."""

MAX_CROWD: Final = 300
"""Tables that are counted at most: beacons may be forged."""

ASK_INTERVAL: Final = 2.0
"""Seconds between two questions of a lobby."""

MAX_ANSWERS: Final = 16
"""Answers of a table at once and per second, in total: its next beacon is near anyway."""

MAX_ASKERS: Final = 64
"""Machines whose questions a table remembers."""

MAX_INTRODUCTIONS: Final = 4
"""Introductions of a table at once and per second: everybody on the link hears each."""

MAX_MEASURES: Final = 6
"""Questions of a lobby that ask for introductions, until one is answered."""

_FIRST_PAUSES: Final = (0.1, 0.3)
"""Seconds between the first questions: one may be lost, or come before an adapter is up."""

MAX_BEACONS: Final = 1024
"""Beacons that a lobby handles at once and per second, at a tenth of a second of work at most."""

MAX_BEACONS_OF_HOST: Final = 96
"""Beacons from one address: sixteen tables, each with two, by multicast and by broadcast."""

_MAGIC: Final = b"SPOF"
_LAYOUT: Final = struct.Struct("!4scHH8s")

SIZE: Final = _LAYOUT.size
"""Bytes of every datagram: an answer is no longer than its question."""


def beacon_interval(tables: int) -> float:
    """Seconds between two beacons of a table among this many tables."""
    return max(BEACON_INTERVAL, min(tables, MAX_CROWD) / CROWD_RATE)


def beacon_timeout(tables: int) -> float:
    """Seconds without a beacon after which a table may be gone, among this many tables."""
    return beacon_interval(tables) * BEACON_TIMEOUT / BEACON_INTERVAL


class BeaconKind(Enum):
    """The type of a datagram; the values are on the wire."""

    QUESTION = b"?"
    """Which tables are here?"""
    HERE = b"!"
    """A table is here."""
    GONE = b"."
    """A table is no longer here."""
    THERE = b">"
    """The table at which the sender sits is at the IPv4 address that starts the last bytes."""
    FOUND = b"+"
    """The sender has reached a table at that address."""


@dataclass(frozen=True, slots=True)
class Beacon:
    """One datagram. The address of a table is the sender's. Raises `ValueError`."""

    kind: BeaconKind
    port: int = 0
    """TCP port of the table; 0 in a question."""
    table: bytes = bytes(TABLE_BYTES)
    """The first bytes of the table id; zeros in a question."""
    protocol: int = PROTOCOL
    """Version of the protocol that the sender speaks."""

    def __post_init__(self) -> None:
        numbers_fit = 0 <= self.port <= _MAX_NUMBER and 0 <= self.protocol <= _MAX_NUMBER
        has_port = self.port > 0
        is_question = self.kind is BeaconKind.QUESTION
        if not numbers_fit or has_port is is_question or len(self.table) != TABLE_BYTES:
            raise ValueError(self)

    def write(self) -> bytes:
        """The datagram."""
        return _LAYOUT.pack(_MAGIC, self.kind.value, self.protocol, self.port, self.table)

    @classmethod
    def read(cls, data: bytes) -> Beacon | None:
        """Parse a datagram; None unless it is a beacon."""
        if len(data) != SIZE:
            return None
        magic, kind, protocol, port, table = _LAYOUT.unpack(data)
        if magic != _MAGIC:
            return None
        try:
            return cls(BeaconKind(kind), port, table, protocol)
        except ValueError:
            return None


class BeaconSender:
    """A table's side: announces it, and answers questions."""

    def __init__(self, table: bytes, port: int) -> None:
        """`table` is the whole table id, `port` where the table listens."""
        self._here = Beacon(BeaconKind.HERE, port, table[:TABLE_BYTES]).write()
        self._gone = Beacon(BeaconKind.GONE, port, table[:TABLE_BYTES]).write()
        self.broadcast: Final = Broadcast(self._heard)
        self._answers = Bucket(MAX_ANSWERS, 1 / MAX_ANSWERS)
        self._table = table[:TABLE_BYTES]
        self._others: dict[bytes, float] = {}
        """When the beacons of other tables were last heard."""
        self._introductions = Bucket(MAX_INTRODUCTIONS, 1 / MAX_INTRODUCTIONS)
        self._port = port
        self.card: Card | None = None
        """The card by which it introduces the table; without one it does not."""
        self.askers: dict[str, float] = {}
        """Who has asked, and when first, by the loop's clock; all of it may be forged."""

    async def run(self) -> None:
        """Announce the table until cancelled; then say goodbye."""
        try:
            await self.broadcast.load()
            refreshed = -math.inf
            while True:
                if loop_time() - refreshed >= LOOK_INTERVAL:
                    refreshed = loop_time()
                    await self.broadcast.refresh()
                self.broadcast.send(self._here)
                await asyncio.sleep(beacon_interval(self._crowd()))
        finally:
            # Twice: a lost goodbye is never asked for.
            self.broadcast.send(self._gone)
            self.broadcast.send(self._gone)
            await self.broadcast.close()

    def _crowd(self) -> int:
        """How many tables there are on the link."""
        since = loop_time() - beacon_timeout(len(self._others) + 1)
        self._others = {table: at for table, at in self._others.items() if at > since}
        return len(self._others) + 1

    def _note(self, table: bytes) -> None:
        is_known = table in self._others or len(self._others) < MAX_CROWD
        if table != self._table and is_known:
            self._others[table] = loop_time()

    def _heard(self, data: bytes, host: str, reply: Reply) -> None:
        beacon = Beacon.read(data)
        if beacon and beacon.kind is BeaconKind.HERE:
            self._note(beacon.table)
        if beacon is None or beacon.kind is not BeaconKind.QUESTION:
            return
        if len(self.askers) < MAX_ASKERS:
            self.askers.setdefault(host, loop_time())
        if self._answers.take(loop_time()):
            reply(self._here)
        if self.card and any(beacon.table) and self._introductions.take(loop_time()):
            self.broadcast.send(Introduction(self._port, beacon.table, self.card).write())


class BeaconListener:
    """A lobby's side: asks for tables, and hears of them."""

    def __init__(
        self,
        seen: Callable[[Address, Beacon], None],
        introduced: Callable[[Address, Card, float | None], None] | None = None,
        known: Callable[[], Iterable[str]] = tuple,
        asked: Callable[[Reply], None] = lambda reply: None,
    ) -> None:
        """`seen` gets every beacon, with where its table would be; all of it may be forged.

        `introduced` gets a table's card in the same way, with the seconds since it was asked for,
        or None if somebody else asked, or if that was long ago. The `known` hosts are asked one by
        one, too. `asked` may answer the questions of other lobbies.
        """
        self._answer = asked
        self._known = known
        self._seen = seen
        self._introduced = introduced
        self._asked: dict[bytes, float] = {}
        """When each question for introductions was sent, by its nonce."""
        self._is_measured = introduced is None
        self.broadcast: Final = Broadcast(self._heard)
        self._of_one = RateLimits(MAX_BEACONS_OF_HOST, 1 / MAX_BEACONS_OF_HOST)
        self._of_all = Bucket(MAX_BEACONS, 1 / MAX_BEACONS)
        self._heard_at: dict[tuple[str, bytes], float] = {}
        """When the last datagrams were heard, by source and content."""

    async def run(self) -> None:
        """Ask and listen until cancelled."""
        try:
            await self.broadcast.load()
            for pause in itertools.chain(_FIRST_PAUSES, itertools.repeat(ASK_INTERVAL)):
                await self.broadcast.refresh()
                self.broadcast.send(self._question())
                for host in self._known():
                    self.broadcast.send_to(host, Beacon(BeaconKind.QUESTION).write())
                await asyncio.sleep(pause)
        finally:
            await self.broadcast.close()

    def _question(self) -> bytes:
        if self._is_measured or len(self._asked) >= MAX_MEASURES:
            return Beacon(BeaconKind.QUESTION).write()
        nonce = secrets.token_bytes(NONCE_BYTES)
        self._asked[nonce] = loop_time()
        return Beacon(BeaconKind.QUESTION, table=nonce).write()

    def _heard(self, data: bytes, host: str, reply: Reply) -> None:
        beacon = Beacon.read(data)
        if beacon and beacon.kind is BeaconKind.QUESTION:
            self._answer(reply)
            return
        now, same = loop_time(), (host, data)
        if now - self._heard_at.get(same, -math.inf) < BEACON_INTERVAL / 2:
            return  # by multicast and by broadcast
        # The limit per host comes first: what one machine sends leaves room for the others.
        if not (self._of_one.take(host, now) and self._of_all.take(now)):
            return
        if len(self._heard_at) >= MAX_BEACONS:
            self._heard_at.clear()
        self._heard_at[same] = now
        if beacon:
            self._seen(Address(host, beacon.port), beacon)
        else:
            self._introduce(data, host, now)

    def _introduce(self, data: bytes, host: str, now: float) -> None:
        told = Introduction.read(data)
        if told and self._introduced:
            asked = self._asked.get(told.nonce, -math.inf)
            trip = now - asked if now - asked <= MAX_TRIP else None
            self._is_measured = self._is_measured or trip is not None
            self._introduced(Address(host, told.port), told.card, trip)
