"""Datagrams to and from everybody on the links of this machine, by multicast and by broadcast.

They carry the beacon, on a port and in groups of the game's own; mDNS is in `mdns.py`. A network
without multicast has broadcast, one without IPv4 has IPv6, and a machine without any network has
loopback. Whatever does not work is left out: nothing here raises.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import ipaddress
import socket
import struct
from collections import Counter
from collections.abc import Callable
from ipaddress import IPv4Interface, IPv6Address
from typing import Any, Final
from weakref import WeakSet

from spoof_tui import system
from spoof_tui.network.addresses import DEFAULT_PORT, Interface, all_interfaces, zone_of

PORT: Final = DEFAULT_PORT
"""The UDP port on which everybody listens, whatever port a table has."""

GROUP_4: Final = "239.255.83.80"
"""The IPv4 group, from the range that every site may use as it likes."""

GROUP_6: Final = "ff12::5350:4f46"
"""The IPv6 group: link-local, and not registered."""

MAX_INTERFACES: Final = 16
"""Addresses of this machine that are used: a machine with more is full of containers."""

_EVERYBODY: Final = "255.255.255.255"
"""For networks too small to have a broadcast address."""

_QUESTION: Final = b"SPOF?"
"""The prefix of datagrams that may be meant for one machine alone."""

_MAX_PASSED: Final = 256
"""Questions that are remembered because another part of this program has passed them on."""

_MAX_NEAR: Final = 1024
"""Machines that are remembered as near or far."""

Reply = Callable[[bytes], None]
"""Replies to the sender of a datagram only."""

Heard = Callable[[bytes, str, Reply], None]
"""Called with a datagram, its source in the form of `Address`, and a way to reply."""

_listening: WeakSet[Broadcaster] = WeakSet()
"""The instances in this program that have sockets."""


class Broadcaster:
    """Sockets that follow the adapters. Call `load` once, and `refresh` every few seconds."""

    def __init__(self, heard: Heard) -> None:
        """`heard` is called for each datagram from a machine on one of our own links."""
        self.is_denied = False
        """Whether the system refused everything that was last sent."""
        self._heard = heard
        self._loop: asyncio.AbstractEventLoop | None = None
        self._interfaces: tuple[Interface, ...] = ()
        self._public: dict[socket.AddressFamily, Listener] = {}
        """Sockets on the well-known port, which other programs of this machine share."""
        self._near: dict[str, bool] = {}
        """Whether a machine is near, for those that were heard: beacons come again and again."""
        self._passed: Counter[tuple[bytes, Any]] = Counter()
        """Questions that other parts of this program passed on, and that the socket may
        still deliver."""
        self._own: dict[socket.AddressFamily, Listener] = {}
        """Sockets on a port of their own: answers to it are for this program alone."""

    async def load(self) -> None:
        """Import ifaddr in another thread: the first frame must not wait."""
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(importlib.import_module, "ifaddr")

    async def refresh(self) -> None:
        """Open whatever can be opened on the current adapters."""
        before = self._interfaces
        try:
            self._interfaces = all_interfaces()[:MAX_INTERFACES]
        except OSError:
            self._interfaces = ()
        if self._interfaces != before:
            self._near.clear()
        _listening.add(self)
        for family in (socket.AF_INET, socket.AF_INET6):
            await self._open(self._public, family, PORT, self._receive_public)
            await self._open(self._own, family, 0, self._receive)
            if family in self._public:
                self._join(self._public[family].socket, family)

    def send(self, data: bytes) -> None:
        """Send to everybody, on every link."""
        errors: list[OSError | None] = []
        for interface in self._interfaces:
            if listener := self._own.get(family_of(interface)):
                became = _send_on(listener.socket, interface, data)
                errors += () if interface.ip.is_loopback else became
        refused = [error is not None and system.is_denied(error) for error in errors]
        self.is_denied = any(refused) and None not in errors

    async def close(self) -> None:
        """Close the sockets; what was sent is on its way."""
        _listening.discard(self)
        listeners = [*self._public.values(), *self._own.values()]
        for listener in listeners:
            listener.close()
        await asyncio.gather(*(listener.gone for listener in listeners))

    async def _open(
        self,
        listeners: dict[socket.AddressFamily, Listener],
        family: socket.AddressFamily,
        port: int,
        receive: Callable[[bytes, Any, Reply], None],
    ) -> None:
        if family in listeners and not listeners[family].gone.done():
            return
        listeners.pop(family, None)
        with contextlib.suppress(OSError):
            bound = bound_socket(family, port)
            listener = Listener(bound, receive)
            # Kept first, so that there is something to close if the task is cancelled here.
            listeners[family] = listener
            await listener.open()

    def _join(self, public: socket.socket, family: socket.AddressFamily) -> None:
        for interface in self._interfaces:
            if family_of(interface) is family:
                # Usually the group was joined long ago.
                with contextlib.suppress(OSError):
                    join_group(public, interface)

    def _receive_public(self, data: bytes, source: Any, reply: Reply) -> None:
        """Handle a datagram, and let the whole program hear a question: if several sockets share
        the port, the system gives a datagram for this machine to only one of them."""
        if not data.startswith(_QUESTION):
            self._receive(data, source, reply)
        elif self._passed[data, source] > 0:
            self._passed[data, source] -= 1
        else:
            self._receive(data, source, reply)
            for other in [each for each in _listening if each is not self]:
                other._pass_on(data, source, reply)

    def _pass_on(self, data: bytes, source: Any, reply: Reply) -> None:
        if self._loop is not asyncio.get_running_loop():
            return
        if len(self._passed) >= _MAX_PASSED:
            self._passed.clear()
        self._passed[data, source] += 1
        self._receive(data, source, reply)

    def _receive(self, data: bytes, source: Any, reply: Reply) -> None:
        host = host_of(source)
        if self._is_near(host):
            self._heard(data, host, reply)

    def _is_near(self, host: str) -> bool:
        """Whether a machine is on one of our links; datagrams from farther away are ignored."""
        if host not in self._near:
            if len(self._near) >= _MAX_NEAR:
                self._near.clear()
            self._near[host] = self._has_near(host)
        return self._near[host]

    def _has_near(self, host: str) -> bool:
        number = ipaddress.ip_address(host)
        if isinstance(number, IPv6Address):
            return number.is_link_local
        return any(number in interface.network for interface in self._interfaces)


class Listener(asyncio.DatagramProtocol):
    """One socket that is read."""

    def __init__(self, bound: socket.socket, receive: Callable[[bytes, Any, Reply], None]) -> None:
        """`receive` gets each datagram, the source as the system gives it, and a way to reply."""
        self.socket = bound
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done when the socket is closed."""
        self._receive = receive
        self._transport: asyncio.BaseTransport | None = None

    async def open(self) -> None:
        """Start reading; raises `OSError`."""
        loop = asyncio.get_running_loop()
        await loop.create_datagram_endpoint(lambda: self, sock=self.socket)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        if self.gone.done():
            transport.close()

    def datagram_received(self, data: bytes, source: Any) -> None:
        def reply(answer: bytes) -> None:
            _reply(self.socket, answer, source)

        self._receive(data, source, reply)

    def error_received(self, exc: Exception) -> None:
        # Windows reports this about a datagram to somebody who has left, and goes on reading.
        if not isinstance(exc, ConnectionResetError):
            # Some systems stop reading from a socket after an error; another is opened soon.
            self.close()

    def connection_lost(self, exc: Exception | None) -> None:
        self._gone()

    def close(self) -> None:
        """Close the socket, soon."""
        if self._transport:
            self._transport.close()
        else:
            self.socket.close()
            self._gone()

    def _gone(self) -> None:
        if not self.gone.done():
            self.gone.set_result(None)


