"""Guests who tell where their table is: whoever knows one seat's address finds the table by it.

Where a network hides what is meant for everybody, a question to one machine gets through.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from ipaddress import AddressValueError, IPv4Address
from socket import AF_INET
from typing import Any, Final

from protocol.host.rate_limit import Bucket
from spoof_tui.network.addresses import Address
from spoof_tui.network.beacon import Beacon, BeaconKind
from spoof_tui.network.broadcast import PORT, Broadcast, Listener, Reply, bound_socket, host_of
from spoof_tui.network.mdns import LOOK_INTERVAL

MAX_POINTS: Final = 8
"""Answers of a guest at once, and in each second."""

ASK_PAUSES: Final = (0.2, 0.4, 0.6)
"""Seconds in which each question is answered: one may be lost."""


def is_public(host: str) -> bool:
    """Whether a host is an IPv4 address that means the same on another machine."""
    try:
        number = IPv4Address(host)
    except AddressValueError:
        return False
    return not (number.is_loopback or number.is_unspecified or number.is_multicast)


def pointer(address: Address) -> bytes:
    """The datagram that tells of a table at an IPv4 address."""
    table = IPv4Address(address.host).packed + bytes(4)
    return Beacon(BeaconKind.THERE, address.port, table).write()


def pointed(beacon: Beacon) -> Address:
    """Where a table is of which a datagram tells."""
    return Address(str(IPv4Address(beacon.table[:4])), beacon.port)


class Pointer:
    """A guest's end: tells whoever asks where its table is."""

    def __init__(self, where: Callable[[], Address | None]) -> None:
        """`where` says where the table is; None while that is not known."""
        self._where = where
        self._broadcast = Broadcast(self._heard)
        self._answers = Bucket(MAX_POINTS, 1 / MAX_POINTS)

    async def run(self) -> None:
        """Answer, until this is cancelled."""
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
        if where and is_public(where.host) and self._answers.take(_now()):
            reply(pointer(where))


async def ask_where(host: str) -> Address | None:
    """Where the table is of a guest at an address; None if nobody there says so, soon."""
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


def _now() -> float:
    return asyncio.get_running_loop().time()
