"""The beacon: datagrams by which tables and lobbies on one link notice each other at once.

They are public and anybody can forge them: a beacon is only a reason to ask a table over TCP.
"""

from __future__ import annotations

import asyncio
import itertools
import math
import struct
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from protocol.host.rate_limit import Bucket, RateLimits
from protocol.version import PROTOCOL
from spoof_tui.clock import loop_time
from spoof_tui.network.addresses import Address
from spoof_tui.network.broadcast import Broadcaster, Reply
from spoof_tui.network.mdns import LOOK_INTERVAL

_MAX_NUMBER: Final = 0xFFFF

TABLE_BYTES: Final = 8
"""Bytes of the table id in a beacon or an advert: enough to tell tables apart."""

BEACON_INTERVAL: Final = 0.5
"""Seconds between two beacons of a table."""

BEACON_TIMEOUT: Final = 1.2
"""Seconds without a beacon after which a table may be gone: two of them are missing."""

CROWD_RATE: Final = 30
"""Beacons per second from all tables on one link together: the more tables, the fewer each
sends."""

MAX_CROWD: Final = 300
"""Maximum number of tables that are counted, since beacons may be forged."""

ASK_INTERVAL: Final = 2.0
"""Seconds between two questions of a lobby."""

MAX_ANSWERS: Final = 16
"""Maximum answers of a table in a burst and per second, to all askers together: its next beacon
comes soon anyway."""

MAX_ASKERS: Final = 64
"""Maximum number of machines whose questions a table remembers."""

_FIRST_PAUSES: Final = (0.1, 0.3)
"""Seconds after each of the first questions: one may be lost, or be sent before an adapter is
up."""

MAX_BEACONS: Final = 1024
"""Maximum beacons that a lobby handles in a burst and per second, which takes a tenth of a second
at most."""

MAX_BEACONS_OF_HOST: Final = 96
"""Maximum beacons from one address in a burst and per second: sixteen tables, each twice a second
by multicast and by broadcast."""

_MAGIC: Final = b"SPOF"
_LAYOUT: Final = struct.Struct("!4scHH8s")

SIZE: Final = _LAYOUT.size
"""Bytes of every datagram; an answer is no longer than its question, so it cannot be used to
amplify a flood."""


def beacon_interval(tables: int) -> float:
    """Seconds between two beacons of a table if there are `tables` on its link."""
    return max(BEACON_INTERVAL, min(tables, MAX_CROWD) / CROWD_RATE)


def beacon_timeout(tables: int) -> float:
    """Seconds without a beacon after which a table may be gone, if there are `tables` on its
    link."""
    return beacon_interval(tables) * BEACON_TIMEOUT / BEACON_INTERVAL


class BeaconKind(Enum):
    """The kind of a datagram; the values are sent."""

    QUESTION = b"?"
    """A lobby asks which tables are here."""
    HERE = b"!"
    """A table is here."""
    GONE = b"."
    """A table closes."""


@dataclass(frozen=True, slots=True)
class Beacon:
    """One datagram. The address of a table is that of the sender. Raises `ValueError` for fields
    that do not fit."""

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
        """The encoded datagram."""
        return _LAYOUT.pack(_MAGIC, self.kind.value, self.protocol, self.port, self.table)

    @classmethod
    def read(cls, data: bytes) -> Beacon | None:
        """Decode a datagram; None if it is not a beacon."""
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
    """The table's side: announces the table, and answers questions."""

    def __init__(self, table: bytes, port: int) -> None:
        """`table` is the whole table id, `port` where the table listens."""
        self._here = Beacon(BeaconKind.HERE, port, table[:TABLE_BYTES]).write()
        self._gone = Beacon(BeaconKind.GONE, port, table[:TABLE_BYTES]).write()
        self.broadcast: Final = Broadcaster(self._heard)
        self._answers = Bucket(MAX_ANSWERS, 1 / MAX_ANSWERS)
        self._table = table[:TABLE_BYTES]
        self._others: dict[bytes, float] = {}
        """When the beacons of other tables were last heard, by table and the loop's clock."""
        self.askers: dict[str, float] = {}
        """Addresses that have asked, with when they first did by the loop's clock; they may be
        forged."""

    async def run(self) -> None:
        """Announce the table until cancelled; then announce that it is gone."""
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
        """Number of tables on the link, including this one."""
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


class BeaconListener:
    """The lobby's side: asks for tables, and listens for their beacons."""

    def __init__(self, seen: Callable[[Address, Beacon], None]) -> None:
        """`seen` gets every beacon with the address of its table; both may be forged."""
        self._seen = seen
        self.broadcast: Final = Broadcaster(self._heard)
        self._of_one = RateLimits(MAX_BEACONS_OF_HOST, 1 / MAX_BEACONS_OF_HOST)
        self._of_all = Bucket(MAX_BEACONS, 1 / MAX_BEACONS)
        self._heard_at: dict[tuple[str, bytes], float] = {}
        """When each datagram was last heard, by source, content and the loop's clock."""

    async def run(self) -> None:
        """Ask and listen until cancelled."""
        try:
            await self.broadcast.load()
            for pause in itertools.chain(_FIRST_PAUSES, itertools.repeat(ASK_INTERVAL)):
                await self.broadcast.refresh()
                self.broadcast.send(Beacon(BeaconKind.QUESTION).write())
                await asyncio.sleep(pause)
        finally:
            await self.broadcast.close()

    def _heard(self, data: bytes, host: str, _reply: Reply) -> None:
        beacon = Beacon.read(data)
        if beacon is None or beacon.kind is BeaconKind.QUESTION:
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
        self._seen(Address(host, beacon.port), beacon)
