"""Links between a guest and a host: over TLS, or in memory for the host's own seat.

Both kinds carry bytes in order and tell their owner when they end; neither knows what it carries.

A `TlsLink` does its own TLS (see `tls.py`) on a bare TCP transport, because a host decides about a
connection before asyncio's TLS would report it. The server checks the address of the bare
transport, and either refuses it without a handshake or begins one as an object that it can abort
when somebody else needs the slot. The owner is told nothing until the handshake is done, and then
that the link is up before any bytes that came with the end of the handshake. So a failed handshake
is one `OSError`, and not a traceback in the event loop's log. There is also one buffer of unsent
bytes instead of two, so that `Link.unsent` counts everything that waits for a slow reader.
"""

from __future__ import annotations

import asyncio
import errno
import socket
from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from protocol.limits import HANDSHAKE_TIMEOUT, MAX_UNSENT
from protocol.timeouts import RoundTrip
from spoof_tui import system, visiting
from spoof_tui.network import tls
from spoof_tui.network.addresses import Address
from spoof_tui.network.tls import TlsPipe

CONNECT_TIMEOUT: Final = 5.0
"""Seconds that the other machine may take to accept a connection: losing the first packet costs
one, losing the second three. The TLS handshake may take as long again, or longer if the connection
was accepted slowly."""

_HANDSHAKE_TRIPS: Final = 4
"""Round trips that a TLS handshake may take: one, and three for a lost packet."""

CLOSE_TIMEOUT: Final = 1.0
"""Seconds that sending the last bytes may take."""

LINGER: Final = 0.3
"""Seconds that a host that has closed a link waits for the other end to close it, too. Whatever
reaches a closed socket is answered by a reset, and on a reset the other end loses what it has not
read yet, which is the host's farewell."""

_MAX_UNSENT: Final = 16 * MAX_UNSENT
"""Bytes that may wait for a slow reader before its link is given up: no correct peer reaches this,
because nothing more is sent above `MAX_UNSENT`."""


class Owner(Protocol):
    """The user of one end of a link; the methods are called in the loop of the link."""

    def opened(self, link: Link) -> None:
        """The link is up; called first."""

    def received(self, link: Link, data: bytes) -> None:
        """Bytes have come over the link."""

    def drained(self, link: Link) -> None:
        """The unsent bytes, which had exceeded `MAX_UNSENT`, have been sent."""

    def lost(self, link: Link) -> None:
        """The link has ended; called once, and not after `Link.close` or `Link.abort`."""


class Link(Protocol):
    """One end of a link, to be used in its event loop only."""

    channel: bytes
    """Hash of the host's certificate, the same at both ends of a connection; empty for a link in
    memory."""

    host_key: bytes | None
    """On the guest's side, the key in that certificate; None on the host's side and for a link in
    memory."""

    address: str | None
    """On the host's side, the address of the other end without port and zone; None on the guest's
    side and for a link in memory."""

    round_trip: float
    """Seconds that the other end took to answer when the connection was made; 0 for a link in
    memory."""

    def send(self, data: bytes) -> None:
        """Send bytes; they are dropped if the link has ended."""

    def unsent(self) -> int:
        """Number of bytes that wait because the other end does not read."""

    def is_stranded(self) -> bool:
        """Whether this machine no longer has the address of its end of the connection."""

    def pass_to(self, owner: Owner, unread: bytes) -> None:
        """Hand the link to another owner, who is told that it is up, and given `unread`.

        Raises `OSError` if the link has ended.
        """

    def pause(self) -> None:
        """Stop reading; a few bytes that are under way may still come."""

    def resume(self) -> None:
        """Start reading again."""

    def close(self) -> None:
        """Close once everything is sent. The owner is told nothing more about this link."""

    def abort(self) -> None:
        """Close at once and drop what was not sent. The owner is told nothing more about this
        link."""


Settled = Callable[[OSError | None], None]
"""A function that is called once when a handshake is over: with None, or with the reason why there
is no link."""


