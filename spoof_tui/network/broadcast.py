"""Datagrams to and from everybody on the links of this machine, by multicast and by broadcast.

They carry the beacon, on a port and in groups of its own; mDNS is in `mdns.py`. Where there is no
multicast, broadcast is used; where there is no IPv4, IPv6; and without any network, loopback. What
does not work is left out: nothing here raises unless it says so.
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
"""The UDP port on which all programs listen, whatever the port of a table is."""

GROUP_4: Final = "239.255.83.80"
"""The IPv4 multicast group, from the range that every site may use as it likes."""

GROUP_6: Final = "ff12::5350:4f46"
"""The IPv6 multicast group: link-local, and not registered."""

MAX_INTERFACES: Final = 16
"""Maximum number of this machine's addresses that are used: more are those of containers."""

_EVERYBODY: Final = "255.255.255.255"
"""The broadcast address for networks too small to have one of their own."""

_QUESTION: Final = b"SPOF?"
"""The first bytes of a question, which may be sent to one machine alone."""

_MAX_PASSED: Final = 256
"""Maximum number of questions that are remembered because another instance in this program passed
them on."""

_MAX_NEAR: Final = 1024
"""Maximum number of machines that are remembered as near or far."""

Reply = Callable[[bytes], None]
"""A function that sends a datagram to the sender of another one."""

Heard = Callable[[bytes, str, Reply], None]
"""A function that gets a datagram, the host it comes from, and a function to reply."""

_listening: WeakSet[Broadcaster] = WeakSet()
"""The instances in this program that have sockets open."""


class Broadcaster:
    """Sockets on all adapters, which follow changes. Call `load` once, and `refresh` every few
    seconds."""

    def __init__(self, heard: Heard) -> None:
        """`heard` is called for each datagram from a machine on a link of this one."""
        self.is_denied = False
        """Whether the system refused to send everything that was last sent."""
        self._heard = heard
        self._loop: asyncio.AbstractEventLoop | None = None
        self._interfaces: tuple[Interface, ...] = ()
        self._public: dict[socket.AddressFamily, Listener] = {}
        """Sockets on `PORT`, which other programs of this machine share."""
        self._near: dict[str, bool] = {}
        """For each machine that was heard, whether it is on a link of this one; remembered because
        beacons come again and again."""
        self._passed: Counter[tuple[bytes, Any]] = Counter()
        """Questions that other instances in this program passed on, and that the socket may still
        deliver, with how often."""
        self._own: dict[socket.AddressFamily, Listener] = {}
        """Sockets on a port of their own, so that answers to it reach this program alone."""

    async def load(self) -> None:
        """Import ifaddr in another thread, because the first frame on the screen must not wait for
        it."""
        self._loop = asyncio.get_running_loop()
        await asyncio.to_thread(importlib.import_module, "ifaddr")

    async def refresh(self) -> None:
        """Open sockets on the present adapters, as far as possible, and join the groups there."""
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
        """Send a datagram to everybody on every link."""
        errors: list[OSError | None] = []
        for interface in self._interfaces:
            if listener := self._own.get(family_of(interface)):
                became = _send_on(listener.socket, interface, data)
                errors += () if interface.ip.is_loopback else became
        refused = [error is not None and system.is_denied(error) for error in errors]
        self.is_denied = any(refused) and None not in errors

    async def close(self) -> None:
        """Close the sockets; what was sent before is still delivered."""
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
        """Handle a datagram, and pass a question on to the other instances in this program: if
        several sockets share the port, the system gives a datagram for this machine to only one of
        them."""
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
        """Whether a machine is on a link of this one; datagrams from elsewhere are ignored."""
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
    """A UDP socket that is read in an event loop."""

    def __init__(self, bound: socket.socket, receive: Callable[[bytes, Any, Reply], None]) -> None:
        """`receive` gets each datagram, its source as the system gives it, and a function to
        reply."""
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
        """Close the socket; `gone` is done once it is closed."""
        if self._transport:
            self._transport.close()
        else:
            self.socket.close()
            self._gone()

    def _gone(self) -> None:
        if not self.gone.done():
            self.gone.set_result(None)


def bound_socket(family: socket.AddressFamily, port: int) -> socket.socket:
    """A UDP socket on `port`, shared with other programs, or on a port of its own if that is 0;
    raises `OSError`."""
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
    """Join the multicast group on the link of an interface; raises `OSError`."""
    if isinstance(interface, IPv4Interface):
        here = socket.inet_aton(GROUP_4) + interface.ip.packed
        public.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, here)
    elif zone := zone_of(interface):
        group = socket.inet_pton(socket.AF_INET6, GROUP_6)
        here = group + struct.pack("@I", system.zone_index(zone))
        public.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, here)


def send_to_group(own: socket.socket, interface: Interface, data: bytes) -> None:
    """Send a datagram to the multicast group on the link of an interface; raises `OSError`."""
    if isinstance(interface, IPv4Interface):
        own.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, interface.ip.packed)
        own.sendto(data, (GROUP_4, PORT))
    elif zone := zone_of(interface):
        own.sendto(data, (GROUP_6, PORT, 0, system.zone_index(zone)))


def send_to_everybody(own: socket.socket, interface: IPv4Interface, data: bytes) -> None:
    """Send a datagram to the broadcast address of an interface's network; raises `OSError`."""
    own.sendto(data, (_broadcast(interface), PORT))


def _send_on(own: socket.socket, interface: Interface, data: bytes) -> list[OSError | None]:
    """Send a datagram to everybody on the link of one interface; returns an error or None for each
    way of sending."""
    if isinstance(interface, IPv4Interface):
        sends = (send_to_group, send_to_everybody)
        return [_tried(send, own, interface, data) for send in sends]
    return [_tried(send_to_group, own, interface, data)] if zone_of(interface) else []


def _tried(send: Callable[..., None], *words: object) -> OSError | None:
    """Send one datagram; returns the error if that failed, otherwise None."""
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
    """The address family of the sockets for an interface."""
    return socket.AF_INET if isinstance(interface, IPv4Interface) else socket.AF_INET6


def host_of(source: Any) -> str:
    """The host that a datagram came from, in a form that can be connected to."""
    host = str(source[0]).partition("%")[0]
    scope = source[3] if len(source) > 3 else 0
    return f"{host}%{system.zone(scope)}" if scope else host
