"""Ends of links that remember what they are told, and hosts' ends that answer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Link, Owner, TlsLink
from spoof_tui.network.tls import TlsPipe, server_context

SEED = bytes(range(32))


@dataclass
class End:
    """Who uses one end: remembers all that it is told."""

    data: bytes = b""
    opened_: list[Link] = field(default_factory=list)
    lost_: list[Link] = field(default_factory=list)
    drained_: int = 0

    @property
    def link(self) -> Link:
        return self.opened_[0]

    def opened(self, link: Link) -> None:
        self.opened_.append(link)

    def received(self, link: Link, data: bytes) -> None:
        assert link is self.link
        self.data += data

    def drained(self, link: Link) -> None:
        self.drained_ += 1

    def lost(self, link: Link) -> None:
        self.lost_.append(link)


@contextlib.asynccontextmanager
async def answering(owner: Owner) -> AsyncIterator[Address]:
    """Where hosts' ends of links for `owner` answer."""
    ends: list[TlsLink] = []
    context, channel = server_context(SEED)

    def end() -> TlsLink:
        pipe = TlsPipe(context, is_server=True)
        ends.append(TlsLink(owner, pipe, lambda error: None, channel, "127.0.0.1"))
        return ends[-1]

    server = await asyncio.get_running_loop().create_server(end, "127.0.0.1", 0)
    try:
        yield Address(*server.sockets[0].getsockname())
    finally:
        server.close()
        for each in ends:
            each.abort()
        await asyncio.gather(*(each.gone.wait() for each in ends))
        await server.wait_closed()


def tls_link(end: End) -> TlsLink:
    assert isinstance(end.link, TlsLink)
    return end.link