class TlsLink(asyncio.Protocol):
    """A link over a TCP connection with TLS inside."""

    def __init__(
        self,
        owner: Owner,
        pipe: TlsPipe,
        settled: Settled,
        channel: bytes = b"",
        address: str | None = None,
    ) -> None:
        """The end of a host, which knows `channel` and the other end's `address`, or that of a
        guest, without them."""
        self.channel = channel
        self.host_key: bytes | None = None
        self.address = address
        self.round_trip = 0.0
        self.gone: Final = asyncio.Event()
        """Set when the connection has ended."""
        self._owner: Owner | None = owner
        self._pipe = pipe
        self._settled: Settled | None = settled
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._begun = 0.0
        """When the connection was made, by the loop's clock."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        system.send_at_once(transport.get_extra_info("socket"))
        transport.set_write_buffer_limits(MAX_UNSENT)
        self._begun = asyncio.get_running_loop().time()
        self._abort_after(HANDSHAKE_TIMEOUT)
        self.data_received(b"")

    def data_received(self, data: bytes) -> None:
        if self._owner is None:
            return
        try:
            said = self._pipe.receive(data)
            self._flush()
            if self._pipe.is_open and self._settled is not None:
                self._open()
        except OSError as error:
            # What is unsent may be the alert that tells the other end why.
            self._flush()
            self._lose(error)
            return
        if said and self._owner:
            self._owner.received(self, said)
        if self._pipe.is_over or self.unsent() > _MAX_UNSENT:
            self._lose(ConnectionResetError("the other end has hung up"))

    def eof_received(self) -> None:
        # Unsent bytes would keep the transport from closing, and nobody is there to read them.
        self._lose(ConnectionResetError("the other end has hung up"))

    def resume_writing(self) -> None:
        if self._owner and self._settled is None:
            self._owner.drained(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None
        self._lose(exc if isinstance(exc, OSError) else ConnectionResetError("it was cut"))
        if self._timer:
            self._timer.cancel()
        self.gone.set()

    def send(self, data: bytes) -> None:
        if self._transport and self._owner:
            self._pipe.say(data)
            self._flush()

    def unsent(self) -> int:
        return self._transport.get_write_buffer_size() if self._transport else 0

    def is_stranded(self) -> bool:
        own = self._transport.get_extra_info("sockname") if self._transport else None
        return own is not None and not _is_own(own)

    def pass_to(self, owner: Owner, unread: bytes) -> None:
        if self._owner is None:
            raise ConnectionResetError("the other end has hung up")
        self._owner = owner
        owner.opened(self)
        if self._owner:
            self._owner.received(self, unread)

    def pause(self) -> None:
        if self._transport:
            self._transport.pause_reading()

    def resume(self) -> None:
        if self._transport and not self._transport.is_closing():
            self._transport.resume_reading()

    def close(self) -> None:
        if self._settled is not None:
            self.abort()
            return
        owner, self._owner = self._owner, None
        if owner and self._transport:
            self._pipe.end()
            self._flush()
            # A peer that does not read must not keep it forever.
            self._abort_after(CLOSE_TIMEOUT if self.unsent() else LINGER)
            try:
                (self._transport.close if self.address is None else self._transport.write_eof)()
            except OSError:  # the other end has just reset the connection
                self._transport.abort()

    def abort(self) -> None:
        self._owner = None
        self._lose(ConnectionAbortedError("it was broken off"))

    def _open(self) -> None:
        """Report that the handshake is done and the link is up."""
        assert self._owner and self._timer
        self._timer.cancel()
        took = asyncio.get_running_loop().time() - self._begun
        # The system accepts the connection; the handshake needs a program that may be busy.
        self.round_trip = min(took, self.round_trip or took)
        if self.address is None:
            self.channel, self.host_key = tls.peer(self._pipe.shown)
        self._settle(None)
        self._owner.opened(self)

    def _flush(self) -> None:
        data = self._pipe.outgoing()
        if self._transport and data:
            self._transport.write(data)

    def _lose(self, error: OSError) -> None:
        """End the link at once; the owner is told if it was told that the link is up."""
        owner, self._owner = self._owner, None
        stood = self._settled is None
        self._settle(error)
        if self._transport:
            self._transport.abort()
        if owner and stood:
            owner.lost(self)

    def _settle(self, error: OSError | None) -> None:
        settled, self._settled = self._settled, None
        if settled:
            settled(error)

    def _abort_after(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(seconds, self._lose, TimeoutError("it takes too long"))


def _own_end(address: Address) -> tuple[str, int] | None:
    """The source address from which a visitor's program connects, with port 0; None for any."""
    source = visiting.source()
    if source is None or not address.host.startswith("127."):
        return None
    end = source, 0
    return end if _is_own(end) else None


