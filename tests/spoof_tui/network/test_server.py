"""A table server: real sockets where bytes matter, links in memory where players do."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import socket
import ssl
import struct
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator, Callable, Sequence

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message
from protocol.encoding.framing import FrameReader
from protocol.encoding.untrusted import ForeignText
from protocol.errors import LocalError
from protocol.host import connections as connections
from protocol.host.host import Found, Host, HostEffect, Record, Send
from protocol.limits import (
    HELLO_TIMEOUT,
    KNOCKS_BURST,
    MAX_BATCH,
    MAX_HANDSHAKES_OF_ADDRESS,
    MAX_UNPROVEN_OF_ADDRESS,
    MAX_UNSENT,
    MESSAGES_BURST,
)
from protocol.rules.words import Bid
from protocol.table.announcements import Away, Back
from protocol.table.head import EMPTY
from protocol.table.statements import Say
from protocol.timing import LOST_DELAY, Moment
from protocol.version import PROGRAM
from protocol.wire.messages import (
    Farewell,
    Goodbye,
    Greeting,
    Ping,
    read_from_host,
    sign_hello,
    write,
)
from spoof_tui.clock import now
from spoof_tui.network import links
from spoof_tui.network import server as servers
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Link, TlsLink, dial
from spoof_tui.network.server import TableServer
from spoof_tui.network.tls import peer, server_context
from spoof_tui.runtime.notices import Broken, CodeAsked, TurnedAway
from spoof_tui.storage import disk as disks
from spoof_tui.storage.disk import OrderedEffects
from tests.spoof_tui.network.greeter import Handler, open_tls
from tests.spoof_tui.network.greeter import listening as serving
from tests.spoof_tui.runtime.local_table import (
    LocalTable,
    Wire,
    local_table,
    new_host,
    new_key,
    until,
)
from tests.spoof_tui.storage.slow_disk import SlowDisk


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


@contextlib.asynccontextmanager
async def listening(
    port: int = 0,
    loopback_only: bool = True,
    locked: bool = False,
    record: Callable[[Sequence[bytes]], None] = lambda blobs: None,
) -> AsyncIterator[LocalTable]:
    """A table on real sockets; its sessions still come by memory."""
    async with local_table(locked=locked, record=record) as table:
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
        channel, _ = peer(self.tls.getpeercert(binary_form=True))
        hello = sign_hello(key, PROGRAM, greeting, channel, EMPTY)
        self.writer.write(write(hello))
        await self.hear()

    @property
    def tls(self) -> ssl.SSLObject:
        """The connection's TLS."""
        found = self.writer.get_extra_info("ssl_object")
        assert isinstance(found, ssl.SSLObject)
        return found


@contextlib.asynccontextmanager
async def client(table: LocalTable, host: str = "127.0.0.1") -> AsyncIterator[Client]:
    reader, writer = await open_tls(Address(host, table.port))
    try:
        yield Client(reader, writer)
    finally:
        writer.transport.abort()
        with contextlib.suppress(OSError):
            await writer.wait_closed()


def keep_small_buffers(link: Link, guest: Client) -> None:
    """What waits for the guest waits in the programs: the system takes little, and never more."""
    assert isinstance(link, TlsLink) and link._transport
    for end in (link._transport, guest.writer):
        connected = end.get_extra_info("socket")
        for size in (socket.SO_SNDBUF, socket.SO_RCVBUF):
            connected.setsockopt(socket.SOL_SOCKET, size, 64 * 1024)


def over_the_network(table: LocalTable) -> Wire:
    """A way to the table as other machines have it."""
    return Wire(lambda owner: dial(owner, Address("127.0.0.1", table.port)))


def stop_reading(table: LocalTable, number: int) -> Link:
    """From now on the other end of this link reads nothing."""
    link = list(table.server._ids)[number]
    link.unsent = lambda: MAX_UNSENT + 1  # type: ignore[method-assign]
    return link


def read_again(table: LocalTable, link: Link) -> None:
    """The other end has read everything."""
    link.unsent = lambda: 0  # type: ignore[method-assign]
    table.server.drained(link)


