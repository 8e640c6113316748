"""Ends of links that record everything they hear, and hosts' ends that answer."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

from spoof_tui.network import links, table_server, tls
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Link, Owner, TlsLink

SEED = bytes(range(32))


@dataclass
class End:
    """The user of one end: remembers everything it is told."""

    data: bytes = b""
    opened_: list[Link] = field(default_factory=list)
    lost_: list[Link] = field(default_factory=list)

    @property
    def link(self) -> Link:
        return self.opened_[0]

    def opened(self, link: Link) -> None:
        self.opened_.append(link)

    def received(self, link: Link, data: bytes) -> None:
        assert link is self.link
        self.data += data

    def drained(self, link: Link) -> None:
        pass

    def lost(self, link: Link) -> None:
        self.lost_.append(link)


@contextlib.asynccontextmanager
async def answering(owner: Owner, busy: float = 0.0) -> AsyncIterator[Address]:
    """The place where hosts' ends of links answer for `owner`, after being `busy` for so long."""
    ended: list[TlsLink] = []
    context, channel = tls.server_context(SEED)
    loop = asyncio.get_running_loop()

    def accept(transport: asyncio.Transport) -> None:
        transport.pause_reading()
        loop.call_later(busy, begin, transport)

    def begin(transport: asyncio.Transport) -> None:
        # The module's own: in virtual time it is made up.
        pipe: tls.TlsPipe = vars(links)["TlsPipe"](context, is_server=True)
        ended.append(TlsLink(owner, pipe, lambda error: None, channel, "127.0.0.1"))
        transport.set_protocol(ended[-1])
        ended[-1].connection_made(transport)
        transport.resume_reading()

    listening, *others = table_server.bound(0, loopback_only=True)
    for each in others:
        each.close()
    port = listening.getsockname()[1]
    serving = await loop.create_server(lambda: table_server.Accepted(accept), sock=listening)
    try:
        yield Address("127.0.0.1", port)
    finally:
        serving.close()
        for link in ended:
            link.abort()
        await asyncio.gather(*(link.gone.wait() for link in ended))
        await serving.wait_closed()


def tls_link(end: End) -> TlsLink:
    assert isinstance(end.link, TlsLink)
    return end.link
