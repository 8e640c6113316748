"""The advert of a table: an mDNS service whose TXT record says which table it is.

Anybody on the network can read an advert, and anybody can forge one. It contains nothing secret and
is only a reason to ask the table, which tells the rest itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import secrets
import zlib
from collections.abc import Callable, Mapping
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import TYPE_CHECKING, Final

from protocol.encoding.codec import pack
from protocol.wire.messages import Card
from spoof_tui import system
from spoof_tui.network.addresses import Address, Interface, scoped_addresses, unscoped
from spoof_tui.network.beacon import TABLE_BYTES, BeaconSender
from spoof_tui.network.mdns import LOOK_INTERVAL, SERVICE, MdnsEndpoint, load

if TYPE_CHECKING:
    from zeroconf import Zeroconf
    from zeroconf.asyncio import AsyncServiceInfo

MAX_OF_ADVERT: Final = 8
"""Maximum number of addresses of one advert that are tried."""

MAX_ADVERTISED: Final = 6
"""Maximum number of addresses of this machine that are advertised."""


def pairs_of(card: Card, door: int | None = None) -> dict[str, bytes]:
    """The pairs of the TXT record: which table it is, and a checksum that changes when `card` does.

    If the table has an ssh door, its port is included, for people with an ssh client but without
    this program.
    """
    pairs = {
        "table": card.table[:TABLE_BYTES].hex().encode(),
        "card": f"{zlib.crc32(pack(card.packable())):08x}".encode(),
    }
    return pairs if door is None else {**pairs, "ssh": str(door).encode()}


def table_of(pairs: Mapping[bytes, bytes | None]) -> bytes:
    """The first bytes of the table id in a TXT record; empty if it contains none."""
    try:
        return bytes.fromhex((pairs.get(b"table") or b"").decode("ascii"))[:TABLE_BYTES]
    except ValueError:
        return b""


def addresses_in(info: AsyncServiceInfo, interfaces: tuple[Interface, ...]) -> tuple[Address, ...]:
    """The addresses of an advert that can be asked, at most `MAX_OF_ADVERT`, those on this
    machine's networks first."""
    if not info.port:
        return ()
    hosts = [ip_address(host) for host in info.parsed_scoped_addresses()]
    usable = [host for host in hosts if not (host.is_unspecified or host.is_multicast)]
    usable.sort(key=lambda host: (_distance(host, interfaces), host.version, int(host)))
    found = (
        way for host in usable for way in scoped_addresses(_address(host, info.port), interfaces)
    )
    return tuple(dict.fromkeys(found))[:MAX_OF_ADVERT]


def _address(host: IPv4Address | IPv6Address, port: int) -> Address:
    """The address as this program writes it: zeroconf gives the number of an adapter, not its
    name."""
    text, percent, zone = str(host).partition("%")
    if percent and zone.isdigit():
        zone = system.zone(int(zone))
    return Address(f"{text}{percent}{zone}", port)


def _distance(host: IPv4Address | IPv6Address, interfaces: tuple[Interface, ...]) -> int:
    """Index of the first interface on whose network `host` is; their number if it is on none."""
    near = (place for place, interface in enumerate(interfaces) if host in interface.network)
    return next(near, len(interfaces))


class Announcer:
    """Advertises one table and runs its beacon; follows changes of the network by itself."""

    def __init__(self, on_change: Callable[[], None] = lambda: None) -> None:
        """`on_change` is called when `trouble` or `hosts` has changed."""
        self.hosts: tuple[str, ...] = ()
        """The addresses of this machine by which others can reach it, the best first, as of the
        last check."""
        self._on_change = on_change
        self._network = MdnsEndpoint(lambda _: on_change(), self._is_denied)
        # Unique, so that it need not be defended for a second; without a dot, for avahi.
        self._instance = secrets.token_hex(4)
        self._door: int | None = None
        self._port = 0
        self._changed = asyncio.Event()
        self._said: tuple[Zeroconf, dict[str, bytes], tuple[str, ...]] | None = None
        """The zeroconf object, pairs and addresses of the last announcement; None before it."""
        self._sending: asyncio.Future[object] | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._card: Card | None = None
        self._beacon: BeaconSender | None = None
        self._sending_beacon: asyncio.Task[None] | None = None

    @property
    def trouble(self) -> str | None:
        """A sentence that says why others may not find the table; None if they can."""
        return self._network.trouble

    def askers(self, before: float) -> frozenset[str]:
        """Addresses of machines that first asked for tables before this time, by the loop's
        clock."""
        heard = self._beacon.askers if self._beacon else {}
        return frozenset(host for host, since in heard.items() if since < before)

    async def start(self, card: Card, port: int) -> None:
        """Advertise `card` at `port`; returns after the first attempt, whether it succeeded or
        not."""
        self._port = port
        # At once: the advert takes a while.
        self._beacon = BeaconSender(card.table, port)
        self._card = card
        self._sending_beacon = asyncio.create_task(self._beacon.run())
        await load()
        await self._advertise()
        self._keeper = asyncio.create_task(self._keep())

    def update(self, card: Card) -> None:
        """Advertise the new card of the table; may be called any number of times."""
        if self._beacon and card != self._card:
            self._card = card
            self._changed.set()

    def name_door(self, port: int | None) -> None:
        """Advertise the port of the table's ssh door; None for no door."""
        self._door = port
        self._changed.set()

    async def close(self) -> None:
        """Withdraw the advert, so that the table disappears from the lists at once. Takes up to 0.8
        s."""
        try:
            await system.end(self._sending_beacon, self._keeper)
            # An announcement after the goodbye would leave a ghost.
            await self._sent()
        finally:
            await self._network.close()

    def _is_denied(self) -> bool:
        return self._beacon is not None and self._beacon.broadcast.is_denied

    async def _keep(self) -> None:
        while True:
            await self._sent()
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_INTERVAL):
                    await self._changed.wait()
            self._changed.clear()
            await self._advertise()

    async def _advertise(self) -> None:
        async with self._network.attempt():
            await self._network.refresh()
        # Also where adverts cannot follow.
        self._look_where()
        if self._network.zeroconf:
            async with self._network.attempt():
                await self._say(self._network.zeroconf)

    def _look_where(self) -> None:
        hosts = tuple(dict.fromkeys(map(unscoped, self._network.interfaces)))
        if hosts != self.hosts:
            self.hosts = hosts
            self._on_change()

    async def _say(self, zeroconf: Zeroconf) -> None:
        """Announce the present state of the table and the network, if it has changed."""
        assert self._beacon and self._card
        from zeroconf import ServiceInfo

        pairs, addresses = pairs_of(self._card, self._door), self.hosts[:MAX_ADVERTISED]
        said = zeroconf, pairs, addresses
        if said == self._said:
            return
        info = ServiceInfo(
            SERVICE,
            f"{self._instance}.{SERVICE}",
            port=self._port,
            properties=pairs,
            server=f"spoof-{self._instance}.local.",
            parsed_addresses=list(addresses),
        )
        if self._said and self._said[0] is zeroconf:
            sending = await zeroconf.async_update_service(info)
        else:
            sending = await zeroconf.async_register_service(info, cooperating_responders=True)
        self._said, self._sending = said, asyncio.ensure_future(sending)

    async def _sent(self) -> None:
        """Wait until the last announcement is sent, which includes repeats for half a second."""
        if self._sending:
            # Not awaited directly: if this is cancelled, the announcement must go on.
            await asyncio.wait([self._sending])
            self._sending = None