def after(seconds: float) -> Callable[[], Moment]:
    """A clock that is ahead."""

    def later() -> Moment:
        moment = now()
        return Moment(moment.monotonic + seconds, moment.wall + int(seconds * 1000))

    return later


@contextlib.asynccontextmanager
async def raw(table: LocalTable) -> AsyncIterator[socket.socket]:
    """A connection of somebody who may say what he likes."""
    loop = asyncio.get_running_loop()
    with socket.socket() as stranger:
        stranger.setblocking(False)
        await loop.sock_connect(stranger, ("127.0.0.1", table.port))
        yield stranger


async def is_cut(stranger: socket.socket) -> bool:
    """Wait until nothing more comes, an alert perhaps before; whether no greeting did."""
    loop = asyncio.get_running_loop()
    heard = b""
    async with asyncio.timeout(5):
        with contextlib.suppress(ConnectionError):
            while data := await loop.sock_recv(stranger, 4096):
                heard += data
    return b"greeting" not in heard


def reset(stranger: socket.socket) -> None:
    """Hang up as a machine that crashed: by a reset."""
    stranger.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    stranger.close()


def has_nobody(server: TableServer) -> bool:
    """Whether the server has forgotten everybody who came by the network."""
    kept = (server._links, server._ids, server._handshakes, server._guard.under_way)
    return not any(kept) and not any(not link.gone.is_set() for link in server._standing)


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
        key = new_key()
        host, _ = new_host(key=key)
        server = TableServer(host, lambda blobs: None, key=key)
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


async def test_sessions_play_over_the_network() -> None:
    async with listening() as table:
        pair = []
        for name in ("Ann", "Bob"):
            pair.append(table.seat(name, wire=over_the_network(table)))
            await until(lambda: pair[-1].sits)
        await table.start(*pair)
        await table.choose(pair, 1, 2)
        await table.say(Bid(6))
        assert table.speaker().view.standing


async def test_a_short_word_waits_for_no_other() -> None:
    async with listening() as table, client(table) as guest:
        await guest.hear()
        link = table.server._links[1]
        assert isinstance(link, TlsLink) and link._transport
        accepted = link._transport.get_extra_info("socket")
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_nor_does_one_on_a_socket_that_does_not_know_its_protocol() -> None:
    # Accepted sockets are like that on macOS and on Windows.
    bare = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    bare.bind(("127.0.0.1", 0))
    bare.setblocking(False)
    async with local_table() as table:
        table.port = await table.server.start_on([bare])
        async with client(table) as guest:
            await guest.hear()
            link = table.server._links[1]
            assert isinstance(link, TlsLink) and link._transport
            accepted = link._transport.get_extra_info("socket")
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


async def test_malformed_bytes_drop_that_link_only() -> None:
    async with listening() as table:
        await table.sit("Ann")
        async with client(table) as good, client(table) as bad:
            await good.meet(new_key())
            bad.writer.write(bytes(64))
            assert (await bad.hear_all())[-1] == Goodbye(Farewell.MALFORMED)
            table.sitters[0].session.state(Say(ForeignText("still here")))
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
        for _ in range(MAX_UNPROVEN_OF_ADDRESS):
            guest = await stack.enter_async_context(client(table))
            assert isinstance(await guest.hear(), Greeting)
        last = await stack.enter_async_context(client(table))
        assert await last.hear_all() == [Goodbye(Farewell.TOO_MANY)]


async def test_a_connection_that_says_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers, "TICK_INTERVAL", 0.005)
    async with listening() as table, client(table) as guest:
        assert isinstance(await guest.hear(), Greeting)
        monkeypatch.setattr(servers, "now", after(HELLO_TIMEOUT + 1))
        assert (await guest.hear_all())[-1] == Goodbye(Farewell.TOO_LATE)


# Strangers


async def test_the_greeting_comes_in_tls_1_3_only() -> None:
    async with listening() as table, client(table) as guest:
        assert isinstance(await guest.hear(), Greeting)
        assert guest.tls.version() == "TLSv1.3"


