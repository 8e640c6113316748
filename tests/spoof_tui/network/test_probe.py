"""Asking an address whether a table is there."""

import asyncio
import contextlib
import errno
import random
import socket
import time
from asyncio import StreamReader, StreamWriter
from collections.abc import AsyncIterator

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import pack
from protocol.encoding.framing import frame
from protocol.limits import MAX_FRAME, MAX_UNPROVEN_OF_ADDRESS
from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import Farewell, Goodbye, Greeting, Ping, write
from spoof_tui.network import probe as probing
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Connect, Owner, TlsLink, dial
from spoof_tui.network.probe import (
    Answer,
    Failure,
    ProbeFailed,
    Reached,
    probe,
    probe_any,
    reach,
    reach_any,
)
from tests.spoof_tui.network.ends import SEED, End, answering
from tests.spoof_tui.network.greeter import (
    greeting,
    listening,
    open_host,
    open_tls,
    saying,
    until,
)

SHORT = 0.1
"""Seconds to wait for what never comes."""


def closed_port() -> Address:
    """Where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return Address(*server.getsockname())


async def failure(address: Address, within: float = 5.0) -> Failure:
    with pytest.raises(ProbeFailed) as error:
        await probe(address, within)
    assert address.text in str(error.value)
    assert error.value.address == address
    return error.value.reason


async def test_a_table_greets() -> None:
    host = open_host()
    async with listening(greeting(host)) as address:
        answer = await probe(address)
        assert answer == Answer(address, host.card, PROTOCOL, PROGRAM)
        assert answer.round_trip > 0
        assert answer.key == SigningKey(bytes(32)).public


async def test_a_probe_hangs_up() -> None:
    host = open_host()
    links: list[StreamWriter] = []
    greet = greeting(host)

    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        links.append(writer)
        await greet(reader, writer)
        links.remove(writer)

    async with listening(handle) as address:
        await probe(address)
        await until(lambda: not links)


async def test_a_greeting_may_come_byte_by_byte() -> None:
    host = open_host()
    greet = greeting(host)

    class Slow:
        def __init__(self, writer: StreamWriter) -> None:
            self.writer = writer
            self.data = b""

        def write(self, data: bytes) -> None:
            self.data += data

    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        slow = Slow(writer)
        reader.feed_eof()
        await greet(reader, slow)  # type: ignore[arg-type]
        for byte in slow.data:
            writer.write(bytes([byte]))
            await writer.drain()
            await asyncio.sleep(0)

    async with listening(handle) as address:
        assert (await probe(address)).card == host.card


async def test_another_version_is_an_answer_with_both_numbers() -> None:
    async with listening(saying(frame(pack(("greeting", 99, "9.9", "?", 1))))) as address:
        assert await probe(address) == Answer(address, None, 99, "9.9")


async def test_a_full_table_is_busy() -> None:
    async with listening(saying(write(Goodbye(Farewell.TOO_MANY)))) as address:
        assert await failure(address) is Failure.BUSY


async def test_the_last_link_of_a_host_is_refused_as_busy() -> None:
    async with listening(greeting(open_host(), "10.0.0.5")) as address:
        links = [await open_tls(address) for _ in range(MAX_UNPROVEN_OF_ADDRESS)]
        for reader, _ in links:
            await reader.readexactly(4)
        assert await failure(address) is Failure.BUSY
        for _, writer in links:
            writer.transport.abort()


async def test_nobody_listens() -> None:
    assert await failure(closed_port()) is Failure.REFUSED


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\xff\xff\xff\xff" + bytes(100), id="a frame of 4 GB"),
        pytest.param(bytes(4), id="an empty frame"),
        pytest.param((MAX_FRAME + 1).to_bytes(4, "big"), id="a frame that is too long"),
        pytest.param(frame(b"\xc1"), id="no msgpack"),
        pytest.param(frame(pack(("greeting", PROTOCOL, PROGRAM, "?", 1))), id="no card"),
        pytest.param(frame(pack(("greeting",))), id="half a greeting"),
        pytest.param(write(Ping(0)), id="another message first"),
        pytest.param(write(Goodbye(Farewell.CLOSED)), id="a goodbye"),
        pytest.param(b"HTTP/1.1 400 Bad Request\r\n\r\n", id="a web server"),
    ],
)
async def test_what_is_no_table(data: bytes) -> None:
    async with listening(saying(data)) as address:
        assert await failure(address) is Failure.NO_TABLE


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"HTTP/1.1 400 Bad Request\r\n\r\n", id="a web server"),
        pytest.param(b"SSH-2.0-OpenSSH_9.2p1\r\n", id="a login server"),
        pytest.param(b"\x15\x03\x03\x00\x02\x02\x28", id="TLS that wants something else"),
        pytest.param(bytes(100), id="zeros"),
    ],
)
async def test_what_speaks_no_tls_is_no_table(data: bytes) -> None:
    async with listening(saying(data), plain=True) as address:
        assert await failure(address) is Failure.NO_TABLE


async def test_a_greeting_outside_of_tls_is_no_table() -> None:
    async with listening(greeting(open_host()), plain=True) as address:
        assert await failure(address) is Failure.NO_TABLE


async def test_random_bytes_are_no_table() -> None:
    chance = random.Random(7)
    for _ in range(50):
        payload = chance.randbytes(chance.randint(1, 300))
        async with listening(saying(frame(payload))) as address:
            assert await failure(address) is Failure.NO_TABLE


@pytest.mark.parametrize("plain", [False, True])
async def test_who_hangs_up_is_no_table(plain: bool) -> None:
    async def hang_up(_reader: StreamReader, _writer: StreamWriter) -> None:
        pass

    async with listening(hang_up, plain=plain) as address:
        assert await failure(address) is Failure.NO_TABLE


@pytest.mark.parametrize("data", [b"", b"\x00", frame(bytes(9))[:-1]])
async def test_silence_ends(data: bytes) -> None:
    async with listening(saying(data)) as address:
        assert await failure(address, within=SHORT) is Failure.SILENT


async def test_silence_in_the_handshake_ends() -> None:
    async with listening(saying(b""), plain=True) as address:
        assert await failure(address, within=SHORT) is Failure.SILENT


async def test_a_way_that_does_not_exist() -> None:
    async def connect(_owner: Owner, _address: Address) -> None:
        raise OSError(errno.EHOSTUNREACH, "No route to host")

    with pytest.raises(ProbeFailed) as error:
        await probe(Address("10.0.0.5", 1), connect=connect)
    assert error.value.reason is Failure.UNREACHABLE


class Maze:
    """Connections that arrive only at some addresses; the others are never answered."""

    def __init__(self, *open_addresses: Address) -> None:
        self.open = open_addresses
        self.waiting = 0

    async def connect(self, owner: Owner, address: Address) -> None:
        if address in self.open:
            await dial(owner, address)
            return
        self.waiting += 1
        try:
            await asyncio.Event().wait()
            raise AssertionError
        finally:
            self.waiting -= 1


BLACK_HOLE = Address("10.0.0.5", 1)


async def test_a_dead_address_does_not_hold_up_the_next() -> None:
    async with listening(greeting(open_host())) as address:
        maze = Maze(address)
        began = time.monotonic()
        answer = await probe_any([BLACK_HOLE, address], connect=maze.connect)
        assert answer.address == address
        assert time.monotonic() - began < 0.5
        assert maze.waiting == 0


async def test_a_refusal_passes_the_turn_at_once() -> None:
    async with listening(greeting(open_host())) as address:
        began = time.monotonic()
        answer = await probe_any([*(closed_port() for _ in range(9)), address])
        assert answer.address == address
        assert time.monotonic() - began < 0.5


async def test_the_first_address_says_why_all_failed() -> None:
    refused = closed_port()
    for addresses, reason in (
        ([refused, BLACK_HOLE], Failure.REFUSED),
        ([BLACK_HOLE, refused], Failure.SILENT),
    ):
        with pytest.raises(ProbeFailed) as error:
            await probe_any(addresses, SHORT, Maze(refused).connect)
        assert error.value.reason is reason


async def test_many_dead_addresses_leave_time_for_the_last_and_none_beyond_the_end() -> None:
    async with listening(greeting(open_host())) as address:
        maze = Maze(address)
        dead = [Address(f"10.0.0.{number}", 1) for number in range(1, 20)]
        answer = await probe_any([*dead, address], 3.0, maze.connect)
        assert answer.address == address
        began = time.monotonic()
        with pytest.raises(ProbeFailed) as error:
            await probe_any(dead, 0.4, maze.connect)
        assert error.value.reason is Failure.SILENT
        assert time.monotonic() - began >= 0.4
        assert maze.waiting == 0


async def test_a_cancelled_race_leaves_nothing_behind() -> None:
    maze = Maze()
    race = asyncio.create_task(probe_any([BLACK_HOLE], connect=maze.connect))
    await until(lambda: maze.waiting == 1)
    race.cancel()
    with pytest.raises(asyncio.CancelledError):
        await race
    assert maze.waiting == 0


async def test_a_try_that_the_network_swallowed_is_overtaken_by_the_next(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(probing, "AGAIN_DELAY", SHORT)
    async with listening(greeting(open_host())) as address:
        maze = Maze()
        trying = asyncio.create_task(reach_any([address], 30.0, maze.connect, tries=3))
        await until(lambda: maze.waiting == 2)
        maze.open = (address,)
        winner = await trying
        assert winner.answer.address == address
        assert maze.waiting == 0
        winner.hang_up()


async def test_what_refuses_is_not_tried_again() -> None:
    asked: list[Address] = []

    async def connect(owner: Owner, address: Address) -> None:
        asked.append(address)
        raise ConnectionRefusedError

    with pytest.raises(ProbeFailed):
        await reach_any([BLACK_HOLE], connect=connect, tries=3)
    assert asked == [BLACK_HOLE]


async def test_those_that_lose_a_race_are_left() -> None:
    open_links: list[StreamWriter] = []
    greet = greeting(open_host())

    async def handle(reader: StreamReader, writer: StreamWriter) -> None:
        open_links.append(writer)
        await greet(reader, writer)
        open_links.remove(writer)

    async with listening(handle) as one, listening(handle) as other:
        winner = await reach_any([one, other, one], 30.0, all_at_once(3))
        await until(lambda: len(open_links) == 1)
        winner.hang_up()
        await until(lambda: not open_links)


def all_at_once(count: int) -> Connect:
    """Connects so many at the same moment."""
    gate = asyncio.Barrier(count)

    async def connect(owner: Owner, address: Address) -> None:
        await dial(owner, address)
        await gate.wait()

    return connect


# Going on with the link that was greeted


@contextlib.asynccontextmanager
async def reached(data: bytes) -> AsyncIterator[tuple[End, Reached]]:
    """A host that says this on the first link, and whoever reached it."""
    host = End()
    async with answering(host) as address:
        reaching = asyncio.create_task(reach(address))
        await until(lambda: bool(host.opened_))
        host.link.send(data)
        found = await reaching
        yield host, found
        found.hang_up()


GREETING = write(Greeting(PROTOCOL, PROGRAM, open_host().card, bytes(32)))


async def test_the_link_that_was_greeted_is_gone_on_with() -> None:
    async with reached(GREETING) as (host, found):
        guest = End()
        found.pass_to(guest)
        assert guest.data == GREETING
        key = SigningKey(SEED).public
        assert (guest.link.channel, guest.link.host_key) == (host.link.channel, key)
        assert found.answer.key == key
        guest.link.send(b"hello")
        await until(lambda: host.data == b"hello")
        assert len(host.opened_) == 1


async def test_what_follows_the_greeting_is_not_lost() -> None:
    goodbye = write(Goodbye(Farewell.CLOSED))
    async with reached(GREETING + goodbye) as (_, found):
        guest = End()
        found.pass_to(guest)
        assert guest.data == GREETING + goodbye


async def test_a_table_that_has_hung_up_meanwhile_is_nobodys() -> None:
    async with reached(GREETING) as (host, found):
        host.link.close()
        link = tls_link_of(found)
        await until(link.gone.is_set)
        with pytest.raises(OSError):
            found.pass_to(End())


async def test_who_says_too_much_before_it_is_spoken_to_is_left() -> None:
    async with reached(GREETING) as (host, found):
        for _ in range(4):
            host.link.send(bytes(MAX_FRAME))
        await until(lambda: bool(host.lost_))
        with pytest.raises(OSError):
            found.pass_to(End())


def tls_link_of(found: Reached) -> TlsLink:
    assert isinstance(found._link, TlsLink)
    return found._link
