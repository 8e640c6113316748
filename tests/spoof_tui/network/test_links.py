"""Both kinds of links keep one contract; those over TLS are real sockets on this machine."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import sys
from collections.abc import AsyncIterator

import pytest

from protocol.crypto.keys import SigningKey
from protocol.limits import MAX_UNSENT
from protocol.wire.messages import Ping, write
from spoof_tui.network import links, tls
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import MemoryLink, TlsLink, address_of, dial
from spoof_tui.network.tls import TlsPipe, server_context
from spoof_tui.visiting import SOURCE_VARIABLE
from tests.spoof_tui.network.ends import SEED, End, answering, tls_link
from tests.spoof_tui.network.greeter import listening, saying
from tests.spoof_tui.runtime.local_table import until


@contextlib.asynccontextmanager
async def joined(kind: str) -> AsyncIterator[tuple[End, End]]:
    """Two ends of a link, a guest's and a host's; both have heard that it stands."""
    one, other = End(), End()
    if kind == "memory":
        MemoryLink.join(one, other, asyncio.get_running_loop())
        yield one, other
        return
    async with answering(other) as address:
        await dial(one, address)
        await until(lambda: other.opened_)
        try:
            yield one, other
        finally:
            one.link.abort()
            await tls_link(one).gone.wait()


both = pytest.mark.parametrize("kind", ["memory", "tls"])


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


async def test_the_last_words_of_a_host_arrive_though_a_guest_is_just_talking() -> None:
    async with joined("tls") as (guest, host):
        guest.link.send(b"not read any more")
        host.link.send(b"goodbye")
        host.link.close()
        # Before the guest looks at what has come.
        asyncio.get_running_loop().call_soon(guest.link.send, b"into a closed socket")
        await until(lambda: guest.lost_)
        assert guest.data == b"goodbye"


async def test_a_host_hangs_up_on_a_guest_that_has_hung_up_a_moment_ago() -> None:
    async with joined("tls") as (guest, host):
        loop, ended = asyncio.get_running_loop(), asyncio.Event()
        guest.link.abort()

        def hang_up() -> None:
            host.link.close()
            ended.set()

        # After the guest's socket is closed, which answers the host's last words by a reset, and
        # before the host looks at what has come.
        loop.call_soon(hang_up)
        async with asyncio.timeout(5.0):
            await ended.wait()
            await tls_link(host).gone.wait()


async def test_a_host_does_not_wait_long_for_a_guest_that_does_not_hang_up() -> None:
    async with joined("tls") as (guest, host):
        guest.link.pause()
        begun = asyncio.get_running_loop().time()
        host.link.close()
        await tls_link(host).gone.wait()
        assert asyncio.get_running_loop().time() - begun < links.CLOSE_TIMEOUT


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


@both
async def test_what_comes_while_nothing_is_read_is_kept(kind: str) -> None:
    async with joined(kind) as (one, other):
        other.link.pause()
        other.link.pause()
        one.link.send(b"first")
        one.link.send(b"second")
        for _ in range(10):
            await asyncio.sleep(0)
        assert other.data == b""
        other.link.resume()
        await until(lambda: other.data == b"firstsecond")


@both
async def test_what_was_said_last_is_heard_even_after_a_pause(kind: str) -> None:
    async with joined(kind) as (one, other):
        other.link.pause()
        one.link.send(b"goodbye")
        one.link.close()
        await asyncio.sleep(0)
        other.link.resume()
        await until(lambda: other.lost_)
        assert other.data == b"goodbye"


# What identifies a link over the network


async def test_both_ends_know_the_same_channel_and_the_guest_whose_it_is() -> None:
    async with joined("tls") as (one, other):
        assert one.link.channel == other.link.channel == server_context(SEED)[1]
        assert (one.link.host_key, other.link.host_key) == (SigningKey(SEED).public, None)
        assert (one.link.address, other.link.address) == (None, "127.0.0.1")


@pytest.mark.skipif(sys.platform != "linux", reason="others have one loopback address")
@pytest.mark.parametrize(
    ("source", "seen"), [("127.200.3.4", "127.200.3.4"), ("192.0.2.77", "127.0.0.1")]
)
async def test_a_visitor_calls_a_table_here_from_the_address_that_stands_for_theirs(
    source: str, seen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SOURCE_VARIABLE, source)
    async with joined("tls") as (guest, _):
        transport = tls_link(guest)._transport
        assert transport and transport.get_extra_info("sockname")[0] == seen


async def test_a_link_is_stranded_when_its_own_address_is_no_longer_here() -> None:
    async with joined("tls") as (guest, _):
        link = tls_link(guest)
        assert not link.is_stranded()
        transport = link._transport
        assert transport
        transport._extra["sockname"] = ("192.0.2.77", 5000)  # type: ignore[attr-defined]
        assert link.is_stranded()


async def test_a_link_in_memory_is_never_stranded() -> None:
    async with joined("memory") as (guest, _):
        assert guest.link and not guest.link.is_stranded()


async def test_in_memory_there_is_nothing_to_know() -> None:
    async with joined("memory") as (one, other):
        for link in (one.link, other.link):
            assert (link.channel, link.host_key, link.address) == (b"", None, None)


@pytest.mark.parametrize(
    ("peer", "address"),
    [
        (("10.0.0.5", 47113), "10.0.0.5"),
        (("fe80::1%eth0", 47113, 0, 2), "fe80::1"),
        (None, None),
    ],
)
def test_an_address_has_no_port_and_no_zone(peer: object, address: str | None) -> None:
    assert address_of(asyncio.Transport({"peername": peer})) == address


# Readers that stand still


async def fill(end: End) -> None:
    """Send until the other end, which does not read, has more than it may."""

    def is_full() -> bool:
        end.link.send(bytes(1 << 14))
        return end.link.unsent() > MAX_UNSENT

    await until(is_full)


async def test_the_owner_is_told_when_a_slow_reader_has_caught_up() -> None:
    async with joined("tls") as (one, other):
        other.link.pause()
        await fill(one)
        assert one.drained_ == 0
        other.link.resume()
        await until(lambda: one.drained_)
        assert one.link.unsent() < MAX_UNSENT


async def test_an_end_that_does_not_read_can_be_told_nothing_and_is_cut(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(links, "CLOSE_TIMEOUT", 0.01)
    async with joined("tls") as (one, other):
        other.link.pause()
        await fill(one)
        one.link.close()
        await asyncio.wait_for(tls_link(one).gone.wait(), 5)
        assert one.lost_ == []


async def test_one_that_hangs_up_without_reading_is_lost_at_once() -> None:
    async with joined("tls") as (one, other):
        other.link.pause()
        await fill(one)
        transport = tls_link(other)._transport
        assert transport
        transport.get_extra_info("socket").shutdown(socket.SHUT_WR)
        await until(lambda: one.lost_)
        await asyncio.wait_for(tls_link(one).gone.wait(), 5)


async def test_who_lets_answers_pile_up_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "_MAX_UNSENT", MAX_UNSENT)
    async with joined("tls") as (one, other):
        other.link.pause()
        await fill(one)
        other.link.send(b"more")
        await until(lambda: one.lost_)


# Links that change hands


@both
async def test_a_link_may_have_another_owner_who_hears_what_came_before(kind: str) -> None:
    async with joined(kind) as (one, other):
        heir = End()
        one.link.pass_to(heir, b"before ")
        other.link.send(b"after")
        await until(lambda: heir.data == b"before after")
        other.link.close()
        await until(lambda: heir.lost_ == [one.link])
        assert (one.data, one.lost_) == (b"", [])


@both
async def test_a_link_that_is_gone_can_be_passed_to_nobody(kind: str) -> None:
    async with joined(kind) as (one, other):
        other.link.close()
        await until(lambda: one.lost_)
        heir = End()
        with pytest.raises(OSError):
            one.link.pass_to(heir, b"before")
        assert (heir.opened_, heir.data) == ([], b"")


# Handshakes


async def handshake(raw: bytes, hang_up: bool = False) -> tuple[End, list[OSError | None]]:
    """A host's end whose other end says `raw`; what its owner and its server are told."""
    end, told = End(), list[OSError | None]()
    loop = asyncio.get_running_loop()
    here, there = socket.socketpair()
    with there:
        pipe = TlsPipe(server_context(SEED)[0], is_server=True)
        link = TlsLink(end, pipe, told.append, b"channel", "10.0.0.5")
        await loop.connect_accepted_socket(lambda: link, here)
        there.sendall(raw)
        if hang_up:
            there.close()
        await asyncio.wait_for(link.gone.wait(), 5)
    return end, told


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"GET / HTTP/1.1\r\n\r\n", id="a browser"),
        pytest.param(bytes(300), id="zeros"),
        pytest.param(b"\xff" * 300, id="ones"),
        pytest.param(b"\x16\x03\x01\xff\xff" + bytes(300), id="a record that is too long"),
        pytest.param(write(Ping(0)), id="a message without TLS"),
    ],
)
async def test_what_is_no_tls_opens_nothing(raw: bytes, caplog: pytest.LogCaptureFixture) -> None:
    end, told = await handshake(raw)
    assert [type(error) for error in told] == [ssl.SSLError]
    assert (end.opened_, end.lost_, caplog.records) == ([], [], [])