def bound_socket(family: socket.AddressFamily, port: int) -> socket.socket:
    """A UDP socket at `port`, shared with others unless it is 0; raises `OSError`."""
    bound = socket.socket(family, socket.SOCK_DGRAM)
    try:
        if port:
            system.share_port(bound)
        if family is socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        else:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
        bound.setblocking(False)
        bound.bind(("", port))
    except OSError:
        bound.close()
        raise
    return bound


def join_group(public: socket.socket, interface: Interface) -> None:
    """Join the group on the link of an interface; raises `OSError`."""
    if isinstance(interface, IPv4Interface):
        here = socket.inet_aton(GROUP_4) + interface.ip.packed
        public.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, here)
    elif zone := zone_of(interface):
        group = socket.inet_pton(socket.AF_INET6, GROUP_6)
        here = group + struct.pack("@I", system.zone_index(zone))
        public.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, here)


def send_to_group(own: socket.socket, interface: Interface, data: bytes) -> None:
    """Send to the group on the link of an interface; raises `OSError`."""
    if isinstance(interface, IPv4Interface):
        own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, interface.ip.packed)
        own.sendto(data, (GROUP_4, PORT))
    elif zone := zone_of(interface):
        own.sendto(data, (GROUP_6, PORT, 0, system.zone_index(zone)))


def send_to_everybody(own: socket.socket, interface: IPv4Interface, data: bytes) -> None:
    """Send to the broadcast address on the link of an interface; raises `OSError`."""
    own.sendto(data, (_broadcast(interface), PORT))


def _send_on(own: socket.socket, interface: Interface, data: bytes) -> list[OSError | None]:
    """Send to everybody on the link of one interface; return the result of each datagram."""
    if isinstance(interface, IPv4Interface):
        sends = (send_to_group, send_to_everybody)
        return [_tried(send, own, interface, data) for send in sends]
    return [_tried(send_to_group, own, interface, data)] if zone_of(interface) else []


def _tried(send: Callable[..., None], *words: object) -> OSError | None:
    """Send one datagram; return the error if it failed."""
    # A full buffer, no route, a firewall: it was only a datagram, and the next one follows.
    try:
        send(*words)
    except OSError as error:
        return error
    return None


def _reply(own: socket.socket, data: bytes, to: Any) -> None:
    with contextlib.suppress(OSError):
        own.sendto(data, to)


def _broadcast(interface: IPv4Interface) -> str:
    network = interface.network
    return str(network.broadcast_address) if network.num_addresses > 2 else _EVERYBODY


def family_of(interface: Interface) -> socket.AddressFamily:
    """The family of the sockets that reach an interface."""
    return socket.AF_INET if isinstance(interface, IPv4Interface) else socket.AF_INET6


def host_of(source: Any) -> str:
    """Where a datagram came from, as an address that can be connected to."""
    host = str(source[0]).partition("%")[0]
    scope = source[3] if len(source) > 3 else 0
    return f"{host}%{system.zone(scope)}" if scope else host
