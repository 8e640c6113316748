"""Links between a guest and a host: over TCP, or in memory for the host's own seat.

Both carry bytes in order and tell their owner when they end; neither knows what it carries.
TLS belongs here: a link's `channel` binds what is signed on it to this very connection.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from spoof_tui.network.addresses import Address

CONNECT_WITHIN: Final = 5.0
"""Seconds that a connection may take: a lost first packet costs one, the second three."""


class Owner(Protocol):
    """Who uses one end of a link."""

    def opened(self, link: Link) -> None:
        """The link stands."""

    def received(self, link: Link, data: bytes) -> None:
        """Bytes came."""

    def lost(self, link: Link) -> None:
        """The link is gone; called once, not after `Link.close`."""


class Link(Protocol):
    """One end of a link, to be used in its event loop only."""

    channel: bytes
    """What identifies this very connection to both ends; empty where nothing can."""

    def send(self, data: bytes) -> None:
        """Put bytes on their way; they are dropped once the link is gone."""

    def unsent(self) -> int:
        """Bytes that wait because the other end does not read."""

    def close(self) -> None:
        """Close after what was sent is out. The owner hears no more of this link."""

    def abort(self) -> None:
        """Close at once and forget what was not sent."""


class TcpLink(asyncio.Protocol):
    """A link over a TCP connection."""

    channel = b""

    def __init__(self, owner: Owner) -> None:
        self._owner: Owner | None = owner
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        if self._owner:
            self._owner.opened(self)

    def data_received(self, data: bytes) -> None:
        if self._owner:
            self._owner.received(self, data)

    def connection_lost(self, exc: Exception | None) -> None:
        owner, self._owner, self._transport = self._owner, None, None
        if owner:
            owner.lost(self)

    def send(self, data: bytes) -> None:
        if self._transport:
            self._transport.write(data)

    def unsent(self) -> int:
        return self._transport.get_write_buffer_size() if self._transport else 0

    def close(self) -> None:
        self._owner = None
        if self._transport:
            self._transport.close()

    def abort(self) -> None:
        self._owner = None
        if self._transport:
            self._transport.abort()


class MemoryLink:
    """One end of a link inside one event loop."""

    channel = b""

    def __init__(self, owner: Owner, loop: asyncio.AbstractEventLoop) -> None:
        self._owner: Owner | None = owner
        self._loop = loop
        self._peer: MemoryLink | None = None

    @staticmethod
    def join(one: Owner, other: Owner, loop: asyncio.AbstractEventLoop) -> None:
        """Connect two owners."""
        here, there = MemoryLink(one, loop), MemoryLink(other, loop)
        here._peer, there._peer = there, here
        one.opened(here)
        other.opened(there)

    def send(self, data: bytes) -> None:
        if self._peer:
            self._loop.call_soon(self._peer._receive, data)

    def unsent(self) -> int:
        return 0

    def close(self) -> None:
        self._owner = None
        peer, self._peer = self._peer, None
        if peer:
            self._loop.call_soon(peer._lose)

    def abort(self) -> None:
        self.close()

    def _receive(self, data: bytes) -> None:
        if self._owner:
            self._owner.received(self, data)

    def _lose(self) -> None:
        owner, self._owner, self._peer = self._owner, None, None
        if owner:
            owner.lost(self)


Dial = Callable[[Owner], Awaitable[None]]
"""Connects its argument to a host; raises `OSError`."""


async def dial(owner: Owner, address: Address) -> None:
    """Connect `owner` to the host at `address`; raises `OSError`."""
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(CONNECT_WITHIN):
        await loop.create_connection(lambda: TcpLink(owner), address.host, address.port)
