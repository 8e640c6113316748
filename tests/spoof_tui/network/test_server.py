"""A table server: real sockets where bytes matter, links in memory where players do."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator

import pytest

from protocol.codec import Message
from protocol.framing import FrameReader
from protocol.host import Send
from protocol.keys import SigningKey
from protocol.limits import HELLO_WITHIN, MAX_LINKS, MAX_UNSENT
from protocol.log import Head
from protocol.messages import (
    Farewell,
    Goodbye,
    Greeting,
    Ping,
    read_from_host,
    sign_hello,
    write,
)
from protocol.timing import Moment
from protocol.version import PROGRAM
from protocol.words import Bid
from spoof_tui.clock import now
from spoof_tui.network import server as servers
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import dial
from spoof_tui.network.server import TableServer
from spoof_tui.session import Broken
from tests.spoof_tui.parlour import Parlour, Wire, new_host, new_key, parlour, until


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@contextlib.asynccontextmanager
async def listening(port: int = 0, loopback_only: bool = True) -> AsyncIterator[Parlour]:
    """A table on real sockets; its sessions still come by memory."""
    async with parlour() as table:
        table.port = await table.server.start(port, loopback_only)
        yield table


class Client:
    """A guest made of bare bytes."""

    def __init__(self, reader: StreamReader, writer: StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._frames = FrameReader()
        self._heard: list[Message] = []

    async def hear(self) -> Message | None:
        """The next message; None at the end."""
        async with asyncio.timeout(5):
            while not self._heard:
                data = await self.reader.read(7)
                if not data:
                    return None
                self._heard += map(read_from_host, self._frames.feed(data))
        return self._heard.pop(0)

    async def hear_all(self) -> list[Message]:
        """All messages up to the end."""
        heard = []
        while (message := await self.hear()) is not None:
            heard.append(message)
        return heard

    async def meet(self, key: SigningKey) -> None:
        """Greet and be welcomed."""
        greeting = await self.hear()
        assert isinstance(greeting, Greeting)
        hello = sign_hello(key, PROGRAM, greeting, b"", Head(0, bytes(32)))
        self.writer.write(write(hello))
        await self.hear()


@contextlib.asynccontextmanager
async def client(table: Parlour, host: str = "127.0.0.1") -> AsyncIterator[Client]:
    reader, writer = await asyncio.open_connection(host, table.port)
    try:
        yield Client(reader, writer)
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


class Stuck:
    """A link whose other end stopped reading."""

    channel = b""

    def __init__(self) -> None:
        self.sent = b""
        self.reads = True
        self.aborted = False

    def send(self, data: bytes) -> None:
        self.sent += data

    def unsent(self) -> int:
        return 0 if self.reads else MAX_UNSENT + 1

    def close(self) -> None:
        self.aborted = True

    def abort(self) -> None:
        self.aborted = True


def stuck_guest(table: Parlour) -> Stuck:
    """A guest that met the host and then stopped reading."""
    link = Stuck()
    table.server.opened(link)
    [greeting] = map(read_from_host, FrameReader().feed(link.sent))
    assert isinstance(greeting, Greeting)
    hello = sign_hello(new_key(), PROGRAM, greeting, b"", Head(0, bytes(32)))
    table.server.received(link, write(hello))
    link.reads = False
    return link


def stop_reading(table: Parlour, number: int) -> None:
    """From now on the other end of this link reads nothing."""
    link = list(table.server._ids)[number]
    link.unsent = lambda: MAX_UNSENT + 1  # type: ignore[method-assign]


# Ports


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
@pytest.mark.parametrize("loopback_only", [True, False])
async def test_a_free_port_is_the_same_for_both_kinds_of_addresses(loopback_only: bool) -> None:
    async with listening(0, loopback_only) as table:
        for host in ("127.0.0.1", "::1"):
            async with client(table, host) as guest:
                assert isinstance(await guest.hear(), Greeting)


async def test_a_table_for_this_machine_only_is_not_reached_from_outside() -> None:
    async with listening(0, loopback_only=True) as table:
        bound = [s.getsockname()[0] for each in table.server._servers for s in each.sockets]
        assert set(bound) <= {"127.0.0.1", "::1"}


async def test_a_port_that_is_taken_raises() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        host, _ = new_host()
        server = TableServer(host, lambda blob: None)
        with pytest.raises(OSError, match="in use") as error:
            await server.start(taken.getsockname()[1])
        assert error.value.errno == errno.EADDRINUSE
        await server.close()


async def test_a_port_is_free_again_after_the_table_is_closed() -> None:
    async with listening() as table, client(table):
        port = table.port
    async with listening(port) as table:
        assert table.port == port


# Guests over TCP


async def test_a_session_plays_over_tcp() -> None:
    async with listening() as table:
        address = Address("127.0.0.1", table.port)
        pair = []
        for name in ("Ann", "Bob"):
            pair.append(table.seat(name, wire=Wire(lambda owner: dial(owner, address))))
            await until(lambda: pair[-1].sits)
        await table.start(*pair)
        await table.choose(pair, 1, 2)
        await table.say(Bid(6))
        assert table.speaker().view.standing


async def test_malformed_bytes_drop_that_link_only() -> None:
    async with listening() as table:
        await table.sit("Ann")
        async with client(table) as good, client(table) as bad:
            await good.meet(new_key())
            bad.writer.write(bytes(64))
            assert (await bad.hear_all())[-1] == Goodbye(Farewell.MALFORMED)
            table.sitters[0].session.say("still here")
            while (await good.hear()) != Goodbye(Farewell.CLOSED):
                if table.server.host.table.talk:
                    break
            assert table.server.host.table.talk


async def test_a_probe_that_hangs_up_leaves_nothing_behind() -> None:
    async with listening() as table:
        async with client(table) as guest:
            await guest.hear()
            assert table.server._links
        await until(lambda: not table.server._links and not table.server._ids)


async def test_one_connection_too_many_is_told_and_dropped() -> None:
    async with listening() as table, contextlib.AsyncExitStack() as stack:
        for _ in range(MAX_LINKS):
            await stack.enter_async_context(client(table))
        await until(lambda: len(table.server._links) == MAX_LINKS)
        last = await stack.enter_async_context(client(table))
        assert await last.hear_all() == [Goodbye(Farewell.TOO_MANY)]


async def test_a_connection_that_says_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    def later() -> Moment:
        moment = now()
        return Moment(moment.monotonic + HELLO_WITHIN + 1, moment.wall)

    monkeypatch.setattr(servers, "TICK", 0.005)
    async with listening() as table, client(table) as guest:
        assert isinstance(await guest.hear(), Greeting)
        monkeypatch.setattr(servers, "now", later)
        assert (await guest.hear_all())[-1] == Goodbye(Farewell.TOO_LATE)


# Slow readers


async def test_a_reader_of_a_real_socket_that_stands_still_is_dropped() -> None:
    async with listening() as table, client(table) as slow:
        await slow.meet(new_key())
        slow.writer.transport.pause_reading()  # type: ignore[attr-defined]
        pings = write(Ping()) * 10_000

        def is_dropped() -> bool:
            table.server.carry_out([Send((1,), pings)])
            return not table.server._links

        await until(is_dropped)
        assert table.server._ids == {}


async def test_a_slow_reader_is_dropped_and_the_others_go_on() -> None:
    async with parlour() as table:
        stuck = stuck_guest(table)
        ann, bob = await table.sit("Ann", "Bob")
        assert stuck.aborted
        ann.session.say("hello")
        await until(lambda: bob.view.talk)


async def test_the_loss_of_a_slow_reader_does_not_overtake_the_entry_that_showed_it() -> None:
    async with parlour() as table:
        # It has a seat, whose being away is an entry as well.
        slow, ann, bob = await table.sit("Slow", "Ann", "Bob")
        slow.wire.refuses = True
        stop_reading(table, 0)
        ann.session.say("hello")
        await until(lambda: bob.view.seats[0].presence.value == "away")
        assert not ann.told(Broken) and not bob.told(Broken)
        assert len(bob.session.guest.log) == len(table.server.host.log)


async def test_entries_are_recorded_in_their_order_past_a_slow_reader() -> None:
    recorded: list[bytes] = []
    async with parlour(record=recorded.append) as table:
        pair = await table.sit("Ann", "Bob")
        stop_reading(table, 0)
        pair[1].session.say("hello")
        await until(lambda: len(pair[0].wire.dials) == 2 and pair[0].view.talk)
        assert recorded == [entry.blob for entry in table.server.host.log][1:]


# The disk


async def test_the_table_goes_on_when_the_log_cannot_be_written() -> None:
    full = OSError(errno.ENOSPC, "No space left on device")

    def record(blob: bytes) -> None:
        raise full

    async with parlour(record=record) as table:
        pair = await table.sit("Ann", "Bob")
        await table.start(*pair)
        assert table.server.trouble is full


async def test_an_entry_is_on_the_disk_before_anybody_is_told() -> None:
    told: list[int] = []

    async with parlour(record=lambda blob: told.append(len(ann.session.guest.log))) as table:
        ann = table.seat("Ann")
        await until(lambda: ann.sits)
        ann.session.say("hello")
        await until(lambda: ann.view.talk)
        assert told == [1, 2]


async def test_listeners_are_told_after_every_change() -> None:
    async with parlour() as table:
        seen: list[int] = []
        table.server.on_change = lambda: seen.append(table.server.host.table.head.length)
        await table.sit("Ann", "Bob")
        assert seen == [2, 3]


# Closing


async def test_closing_says_goodbye() -> None:
    async with listening() as table, client(table) as met, client(table) as silent:
        await met.meet(new_key())
        await silent.hear()
        await table.server.close()
        assert (await met.hear_all())[-1] == Goodbye(Farewell.CLOSED)
        assert (await silent.hear_all())[-1] == Goodbye(Farewell.CLOSED)


async def test_a_peer_that_does_not_read_cannot_keep_the_table_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(servers, "CLOSE_WITHIN", 0.02)
    async with listening() as table, client(table) as slow:
        await slow.meet(new_key())
        slow.writer.transport.pause_reading()  # type: ignore[attr-defined]
        table.server.carry_out([Send((1,), bytes(MAX_UNSENT))])
        async with asyncio.timeout(5):
            await table.server.close()


async def test_who_comes_in_the_moment_of_closing_trips_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for turns in range(6):
        async with listening() as table:
            with socket.create_connection(("127.0.0.1", table.port)):
                for _ in range(turns):
                    await asyncio.sleep(0)
                await table.server.close()
            await until(lambda table=table: not table.server._links)  # type: ignore[misc]
    assert caplog.records == []


async def test_a_closed_table_hears_no_more() -> None:
    async with listening() as table:
        [ann] = await table.sit("Ann")
        await table.server.close()
        length = len(table.server.host.log)
        ann.session.say("anybody?")
        await ann.over()
        assert len(table.server.host.log) == length


async def test_a_table_may_be_closed_before_it_listens() -> None:
    host, _ = new_host()
    await TableServer(host, lambda blob: None).close()
