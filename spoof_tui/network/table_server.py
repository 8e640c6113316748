"""The host's end of every link: its port, its TLS handshakes, and the effects of its state
machine."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import secrets
import socket
import ssl
import weakref
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES
from protocol.errors import LocalError
from protocol.host.effects import (
    CodeChanged,
    Compute,
    Disconnect,
    Elected,
    Found,
    HostEffect,
    LinkEffect,
    LinkId,
    Record,
    Resume,
    Send,
    Stall,
    Stranded,
    Superseded,
)
from protocol.host.host import Host
from protocol.host.rate_limit import Crowd, RateLimits
from protocol.limits import (
    KNOCKS_BURST,
    KNOCKS_INTERVAL,
    MAX_HANDSHAKES,
    MAX_HANDSHAKES_OF_ADDRESS,
    MAX_UNSENT,
)
from protocol.table.log import Entry
from protocol.wire.messages import Farewell
from spoof_tui import system
from spoof_tui.clock import now
from spoof_tui.network import tls
from spoof_tui.network.links import CLOSE_TIMEOUT, Link, MemoryLink, Owner, TlsLink, address_of
from spoof_tui.network.tls import TlsPipe
from spoof_tui.storage import disk as disks
from spoof_tui.storage.disk import Disk, DiskTask, OrderedEffects


@dataclass(frozen=True, slots=True)
class NewHandshake:
    """A TLS handshake that may begin."""

    number: int
    """The number that identifies it."""
    evicts: int | None
    """Number of the handshake that is aborted to make room; None if there is room for both."""


class Handshakes:
    """Which TLS handshakes may begin, and which are under way."""

    def __init__(
        self,
        rates: RateLimits | None = None,
        most: int = MAX_HANDSHAKES,
        most_of_address: int = MAX_HANDSHAKES_OF_ADDRESS,
    ) -> None:
        """`rates` limits how often an address is answered; `most` and `most_of_address` how many
        handshakes may be under way, in all and from one address."""
        self._rates = rates or RateLimits(KNOCKS_BURST, KNOCKS_INTERVAL)
        self._crowd = Crowd()
        self._most, self._most_of_address = most, most_of_address
        self._under_way: dict[int, str] = {}
        """For each handshake that is not over, its address, the oldest first."""
        self._count = 0

    @property
    def under_way(self) -> tuple[int, ...]:
        """Numbers of the handshakes that are not over, the oldest first."""
        return tuple(self._under_way)

    def accept(self, address: str, now: float) -> NewHandshake | None:
        """Begin a handshake for a connection that came at `now`, in monotonic seconds; None if it
        is to be refused."""
        if not self._rates.take(address, now):
            return None
        evicts = self._evicted(address)
        if evicts is not None:
            del self._under_way[evicts]
        self._count += 1
        self._under_way[self._count] = address
        return NewHandshake(self._count, evicts)

    def end(self, number: int) -> None:
        """Note that a handshake is over, successful or not; it may have been evicted before."""
        self._under_way.pop(number, None)

    def _evicted(self, address: str) -> int | None:
        """Number of the handshake that has to make room for one more from `address`; None if there
        is room."""
        addresses = [*self._under_way.values()]
        if addresses.count(address) >= self._most_of_address:
            return self._oldest(address)
        if len(addresses) >= self._most:
            return self._oldest(self._crowd.gives_way(addresses))
        return None

    def _oldest(self, address: str) -> int:
        return next(number for number, known in self._under_way.items() if known == address)


class ReservedPort:
    """A port of this machine that is bound but not listened on, so that connections to it are
    refused at once."""

    def __init__(self, port: int = 0) -> None:
        """Bind `port`, or any free one if that is 0; raises `OSError` if there is none."""
        self._sockets = bound(port, loopback_only=False)
        self.port = int(self._sockets[0].getsockname()[1])

    def take(self) -> list[socket.socket]:
        """Hand over the sockets to listen on; raises `OSError` if the port was lost meanwhile."""
        sockets, self._sockets = self._sockets, []
        return sockets or bound(self.port, loopback_only=False)

    def keep(self) -> None:
        """Bind the port again, after the sockets that listened on it are closed; a failure is
        ignored."""
        if not self._sockets:
            # If somebody else was quicker, the next attempt may succeed.
            with contextlib.suppress(OSError):
                self._sockets = bound(self.port, loopback_only=False)

    def close(self) -> None:
        """Release the port."""
        for each in self._sockets:
            each.close()
        self._sockets = []


def bound(port: int, loopback_only: bool) -> list[socket.socket]:
    """A socket bound to `port` for IPv4 and, if the machine has it, one for IPv6.

    `port` 0 means any free port. The sockets do not listen yet. Raises `OSError` if the port is
    taken.
    """
    four = _bound(socket.AF_INET, "127.0.0.1" if loopback_only else "0.0.0.0", port)
    sockets = [four]
    with contextlib.suppress(OSError):
        same = four.getsockname()[1]
        sockets.append(_bound(socket.AF_INET6, "::1" if loopback_only else "::", same))
    return sockets


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    # With an explicit protocol, because only then does asyncio set TCP_NODELAY.
    bound = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        system.own_port(bound)
        if family is socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((host, port))
        bound.setblocking(False)
    except OSError:
        bound.close()
        raise
    return bound


TICK_INTERVAL: Final = 0.25
"""Seconds between two ticks of the host."""

BACKLOG: Final = 64
"""Number of connections that wait to be accepted: as many as are accepted in one iteration of the
loop, so that a crowd of strangers keeps nobody at the table waiting."""

MAX_VISITORS: Final = 64
"""Maximum number of visitors' addresses that a server remembers."""