async def test_tls_1_2_is_refused() -> None:
    old = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    old.check_hostname, old.verify_mode = False, ssl.CERT_NONE
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    async with listening() as table:
        with pytest.raises(OSError):
            await asyncio.open_connection(
                "127.0.0.1", table.port, ssl=old, server_hostname="", ssl_handshake_timeout=5
            )
        await until(lambda: has_nobody(table.server))


@pytest.mark.parametrize(
    "said",
    [
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="a browser"),
        pytest.param(write(Ping(0)), id="a message without TLS"),
        pytest.param(bytes(1000), id="zeros"),
        pytest.param(b"\xff\xff\xff\xff" + bytes(100), id="a frame of 4 GB"),
        pytest.param(b"\x16\x03\x01\xff\xff" + bytes(1000), id="a record that is too long"),
    ],
)
async def test_what_is_no_tls_is_cut(said: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async with listening() as table, raw(table) as stranger:
        await asyncio.get_running_loop().sock_sendall(stranger, said)
        assert await is_cut(stranger)
        await until(lambda: has_nobody(table.server))
    assert caplog.records == []


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01\x02\x00\x01"])
async def test_a_port_held_open_in_silence_is_cut(
    said: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(links, "HANDSHAKE_TIMEOUT", 0.02)
    async with listening() as table, raw(table) as stranger:
        await asyncio.get_running_loop().sock_sendall(stranger, said)
        assert await is_cut(stranger)
        await until(lambda: has_nobody(table.server))
    assert caplog.records == []


@pytest.mark.parametrize("said", [b"", b"\x16\x03\x01\x02\x00\x01", b"garbage"])
async def test_a_reset_in_the_handshake_leaves_nothing_behind(
    said: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    async with listening() as table, raw(table) as stranger:
        await asyncio.get_running_loop().sock_sendall(stranger, said)
        await until(lambda: table.server._guard._count)
        reset(stranger)
        await until(lambda: has_nobody(table.server))
    assert caplog.records == []


async def test_garbage_after_the_handshake_leaves_nothing_behind(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with listening() as table, client(table) as guest:
        await guest.hear()
        guest.writer.get_extra_info("socket")._sock.send(b"\x17\x03\x03\x00\x20" + bytes(32))
        await until(lambda: has_nobody(table.server))
    assert caplog.records == []


async def test_a_crowd_of_one_address_is_cut_at_once_and_the_table_plays_on(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with listening() as table, contextlib.AsyncExitStack() as stack:
        pair = await table.sit("Ann", "Bob")
        crowd = [await stack.enter_async_context(raw(table)) for _ in range(KNOCKS_BURST + 50)]
        assert await is_cut(crowd[-1])
        assert len(table.server._handshakes) <= MAX_HANDSHAKES_OF_ADDRESS
        pair[0].session.state(Say(ForeignText("still here")))
        await until(lambda: pair[1].view.talk)
    assert caplog.records == []


async def test_the_silent_give_way_to_who_comes_next() -> None:
    async with listening() as table, contextlib.AsyncExitStack() as stack:
        silent = [
            await stack.enter_async_context(raw(table)) for _ in range(MAX_HANDSHAKES_OF_ADDRESS)
        ]
        guest = await stack.enter_async_context(client(table))
        assert isinstance(await guest.hear(), Greeting)
        assert await is_cut(silent[0])


async def test_one_without_an_address_is_not_taken_for_the_hosts_own() -> None:
    class Nowhere(asyncio.Transport):
        was_cut = False

        def abort(self) -> None:
            self.was_cut = True

    async with local_table() as table:
        transport = Nowhere()
        table.server._begin(*server_context(bytes(32)), transport)
        assert transport.was_cut
        assert has_nobody(table.server)


# The join code


async def test_who_knows_the_code_comes_in() -> None:
    async with listening(locked=True) as table:
        ann = table.seat("Ann", wire=over_the_network(table))
        await until(lambda: ann.told(CodeAsked))
        assert table.server.host.admission.code
        ann.session.use_code(table.server.host.admission.code)
        await until(lambda: ann.sits)


async def test_who_does_not_know_the_code_stays_outside() -> None:
    async with listening(locked=True) as table:
        ann = table.seat("Ann", wire=over_the_network(table))
        ann.session.use_code("AAAAA" if table.server.host.admission.code != "AAAAA" else "CCCCC")
        await until(lambda: ann.told(CodeAsked))
        assert ann.told(CodeAsked) == [CodeAsked(Farewell.WRONG_CODE)]
        assert not table.server.host.table.admitted


async def test_the_host_s_own_players_need_no_code() -> None:
    async with local_table(locked=True) as table:
        await table.sit("Ann")


async def test_a_new_code_is_a_change() -> None:
    async with local_table(locked=True) as table:
        codes: list[str | None] = []
        table.server.on_change = lambda: codes.append(table.server.host.admission.code)
        table.server.carry_out(table.server.host.renew_code())
        assert codes == [table.server.host.admission.code]


def in_between(table: LocalTable) -> Handler:
    """Eve: answers with a certificate of her own, and passes on all that is said inside."""

    async def carry(reader: StreamReader, writer: StreamWriter) -> None:
        while data := await reader.read(4096):
            writer.write(data)
        writer.close()

    async def stand(reader: StreamReader, writer: StreamWriter) -> None:
        from_host, to_host = await open_tls(Address("127.0.0.1", table.port))
        try:
            await asyncio.gather(carry(reader, to_host), carry(from_host, writer))
        finally:
            to_host.transport.abort()

    return stand


@pytest.mark.parametrize("locked", [False, True])
async def test_who_stands_in_between_gets_nobody_in(locked: bool) -> None:
    async with listening(locked=locked) as table, serving(in_between(table)) as eve:
        ann = table.seat("Ann", wire=Wire(lambda owner: dial(owner, eve)))
        if table.server.host.admission.code:
            ann.session.use_code(table.server.host.admission.code)
        await until(lambda: ann.told(TurnedAway))
        assert ann.told(TurnedAway) == [TurnedAway(Farewell.WRONG_PROOF)]
        assert not table.server.host.table.seats


# Who says too much, and who reads too little


async def test_a_flood_is_read_slowly_and_all_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "MESSAGES_INTERVAL", 0.001)
    monkeypatch.setattr(servers, "TICK_INTERVAL", 0.005)
    async with listening() as table, client(table) as guest:
        await guest.meet(new_key())
        connection = table.server.host.connections.get(1)
        assert connection
        link = table.server._links[1]
        assert isinstance(link, TlsLink) and link._transport
        guest.writer.write(write(Ping(0)) * 2 * MESSAGES_BURST)
        await until(lambda: connection.is_stalled)
        assert not link._transport.is_reading()
        await until(lambda: not connection.is_stalled)
        assert link._transport.is_reading()
        guest.writer.write(bytes(64))
        assert (await guest.hear_all())[-1] == Goodbye(Farewell.MALFORMED)


async def test_a_real_reader_that_stands_still_gets_the_rest_when_it_reads_again() -> None:
    async with listening() as table, client(table) as slow:
        await slow.meet(new_key())
        connection = table.server.host.connections.get(1)
        assert connection
        slow.writer.transport.pause_reading()  # type: ignore[attr-defined]
        keep_small_buffers(table.server._links[1], slow)
        table.server.carry_out([Send((1,), write(Ping(0)) * 60_000)])
        assert connection.clogged_since is not None
        await table.sit("Ann")
        assert connection.sent == 1
        slow.writer.transport.resume_reading()  # type: ignore[attr-defined]
        async with asyncio.timeout(5):
            while connection.sent < len(table.server.host.log):
                assert await slow.reader.read(1 << 20)
        assert connection.clogged_since is None


async def test_nobody_waits_for_a_slow_reader_which_then_catches_up() -> None:
    async with local_table() as table:
        slow, ann, bob = await table.sit("Slow", "Ann", "Bob")
        link = stop_reading(table, 0)
        for count in (1, 2, 3):
            ann.session.state(Say(ForeignText("hello")))
            await until(lambda count=count: len(bob.view.talk) == count)  # type: ignore[misc]
        assert len(slow.view.talk) <= 1
        read_again(table, link)
        await until(lambda: len(slow.view.talk) == 3)
        assert slow.session.guest.log.head == bob.session.guest.log.head


async def test_a_reader_that_stays_slow_is_cut_and_comes_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(servers, "TICK_INTERVAL", 0.005)
    async with listening() as table:
        pair = await table.sit("Slow", "Ann")
        stop_reading(table, 0)
        pair[1].session.state(Say(ForeignText("hello")))
        await until(lambda: pair[1].view.talk)
        monkeypatch.setattr(servers, "now", after(LOST_DELAY + 1))
        await until(lambda: len(pair[0].wire.dials) == 2)
        monkeypatch.setattr(servers, "now", now)
        await until(lambda: pair[0].view.talk)
        assert not any(each.told(Broken) for each in pair)


async def test_a_long_log_comes_piece_by_piece() -> None:
    async with local_table() as table:
        await table.sit("Ann")
        table.server.carry_out(grown(table.server.host, 3 * MAX_BATCH))
        late = table.seat(None)
        await until(lambda: late.session.guest.log.head == table.server.host.log.head, 30)


def grown(host: Host, size: int) -> list[HostEffect]:
    """Entries of so many bytes in all, by a seat that comes and goes."""
    effects: list[HostEffect] = []
    seat = host.table.seats[0].key
    while sum(len(each.blob) for each in effects if isinstance(each, Record)) < size:
        effects += host._append(Away(seat), now()) + host._append(Back(seat), now())
    return effects


# The disk


class FullDisk:
    """Records entries while there is room."""

    def __init__(self) -> None:
        self.written: list[bytes] = []
        self.tries = 0
        self.is_full = False

    def __call__(self, blobs: Sequence[bytes]) -> None:
        self.tries += 1
        if self.is_full:
            raise OSError(errno.ENOSPC, "No space left on device")
        self.written += blobs

    async def try_again(self) -> None:
        """Wait until something was tried in vain, though nothing more may have come."""
        before = self.tries
        await until(lambda: self.tries > before + 1)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> FullDisk:
    monkeypatch.setattr(disks, "RETRY_DELAY", 0.001)
    return FullDisk()


async def test_while_the_log_cannot_be_written_the_table_stands_still(disk: FullDisk) -> None:
    async with local_table(record=disk) as table:
        [ann, bob] = await table.sit("Ann", "Bob")
        kept, disk.is_full = list(disk.written), True
        ann.session.state(Say(ForeignText("one")))
        await until(lambda: table.server.trouble)
        bob.session.state(Say(ForeignText("two")))
        await disk.try_again()
        # What comes meanwhile is not even read: nothing piles up.
        assert len(table.server.host.log) == len(kept) + 2
        assert disk.written == kept and not ann.view.talk and not bob.view.talk
        disk.is_full = False
        await until(lambda: len(ann.view.talk) == len(bob.view.talk) == 2)
        assert table.server.trouble is None
        assert disk.written == [entry.blob for entry in table.server.host.log[1:]]


async def test_a_host_that_cannot_write_is_silent_so_that_others_choose_another_one(
    disk: FullDisk, monkeypatch: pytest.MonkeyPatch
) -> None:
    ticks = list[Moment]()

    def tick(host: Host, at: Moment) -> list[HostEffect]:
        ticks.append(at)
        return []

    monkeypatch.setattr(servers, "TICK_INTERVAL", 0.0)
    monkeypatch.setattr(Host, "tick", tick)
    async with listening(record=disk) as table:
        [ann] = await table.sit("Ann")
        await until(lambda: ticks)
        disk.is_full = True
        ann.session.state(Say(ForeignText("hello")))
        await until(lambda: table.server.trouble)
        before = len(ticks)
        await disk.try_again()
        assert len(ticks) == before
        disk.is_full = False
        await until(lambda: len(ticks) > before)


async def test_nobody_is_greeted_whom_a_full_disk_would_keep_from_coming_in(
    disk: FullDisk,
) -> None:
    async with listening(record=disk) as table:
        [ann] = await table.sit("Ann")
        disk.is_full = True
        ann.session.state(Say(ForeignText("hello")))
        await until(lambda: table.server.trouble)
        with pytest.raises(OSError):
            await table.server.connect(ann.session)
        with pytest.raises(OSError):
            async with client(table):
                pass
        disk.is_full = False
        await until(lambda: not table.server.trouble)
        async with client(table) as met:
            assert isinstance(await met.hear(), Greeting)


async def test_what_could_not_be_written_is_dropped_when_the_table_closes(disk: FullDisk) -> None:
    other = FullDisk()
    async with local_table(record=disk) as table, local_table(record=other) as lasting:
        [ann], [bob] = await table.sit("Ann"), await lasting.sit("Bob")
        kept, disk.is_full, other.is_full = list(disk.written), True, True
        for each in (ann, bob):
            each.session.state(Say(ForeignText("hello")))
        await until(lambda: table.server.trouble and lasting.server.trouble)
        await table.server.close()
        await other.try_again()
        tries, disk.is_full = disk.tries, False
        await other.try_again()
        assert (disk.written, disk.tries) == (kept, tries)


async def test_an_entry_is_on_the_disk_before_anybody_is_told() -> None:
    told: list[int] = []

    async with local_table(record=lambda blobs: told.append(len(ann.session.guest.log))) as table:
        ann = table.seat("Ann")
        await until(lambda: ann.sits)
        ann.session.state(Say(ForeignText("hello")))
        await until(lambda: ann.view.talk)
        assert told == [1, 2]


async def test_a_new_table_is_kept_behind_the_log_of_the_old_one(disk: FullDisk) -> None:
    found = list[bytes]()
    async with local_table(record=disk) as table:
        table.server.found = found.append
        entry, disk.is_full = table.server.host.log[0].blob, True
        table.server.carry_out([Record(entry), Found(entry)])
        await until(lambda: table.server.trouble)
        await disk.try_again()
        assert found == []
        disk.is_full = False
        await until(lambda: found == [entry])


async def test_while_an_entry_waits_for_the_disk_strangers_are_greeted_and_guests_wait() -> None:
    async with listening() as table, contextlib.AsyncExitStack() as stack:
        pair = await table.sit("Ann", "Bob")
        disk = SlowDisk()
        table.server._effects = OrderedEffects(table.server, disk)
        pair[0].session.state(Say(ForeignText("hello")))
        await until(lambda: disk.jobs)
        stranger = await stack.enter_async_context(client(table))
        assert isinstance(await stranger.hear(), Greeting)
        assert not pair[1].view.talk and table.server.host.table.talk
        await disk.work()
        await until(lambda: pair[1].view.talk)


async def test_listeners_are_told_after_every_change() -> None:
    async with local_table() as table:
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
    monkeypatch.setattr(links, "CLOSE_TIMEOUT", 0.02)
    async with listening() as table, client(table) as slow:
        await slow.meet(new_key())
        slow.writer.transport.pause_reading()  # type: ignore[attr-defined]
        table.server.carry_out([Send((1,), bytes(64 * MAX_UNSENT))])
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
        ann.session.state(Say(ForeignText("anybody?")))
        await ann.over()
        assert len(table.server.host.log) == length


async def test_a_table_may_be_closed_before_it_listens() -> None:
    key = new_key()
    host, _ = new_host(key=key)
    await TableServer(host, lambda blobs: None, key=key).close()


async def test_a_table_is_served_with_its_own_key() -> None:
    host, _ = new_host()
    with pytest.raises(LocalError):
        TableServer(host, lambda blobs: None, key=new_key())
