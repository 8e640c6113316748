"""Asks the network for tables, and records whether the question was sent, came back to this
machine, and was answered."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import secrets
import socket
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from ipaddress import IPv4Interface
from typing import Any, Final

from spoof_tui import system
from spoof_tui.clock import loop_time
from spoof_tui.network.addresses import Address, Interface
from spoof_tui.network.beacon import TABLE_BYTES, Beacon, BeaconKind
from spoof_tui.network.broadcast import (
    PORT,
    Listener,
    Reply,
    bound_socket,
    family_of,
    host_of,
    join_group,
    send_to_everybody,
    send_to_group,
)
from spoof_tui.network.diagnosis.observations import LinkFigures

MAX_HEARD: Final = 64
"""Maximum number of tables and machines that are remembered, since anybody can forge them."""

_FORBIDDEN: Final = frozenset({errno.EPERM, errno.EACCES, errno.EHOSTUNREACH})
"""Error numbers by which a firewall, or a system that keeps a program off the local network,
refuses to send."""


class Asker:
    """Sockets that send questions and listen on certain interfaces. Call `open` once, and `close`
    at the end."""

    def __init__(self, interfaces: Sequence[Interface]) -> None:
        self._interfaces = interfaces
        self._own = {str(each.ip).partition("%")[0] for each in interfaces}
        self._nonce = secrets.token_bytes(TABLE_BYTES)
        self._listeners: list[Listener] = []
        self._senders: list[socket.socket] = []
        self._errors: set[int] = set()
        self._direct: list[_Question] = []
        self._asked: float | None = None
        self.trip = 0.0
        """Seconds from the first question to the first answer; 0 before it."""
        self.has_asked = False
        """Whether at least one question could be sent."""
        self.hears_itself = False
        """Whether a question of this program came back to it."""
        self.answered: set[str] = set()
        """Hosts of other machines that have answered a question."""
        self.tables: dict[Address, Beacon] = {}
        """Addresses at which tables say that they are, with their beacons."""
        self.alone: dict[Address, Beacon] = {}
        """Addresses at which tables that were asked directly say that they are, with their
        beacons."""
        self.lookers: set[str] = set()
        """Hosts of other machines that ask for tables."""
        self.shares_port = True
        """Whether the port of the beacons could be opened beside other programs."""

    @property
    def is_forbidden(self) -> bool:
        """Whether the system refused to send any question."""
        return not self.has_asked and bool(self._errors & _FORBIDDEN)

    @property
    def others(self) -> frozenset[str]:
        """Hosts of other machines that were heard."""
        tables = {each.host for each in self.tables if not self._is_own(each.host)}
        return frozenset(tables | self.lookers | self.answered)

    @property
    def figures(self) -> LinkFigures | None:
        """How many direct questions were answered, and how fast; None if none were asked."""
        if not self._direct:
            return None
        times = sorted(each.seconds for each in self._direct if each.seconds is not None)
        middle = times[len(times) // 2] if times else None
        return LinkFigures(len(self._direct), len(times), middle)

    async def open(self) -> None:
        """Open sockets for the interfaces, as far as possible."""
        for family in {family_of(each) for each in self._interfaces}:
            await self._listen(family)
            with contextlib.suppress(OSError):
                self._senders.append(await self._open(bound_socket(family, 0), self._answered))

    async def _listen(self, family: socket.AddressFamily) -> None:
        try:
            public = await self._open(bound_socket(family, PORT), self._heard)
        except OSError as error:
            self.shares_port = self.shares_port and error.errno != errno.EADDRINUSE
            return
        for interface in self._interfaces:
            if family_of(interface) is family:
                with contextlib.suppress(OSError):
                    join_group(public, interface)

    async def _open(
        self, bound: socket.socket, heard: Callable[[bytes, Any, Reply], None]
    ) -> socket.socket:
        listener = Listener(bound, heard)
        self._listeners.append(listener)
        await listener.open()
        return bound

    async def close(self) -> None:
        """Close the sockets."""
        for listener in self._listeners:
            listener.close()
        await asyncio.gather(*(listener.gone for listener in self._listeners))

    def ask(self) -> None:
        """Send the question by multicast and broadcast, on every link."""
        self._asked = self._asked or loop_time()
        data = Beacon(BeaconKind.QUESTION, table=self._nonce).write()
        for own in self._senders:
            for send in self._sends(own, data):
                try:
                    send()
                    self.has_asked = True
                except OSError as error:
                    self._errors.add(error.errno or 0)

    def _sends(self, own: socket.socket, data: bytes) -> Iterator[Callable[[], None]]:
        for interface in self._interfaces:
            if family_of(interface) is own.family and _has_group(interface):
                yield partial(send_to_group, own, interface, data)
                if isinstance(interface, IPv4Interface):
                    yield partial(send_to_everybody, own, interface, data)

    async def ask_directly(self, host: str) -> None:
        """Send the question to one machine only."""
        bare, _percent, zone = host.partition("%")
        family = socket.AF_INET6 if ":" in bare else socket.AF_INET
        with contextlib.suppress(OSError):
            question = _Question(loop_time())
            bound = bound_socket(family, 0)
            await self._open(bound, partial(self._answered_directly, question))
            self._direct.append(question)
            scope = (0, system.zone_index(zone) if zone else 0)
            to = (bare, PORT, *scope) if family is socket.AF_INET6 else (bare, PORT)
            bound.sendto(Beacon(BeaconKind.QUESTION).write(), to)

    # Receiving

    def _heard(self, data: bytes, source: Any, reply: Reply) -> None:
        """Handle a datagram that came to the port of the beacons."""
        beacon, host = Beacon.read(data), host_of(source)
        if beacon is None:
            return
        if beacon.kind is not BeaconKind.QUESTION:
            _note(self.tables, host, beacon)
        elif beacon.table == self._nonce:
            self.hears_itself = True
        elif not self._is_own(host) and len(self.lookers) < MAX_HEARD:
            self.lookers.add(host)

    def _answered(self, data: bytes, source: Any, _reply: Reply) -> None:
        beacon, host = Beacon.read(data), host_of(source)
        if beacon and beacon.kind is BeaconKind.HERE:
            self.trip = self.trip or loop_time() - (self._asked or 0.0)
            if not self._is_own(host) and len(self.answered) < MAX_HEARD:
                self.answered.add(host)
            _note(self.tables, host, beacon)

    def _answered_directly(
        self, question: _Question, data: bytes, source: Any, _reply: Reply
    ) -> None:
        beacon = Beacon.read(data)
        if beacon and beacon.kind is BeaconKind.HERE:
            question.seconds = question.seconds or loop_time() - question.asked
            _note(self.alone, host_of(source), beacon)

    def _is_own(self, host: str) -> bool:
        return host.partition("%")[0] in self._own or host.startswith("127.")


def _note(tables: dict[Address, Beacon], host: str, beacon: Beacon) -> None:
    if beacon.kind is BeaconKind.HERE and len(tables) < MAX_HEARD:
        tables[Address(host, beacon.port)] = beacon


class _Question:
    """A question that was sent to one machine."""

    def __init__(self, asked: float) -> None:
        self.asked = asked
        self.seconds: float | None = None
        """Seconds until it was answered; None if it was not yet."""


def _has_group(interface: Interface) -> bool:
    """Whether the link of this interface has the multicast group of its address family."""
    return isinstance(interface, IPv4Interface) or interface.ip.is_link_local