ACCEPT_ROUNDS: Final = 2
"""Iterations of the loop from accepting a connection until `_begin` is called with it."""


class TableServer:
    """One table on the network. Everything happens in the event loop that started it."""

    def __init__(
        self,
        host: Host,
        record: Callable[[Sequence[Entry]], None],
        *,
        key: SigningKey,
        disk: Disk | None = None,
    ) -> None:
        """Serve `host` with its own `key`. `record` saves entries on disk or raises `OSError`.

        `on_change` is called after entries were added, when the join code changes, and when a new
        table was founded, which its host must serve; `on_succession` when `host` has been elected,
        or has to give way to a later one. Raises `LocalError` for another key than the host's.
        """
        if key.public != host.key:
            raise LocalError("a table is served with its host's own key")
        self.host: Final = host
        self._record = record
        self._effects = OrderedEffects(self, disk or disks.DISK, self._idle)
        self._has_changed = False
        self._unrecorded = 0
        """Number of entries of the log that are not on disk yet."""
        self.on_change: Callable[[], None] = lambda: None
        self.on_succession: Callable[[Elected | Superseded | Stranded], None] = lambda what: None
        self.on_trouble: Callable[[], None] = lambda: None
        """Called when `trouble` changes."""
        self.found: Callable[[Entry], None] = lambda entry: None
        """Saves the first entry of a new table on disk, or raises `OSError` (G8)."""
        self.visitors: set[str] = set()
        """Addresses from which connections came, whether they were let in or not."""
        self._key = key
        self._guard = Handshakes()
        self._handshakes: dict[int, TlsLink] = {}
        """The links of the handshakes under way, by their number in `_guard`."""
        self._standing: weakref.WeakSet[TlsLink] = weakref.WeakSet()
        """All network links that have not ended."""
        self._links: dict[LinkId, Link] = {}
        self._ids: dict[Link, LinkId] = {}
        self._unread: dict[Link, bytes] = {}
        """Bytes that came from each link since the log cannot be written."""
        self._next_id = 0
        self._servers: list[asyncio.Server] = []
        self._ticking: asyncio.Task[None] | None = None
        # One thread: guessing the code must not occupy every processor.
        self._executor = ThreadPoolExecutor(1, "join-code")
        self._computing: set[asyncio.Task[None]] = set()

    @property
    def recorded(self) -> list[Entry]:
        """The entries of the log that are on disk: nothing after them was sent to anybody."""
        log = list(self.host.log)
        return log[: len(log) - self._unrecorded]

    @property
    def trouble(self) -> OSError | None:
        """Why the log cannot be written; None if it can.

        As long as it cannot, the table stands still, so that memory use does not grow: messages
        stay unread, nobody is let in, and the host, which cannot save anything, does not ping. If
        that lasts, the others elect a host whose disk works.
        """
        return self._effects.trouble

    async def start(
        self, sockets: Iterable[socket.socket], first: Iterable[HostEffect] = ()
    ) -> int:
        """Listen on sockets that are bound to one port; returns the port.

        `first` is carried out before anybody is let in. If starting fails or is cancelled, the
        sockets are closed. Raises `OSError` if another program listens there.
        """
        unused = list(sockets)
        try:
            for each in unused:
                # Being bound is not enough: another program bound to the same port may already
                # listen.
                each.listen(BACKLOG)
            self.carry_out(first)
            while unused:
                await self._listen_on(unused)
        except BaseException:
            for server in self._servers:
                server.close()
            for each in unused:
                each.close()
            raise
        self.carry_out(self.host.resume(now()))
        self._ticking = asyncio.get_running_loop().create_task(self._tick())
        return int(self._servers[0].sockets[0].getsockname()[1])

    async def _listen_on(self, sockets: list[socket.socket]) -> None:
        """Listen on the first of these sockets, which is removed from the list."""
        begin = partial(self._begin, *tls.server_context(self._key.seed))
        server = await asyncio.get_running_loop().create_server(
            lambda: Accepted(begin), sock=sockets[0], backlog=BACKLOG, start_serving=False
        )
        self._servers.append(server)
        del sockets[0]
        await server.start_serving()

    async def connect(self, owner: Owner) -> None:
        """Connect a participant of this program by a link in memory; raises `OSError`."""
        if self.trouble:
            raise ConnectionRefusedError(errno.ECONNREFUSED, os.strerror(errno.ECONNREFUSED))
        MemoryLink.join(owner, self, asyncio.get_running_loop())

    async def close(self, *, is_moving: bool = False) -> None:
        """Say goodbye to everybody and stop listening.

        With `is_moving` only this host goes, and everybody looks for another one.
        """
        await system.end(self._ticking)
        await self._stop_accepting()
        await system.end(*self._computing)
        self._executor.shutdown(wait=False, cancel_futures=True)
        self.carry_out(self.host.close(is_moving=is_moving))
        await self._effects.finish(CLOSE_TIMEOUT)
        self._effects.close()
        standing = list(self._standing)
        for link in standing:
            link.close()
        for server in self._servers:
            server.close()
        # A link ends within a second of being closed, even if its peer does not read.
        await asyncio.gather(*(link.gone.wait() for link in standing))
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_TIMEOUT):
                await asyncio.gather(*(server.wait_closed() for server in self._servers))

    async def give_port(self, loopback_only: bool) -> list[socket.socket]:
        """Stop listening, and return sockets bound to the same port for the server of another
        table.

        The port is bound again at once, before another program can get it; empty if one did.
        """
        await self._stop_accepting()
        port = int(self._servers[0].sockets[0].getsockname()[1])
        for server in self._servers:
            server.close()
        try:
            return bound(port, loopback_only)
        except OSError:
            return []

    async def _stop_accepting(self) -> None:
        """Stop accepting connections, after dealing with those just accepted, on which a closed
        server would fail."""
        loop = asyncio.get_running_loop()
        for listening in (each for server in self._servers for each in server.sockets):
            # Windows has no readers, and accepts its connections in another way.
            with contextlib.suppress(NotImplementedError):
                loop.remove_reader(listening.fileno())
        for _ in range(ACCEPT_ROUNDS):
            await asyncio.sleep(0)

    def _begin(self, context: ssl.SSLContext, channel: bytes, transport: asyncio.Transport) -> None:
        """Begin a TLS handshake on an accepted connection if the limits allow it, otherwise close
        it."""
        address = address_of(transport)
        if address is not None and len(self.visitors) < MAX_VISITORS:
            self.visitors.add(address)
        handshake = None
        # A guest that is greeted but not welcomed would not look for a better host.
        if address is not None and not self.trouble:
            handshake = self._guard.accept(address, now().monotonic)
        if handshake is None:
            transport.abort()
            return
        if handshake.evicts is not None:
            self._handshakes[handshake.evicts].abort()
        pipe, settled = TlsPipe(context, is_server=True), partial(self._settled, handshake.number)
        link = TlsLink(self, pipe, settled, channel, address)
        self._handshakes[handshake.number] = link
        self._standing.add(link)
        transport.set_protocol(link)
        link.connection_made(transport)

    def _settled(self, number: int, error: OSError | None) -> None:
        """Note that a handshake is over; why it failed does not matter here."""
        del self._handshakes[number]
        self._guard.end(number)

    def opened(self, link: Link) -> None:
        """Take in a connection."""
        self._next_id += 1
        self._links[self._next_id] = link
        self._ids[link] = self._next_id
        challenge = secrets.token_bytes(HASH_BYTES)
        self.carry_out(
            self.host.connected(self._next_id, challenge, link.channel, now(), link.address)
        )

    def received(self, link: Link, data: bytes) -> None:
        """Take in bytes, or keep them while the log cannot be written."""
        if self.trouble:
            link.pause()
            self._unread[link] = self._unread.get(link, b"") + data
        else:
            self.carry_out(self.host.received(self._ids[link], data, now()))

    def _read_on(self) -> None:
        """Take in what stayed unread, because the log can be written again."""
        unread, self._unread = self._unread, {}
        for link, data in unread.items():
            number = self._ids[link]
            self.received(link, data)
            connection = self.host.connections.get(number)
            if connection and not connection.is_stalled:
                link.resume()

    def drained(self, link: Link) -> None:
        """Send more of the log to a slow reader that has caught up."""
        self._pump(self._ids[link])

    def lost(self, link: Link) -> None:
        """Take in that a connection has ended."""
        gone = self._ids.pop(link)
        self._unread.pop(link, None)
        self._links.pop(gone, None)
        self.carry_out(self.host.lost(gone, now()))

    def carry_out(self, effects: Iterable[HostEffect]) -> None:
        """Carry out the host's effects in order: an entry is on disk before anything after it.

        What is sent to strangers contains nothing of the log, and does not wait for it.
        """
        ordered = []
        for effect in effects:
            if self._is_for_stranger(effect):
                self.act(effect)
            else:
                ordered.append(effect)
                self._unrecorded += isinstance(effect, Record)
        if ordered:
            self._effects.put(ordered)

    def kind_of(self, effect: HostEffect) -> DiskTask:
        return DiskTask.WRITE_FIRST if isinstance(effect, Record | Found) else DiskTask.ACT

    def write(self, effects: Sequence[HostEffect]) -> None:
        # If one of the two fails both are retried; an entry is on the disk once all the same.
        if entries := [effect.entry for effect in effects if isinstance(effect, Record)]:
            self._record(entries)
        for effect in effects:
            if isinstance(effect, Found):
                self.found(effect.entry)

    def act(self, effect: HostEffect) -> None:
        if isinstance(effect, Record | CodeChanged | Found):
            self._unrecorded -= isinstance(effect, Record)
            self._has_changed = True
        elif isinstance(effect, Send):
            self._send(effect)
        elif isinstance(effect, Compute):
            self._compute(effect)
        elif isinstance(effect, Elected | Superseded | Stranded):
            self.on_succession(effect)
        elif not isinstance(effect, LinkEffect) or (link := self._links.get(effect.link)) is None:
            return
        elif isinstance(effect, Disconnect):
            self._hang_up(link, effect)
        elif isinstance(effect, Stall):
            link.pause()
        elif isinstance(effect, Resume):
            link.resume()
        elif link.unsent() <= MAX_UNSENT:
            # Not at once, so that a long log keeps nobody waiting. Otherwise `drained` sees to it.
            asyncio.get_running_loop().call_soon(self._pump, effect.link)

    def _idle(self) -> None:
        changed, self._has_changed = self._has_changed, False
        if changed:
            self.on_change()
        if self._unread and not self.trouble:
            self._read_on()

    def _is_for_stranger(self, effect: HostEffect) -> bool:
        """Whether the effect concerns only links that have not been let in yet."""
        if isinstance(effect, Send):
            links = effect.links
        elif isinstance(effect, Compute | Stall | Resume):
            links = (effect.link,)
        else:
            return False
        for link in links:
            connection = self.host.connections.get(link)
            if connection is None or connection.key is not None:
                return False
        return True

    def _pump(self, link: LinkId) -> None:
        self.carry_out(self.host.pump(link))

    def _compute(self, effect: Compute) -> None:
        task = asyncio.get_running_loop().create_task(self._work_out(effect))
        self._computing.add(task)
        task.add_done_callback(self._computing.discard)

    async def _work_out(self, effect: Compute) -> None:
        loop = asyncio.get_running_loop()
        result = await loop.run_in_executor(self._executor, effect.work)
        self.carry_out(self.host.computed(effect.link, result, now()))

    def _send(self, effect: Send) -> None:
        for each in effect.links:
            link = self._links.get(each)
            if link is None:
                continue
            link.send(effect.data)
            if link.unsent() > MAX_UNSENT:
                self.host.clogged(each, now())

    def _hang_up(self, link: Link, effect: Disconnect) -> None:
        del self._links[effect.link]
        del self._ids[link]
        self._unread.pop(link, None)
        if effect.why is Farewell.TOO_SLOW:
            link.abort()
        else:
            link.close()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK_INTERVAL)
            if not self.trouble:
                self.carry_out(self.host.tick(now()))


class Accepted(asyncio.Protocol):
    """A connection that was accepted, until its address is checked."""

    def __init__(self, begin: Callable[[asyncio.Transport], None]) -> None:
        self._begin = begin

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._begin(transport)
