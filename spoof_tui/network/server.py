"""The host's end of every link: feeds `protocol.host.Host` and carries out what it wants."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import socket
from collections.abc import Callable, Iterable
from typing import Final

from protocol.host import Hangup, Host, HostEffect, LinkId, Record, Send
from protocol.limits import MAX_UNSENT
from protocol.messages import Farewell
from protocol.seals import HASH_BYTES
from spoof_tui.clock import now
from spoof_tui.network.links import Link, MemoryLink, Owner, TcpLink

TICK: Final = 0.25
"""Seconds between two looks at the clock."""


CLOSE_WITHIN: Final = 1.0
"""Seconds that the last words may take to reach everybody."""

ACCEPTING: Final = 2
"""Rounds of the loop from a connection that is accepted to a link that is opened."""


class TableServer:
    """One table on the network. Everything happens in the event loop that started it."""

    def __init__(
        self,
        host: Host,
        record: Callable[[bytes], None],
        on_change: Callable[[], None] = lambda: None,
    ) -> None:
        """Serve `host`. `record` puts an entry on the disk, or raises `OSError`.

        `on_change` is called after entries were added.
        """
        self.host: Final = host
        self.trouble: OSError | None = None
        """Why the log could not be written, if it could not; the game goes on."""
        self._record = record
        self.on_change: Callable[[], None] = on_change
        self._links: dict[LinkId, Link] = {}
        self._ids: dict[Link, LinkId] = {}
        self._slow: list[Link] = []
        self._next_id = 0
        self._servers: list[asyncio.Server] = []
        self._ticking: asyncio.Task[None] | None = None

    async def start(self, port: int, loopback_only: bool = False) -> int:
        """Listen on `port` (0: any free one), for this machine only or for all; the port.

        Raises `OSError` when the port is taken.
        """
        loop = asyncio.get_running_loop()
        for listening in _sockets(port, loopback_only):
            server = await loop.create_server(lambda: TcpLink(self), sock=listening)
            self._servers.append(server)
        self.carry_out(self.host.resume(now()))
        self._ticking = loop.create_task(self._tick())
        return int(self._servers[0].sockets[0].getsockname()[1])

    async def connect(self, owner: Owner) -> None:
        """A link in memory: how the host's own player reaches the table."""
        MemoryLink.join(owner, self, asyncio.get_running_loop())

    async def close(self) -> None:
        """Say goodbye to everybody and stop listening."""
        if self._ticking:
            self._ticking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._ticking
        await self._stop_accepting()
        self.carry_out(self.host.close())
        for server in self._servers:
            server.close()
        # A peer that does not read must not keep the table from closing.
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_WITHIN):
                await asyncio.gather(*(server.wait_closed() for server in self._servers))

    async def _stop_accepting(self) -> None:
        """Let who was accepted a moment ago come in: a server that is closed trips over it."""
        loop = asyncio.get_running_loop()
        for listening in (each for server in self._servers for each in server.sockets):
            # Windows has no readers, and takes its connections otherwise.
            with contextlib.suppress(NotImplementedError):
                loop.remove_reader(listening.fileno())
        for _ in range(ACCEPTING):
            await asyncio.sleep(0)

    def opened(self, link: Link) -> None:
        """A connection came."""
        self._next_id += 1
        self._links[self._next_id] = link
        self._ids[link] = self._next_id
        challenge = secrets.token_bytes(HASH_BYTES)
        self.carry_out(self.host.connected(self._next_id, challenge, link.channel, now()))

    def received(self, link: Link, data: bytes) -> None:
        """Bytes came."""
        self.carry_out(self.host.received(self._ids[link], data, now()))

    def lost(self, link: Link) -> None:
        """A connection ended."""
        gone = self._ids.pop(link)
        self._links.pop(gone, None)
        self.carry_out(self.host.lost(gone, now()))

    def carry_out(self, effects: Iterable[HostEffect]) -> None:
        """Do what the host wants, in order."""
        changed = False
        for effect in effects:
            if isinstance(effect, Record):
                self._write(effect.blob)
                changed = True
            elif isinstance(effect, Send):
                self._send(effect)
            else:
                self._hang_up(effect)
        if changed:
            self.on_change()
        # Only now: what follows from a lost link must not overtake what others are yet to be sent.
        while self._slow:
            link = self._slow.pop()
            if link in self._ids:
                self.lost(link)

    def _write(self, blob: bytes) -> None:
        try:
            self._record(blob)
        except OSError as error:
            self.trouble = error

    def _send(self, effect: Send) -> None:
        for each in effect.links:
            link = self._links.get(each)
            if link is None:
                continue
            link.send(effect.data)
            if link.unsent() > MAX_UNSENT:
                link.abort()
                self._links.pop(each)
                self._slow.append(link)

    def _hang_up(self, effect: Hangup) -> None:
        link = self._links.pop(effect.link, None)
        if link is None:
            return
        self._ids.pop(link, None)
        if effect.why is Farewell.TOO_SLOW:
            link.abort()
        else:
            link.close()

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(TICK)
            self.carry_out(self.host.tick(now()))


def _sockets(port: int, loopback_only: bool) -> list[socket.socket]:
    """One socket for IPv4 and, where the machine has it, one for IPv6 on the same port."""
    four = _bound(socket.AF_INET, "127.0.0.1" if loopback_only else "0.0.0.0", port)
    sockets = [four]
    with contextlib.suppress(OSError):
        same = four.getsockname()[1]
        sockets.append(_bound(socket.AF_INET6, "::1" if loopback_only else "::", same))
    return sockets


def _bound(family: socket.AddressFamily, host: str, port: int) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        if os.name == "posix":
            # Elsewhere this option would let two programs share the port.
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family is socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind((host, port))
        bound.setblocking(False)
    except OSError:
        bound.close()
        raise
    return bound