@pytest.mark.parametrize("raw", [b"", b"\x16", b"\x16\x03\x01\x02\x00" + bytes(100)])
async def test_who_hangs_up_in_the_handshake_opens_nothing(
    raw: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    end, told = await handshake(raw, hang_up=True)
    assert len(told) == 1 and isinstance(told[0], OSError)
    assert (end.opened_, end.lost_, caplog.records) == ([], [], [])


@pytest.mark.parametrize("raw", [b"", b"\x16", b"\x16\x03\x01\x02\x00" + bytes(100)])
async def test_silence_in_the_handshake_ends(raw: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(links, "HANDSHAKE_TIMEOUT", 0.01)
    end, told = await handshake(raw)
    assert [type(error) for error in told] == [TimeoutError]
    assert (end.opened_, end.lost_) == ([], [])


# Dialling


async def test_a_port_on_which_nobody_listens_refuses() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = Address(*server.getsockname())
    with pytest.raises(ConnectionRefusedError):
        await dial(End(), address)


async def test_dialling_takes_no_longer_than_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    async def never(*_: object, **__: object) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(links, "CONNECT_TIMEOUT", 0.01)
    monkeypatch.setattr(asyncio.get_running_loop(), "create_connection", never)
    with pytest.raises(OSError) as error:
        await dial(End(), Address("127.0.0.1", 1))
    assert isinstance(error.value, TimeoutError)


@pytest.mark.parametrize("said", [b"", b"\x16", b"SSH-2.0-OpenSSH_9.2p1\r\n", bytes(100)])
async def test_dialling_what_is_no_table_raises(
    said: bytes, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(links, "CONNECT_TIMEOUT", 0.1)
    end = End()
    async with listening(saying(said), plain=True) as address:
        with pytest.raises(OSError):
            await dial(end, address)
    assert (end.opened_, end.lost_, caplog.records) == ([], [], [])


async def test_dialling_who_hangs_up_raises() -> None:
    async def hang_up(_reader: object, _writer: object) -> None:
        pass

    async with listening(hang_up, plain=True) as address:
        with pytest.raises(ConnectionError):
            await dial(End(), address)


async def test_dialling_one_whose_key_is_no_hosts_raises(monkeypatch: pytest.MonkeyPatch) -> None:
    def other(shown: bytes | None) -> tuple[bytes, bytes]:
        raise ConnectionError("an RSA key")

    monkeypatch.setattr(tls, "peer", other)
    end = End()
    async with answering(End()) as address:
        with pytest.raises(ConnectionError, match="RSA"):
            await dial(end, address)
    assert (end.opened_, end.lost_) == ([], [])


async def test_dialling_may_be_given_up(caplog: pytest.LogCaptureFixture) -> None:
    end = End()
    reached = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        reached.set()
        await reader.read()

    async with listening(say_nothing, plain=True) as address:
        dialling = asyncio.create_task(dial(end, address))
        await reached.wait()
        dialling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await dialling
    assert (end.opened_, end.lost_, caplog.records) == ([], [], [])
