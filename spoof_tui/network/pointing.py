"""Guests who say where their table is: the address of any seat leads to the table.

Where a network blocks multicast and broadcast, a question to one machine gets through.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from ipaddress import IPv4Address, IPv4Network
from socket import AF_INET
from typing import Any, Final

from protocol.host.rate_limit import Bucket
from spoof_tui.clock import loop_time
from spoof_tui.network.addresses import Address, is_public
from spoof_tui.network.beacon import Beacon, BeaconKind
from spoof_tui.network.broadcast import PORT, Broadcast, Listener, Reply, bound_socket, host_of
from spoof_tui.network.mdns import LOOK_INTERVAL

MAX_POINTS: Final = 8
"""Answers of a guest at once and per second."""

MAX_TOLD: Final = 64
"""Places that are followed on the word of others, per `TOLD_INTERVAL`: a dozen liars leave room for
an honest one."""

MAX_TOLD_BY_HOST: Final = 4
"""The same on the word of one machine."""

TOLD_INTERVAL: Final = 30.0
"""Seconds until a place where nobody answers is followed again."""

MIN_TOLD_PORT: Final = 1024
"""Ports below are for services other than tables."""

_PRIVATE: Final = tuple(
    map(IPv4Network, ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16"))
)

ASK_PAUSES: Final = (0.2, 0.4, 0.6)
"""Seconds to wait for the answer to each question: one may be lost."""


def leading_to(address: Address, kind: BeaconKind) -> bytes:
    """The datagram that points to a table at an IPv4 address (`THERE`), or passes on where one was
    found (`FOUND`)."""
    table = IPv4Address(address.host).packed + bytes(4)
    return Beacon(kind, address.port, table).write()


def pointed(beacon: Beacon) -> Address:
    """The address of the table that a datagram points to."""
    return Address(str(IPv4Address(beacon.table[:4])), beacon.port)


class Hearsay:
    """Where others on this link have found tables.

    Like a typed address, it is a reason to ask there. Anybody can lie, so it never leads beyond
    private networks, nor to more than a few places in half a minute.
    """

    def __init__(self) -> None:
        self._told: dict[Address, tuple[str, float]] = {}
        """Who named each place that was followed, and when."""

    def leads(self, teller: str, address: Address, now: float) -> bool:
        """Whether to ask at an address, on the word of the machine `teller`."""
        self._told = {
            each: (host, at) for each, (host, at) in self._told.items() if now - at < TOLD_INTERVAL
        }
        of_teller = sum(host == teller for host, _ in self._told.values())
        has_room = len(self._told) < MAX_TOLD and of_teller < MAX_TOLD_BY_HOST
        is_new = address not in self._told
        if not (has_room and is_new and is_private(address.host) and address.port >= MIN_TOLD_PORT):
            return False
        self._told[address] = teller, now
        return True

    def forget(self, address: Address) -> None:
        """There was no room to ask there: do it the next time it is named."""
        self._told.pop(address, None)


def is_private(host: str) -> bool:
    """Whether an address belongs to a home, a pub or a firm, and not to the internet."""
    return is_public(host) and any(IPv4Address(host) in each for each in _PRIVATE)


class Pointer:
    """A guest's side: tells anybody who asks where its table is."""

    def __init__(self, where: Callable[[], Address | None]) -> None:
        """`where` returns the table's address; None while it is unknown."""
        self._where = where
        self._broadcast = Broadcast(self._heard)
        self._answers = Bucket(MAX_POINTS, 1 / MAX_POINTS)

    async def run(self) -> None:
        """FoundTable until cancelled."""
        try:
            await self._broadcast.load()
            while True:
                await self._broadcast.refresh()
                await asyncio.sleep(LOOK_INTERVAL)
        finally:
            await self._broadcast.close()

    def _heard(self, data: bytes, _host: str, reply: Reply) -> None:
        beacon = Beacon.read(data)
        if beacon is None or beacon.kind is not BeaconKind.QUESTION:
            return
        where = self._where()
        if where and is_public(where.host) and self._answers.take(loop_time()):
            for kind in (BeaconKind.THERE, BeaconKind.FOUND):
                reply(leading_to(where, kind))


async def ask_where(host: str) -> Address | None:
    """Where the table of the guest at an address is; None if nobody there says so in time."""
    if not is_public(host):
        return None
    found: asyncio.Future[Address] = asyncio.get_running_loop().create_future()
    try:
        asking = Listener(bound_socket(AF_INET, 0), partial(_told, host, found))
    except OSError:
        return None
    try:
        await asking.open()
        for pause in ASK_PAUSES:
            asking.socket.sendto(Beacon(BeaconKind.QUESTION).write(), (host, PORT))
            await asyncio.wait({found}, timeout=pause)
            if found.done():
                return found.result()
    except OSError:
        return None
    finally:
        asking.close()
        await asking.gone
    return None


def _told(
    host: str, found: asyncio.Future[Address], data: bytes, source: Any, _reply: Reply
) -> None:
    beacon = Beacon.read(data)
    is_asked = host_of(source) == host
    if beacon and beacon.kind is BeaconKind.THERE and is_asked and not found.done():
        found.set_result(pointed(beacon))
