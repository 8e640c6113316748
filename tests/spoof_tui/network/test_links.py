"""Both kinds of links keep one contract; the TCP ones are real sockets on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest

from spoof_tui.network import links
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Link, MemoryLink, TcpLink, dial
from tests.spoof_tui.parlour import until


@dataclass
class End:
    """Who uses one end: remembers all that it is told."""

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

    def lost(self, link: Link) -> None:
        self.lost_.append(link)


@contextlib.asynccontextmanager
async def joined(kind: str) -> AsyncIterator[tuple[End, End]]:
    """Two ends of a link; both have heard that it stands."""
    one, other = End(), End()
    loop = asyncio.get_running_loop()
    if kind == "memory":
        MemoryLink.join(one, other, loop)
        yield one, other
        return
    server = await loop.create_server(lambda: TcpLink(other), "127.0.0.1", 0)
    try:
        await dial(one, Address(*server.sockets[0].getsockname()))
        await until(lambda: other.opened_)
        yield one, other
    finally:
        for end in (one, other):
            end.link.abort()
        server.close()
        await server.wait_closed()


both = pytest.mark.parametrize("kind", ["memory", "tcp"])


@both
async def test_bytes_arrive_in_order_both_ways(kind: str) -> None:
    async with joined(kind) as (one, other):
        for number in range(50):
            one.link.send(bytes([number]) * number)
        other.link.send(b"back")
        expected = b"".join(bytes([number]) * number for number in range(50))
        await until(lambda: other.data == expected and one.data == b"back")


@both
async def test_nothing_is_received_while_sending(kind: str) -> None:
    async with joined(kind) as (one, other):
        one.link.send(b"later")
        assert other.data == b""
        await until(lambda: other.data)


@both
async def test_what_was_sent_before_closing_arrives(kind: str) -> None:
    async with joined(kind) as (one, other):
        one.link.send(b"goodbye")
        one.link.close()
        await until(lambda: other.lost_)
        assert other.data == b"goodbye"


@both
@pytest.mark.parametrize("way", ["close", "abort"])
async def test_the_other_end_is_told_once_and_the_own_end_never(kind: str, way: str) -> None:
    async with joined(kind) as (one, other):
        getattr(one.link, way)()
        getattr(one.link, way)()
        await until(lambda: other.lost_)
        other.link.close()
        await asyncio.sleep(0)
        assert (other.lost_, one.lost_) == ([other.link], [])


@both
async def test_bytes_for_a_link_that_is_gone_are_dropped(kind: str) -> None:
    async with joined(kind) as (one, other):
        other.link.close()
        await until(lambda: one.lost_)
        one.link.send(b"nobody")
        other.link.send(b"nobody")
        assert (one.data, one.link.unsent()) == (b"", 0)


@both
async def test_a_closed_end_hears_no_more(kind: str) -> None:
    async with joined(kind) as (one, other):
        other.link.send(b"too late")
        one.link.close()
        await until(lambda: other.lost_)
        assert one.data == b""


async def test_a_reader_that_stands_still_is_seen_in_what_is_unsent() -> None:
    async with joined("tcp") as (one, other):
        other.link._transport.pause_reading()  # type: ignore[attr-defined]

        def is_full() -> bool:
            one.link.send(bytes(1 << 16))
            return one.link.unsent() > 1 << 20

        await until(is_full)
        one.link.abort()
        other.link._transport.resume_reading()  # type: ignore[attr-defined]
        await until(lambda: other.lost_)


async def test_a_port_on_which_nobody_listens_refuses() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = Address(*server.getsockname())
    with pytest.raises(ConnectionRefusedError):
        await dial(End(), address)


async def test_dialling_takes_no_longer_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(links, "CONNECT_WITHIN", 0.01)
    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", never)
    with pytest.raises(OSError) as error:
        await dial(End(), Address("127.0.0.1", 1))
    assert isinstance(error.value, TimeoutError)