def _is_own(name: tuple[str, int] | tuple[str, int, int, int]) -> bool:
    """Whether the address of a socket still belongs to this machine, so that another one can be
    bound to it."""
    host, __, *rest = name
    family = socket.AF_INET6 if rest else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as trial:
        try:
            trial.bind((host, 0, *rest))
        except OSError as error:
            return error.errno != errno.EADDRNOTAVAIL
    return True


def address_of(transport: asyncio.BaseTransport) -> str | None:
    """The address of the other end, without port and zone; None if the connection has ended."""
    peer = transport.get_extra_info("peername")
    return str(peer[0]).partition("%")[0] if peer else None


class MemoryLink:
    """One end of a link within one event loop."""

    channel = b""
    host_key: bytes | None = None
    address: str | None = None
    round_trip = 0.0

    def __init__(self, owner: Owner, loop: asyncio.AbstractEventLoop) -> None:
        self._owner: Owner | None = owner
        self._loop = loop
        self._peer: MemoryLink | None = None
        self._held: list[bytes] | None = None
        """The bytes that came while reading is paused; None while it is not."""

    @staticmethod
    def join(one: Owner, other: Owner, loop: asyncio.AbstractEventLoop) -> None:
        """Connect two owners by a link in memory."""
        here, there = MemoryLink(one, loop), MemoryLink(other, loop)
        here._peer, there._peer = there, here
        one.opened(here)
        other.opened(there)

    def send(self, data: bytes) -> None:
        if self._peer:
            self._loop.call_soon(self._peer._receive, data)

    def unsent(self) -> int:
        return 0

    def is_stranded(self) -> bool:
        return False

    def pass_to(self, owner: Owner, unread: bytes) -> None:
        if self._owner is None:
            raise ConnectionResetError("the other end has hung up")
        self._owner = owner
        owner.opened(self)
        owner.received(self, unread)

    def pause(self) -> None:
        if self._held is None:
            self._held = []

    def resume(self) -> None:
        held, self._held = self._held, None
        for data in held or ():
            self._loop.call_soon(self._receive, data)

    def close(self) -> None:
        self._owner = None
        peer, self._peer = self._peer, None
        if peer:
            self._loop.call_soon(peer._lose)

    def abort(self) -> None:
        self.close()

    def _receive(self, data: bytes) -> None:
        if self._held is not None:
            self._held.append(data)
        elif self._owner:
            self._owner.received(self, data)

    def _lose(self) -> None:
        if self._held:
            self.resume()
            self._loop.call_soon(self._lose)
            return
        owner, self._owner, self._peer = self._owner, None, None
        if owner:
            owner.lost(self)


Dial = Callable[[Owner], Awaitable[None]]
"""A function that connects an owner to a host; raises `OSError`."""

Connect = Callable[[Owner, Address], Awaitable[None]]
"""A function that connects an owner to the host at an address; raises `OSError`."""


class Route:
    """How a session connects to its table: here by one function that dials; a subclass may try
    several addresses."""

    def __init__(self, dial: Dial) -> None:
        self._dial = dial

    def patience(self, trip: RoundTrip) -> float:
        """Seconds of silence after which a link with these round trips is given up."""
        return trip.lost_delay

    async def __call__(self, owner: Owner) -> None:
        """Connect `owner` to the host; raises `OSError`."""
        await self._dial(owner)

    async def answers(self) -> bool:
        """Whether a new connection would reach the table now, which takes a moment to find out;
        False here."""
        return False

    def arrived(self) -> None:
        """A hook: the last connection has reached the table. Does nothing here."""

    def tick(self) -> None:
        """A hook: time has passed, and the guest may know more addresses. Does nothing here."""


async def dial(owner: Owner, address: Address) -> None:
    """Connect `owner` to the host at `address`; raises `OSError`."""
    loop = asyncio.get_running_loop()
    over: asyncio.Future[OSError | None] = loop.create_future()

    def settled(error: OSError | None) -> None:
        if not over.done():
            over.set_result(error)

    link = TlsLink(owner, TlsPipe(tls.client_context()), settled)
    begun = loop.time()
    try:
        async with asyncio.timeout(CONNECT_TIMEOUT):
            own = _own_end(address)
            await loop.create_connection(lambda: link, address.host, address.port, local_addr=own)
        link.round_trip = loop.time() - begun
        trip = RoundTrip(link.round_trip)
        async with asyncio.timeout(trip.limit(CONNECT_TIMEOUT, _HANDSHAKE_TRIPS)):
            error = await over
    except BaseException:
        link._lose(ConnectionAbortedError("it is not waited for"))
        raise
    if error:
        raise error
