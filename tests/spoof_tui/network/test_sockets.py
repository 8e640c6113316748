"""What only the system's sockets show, and TLS on them: ports, resets, last words."""

from __future__ import annotations

import asyncio
import errno
import socket

import pytest

from spoof_tui.network import table_server as servers
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import dial
from spoof_tui.network.table_server import ReservedPort
from tests.spoof_tui.network.ends import End, answering, tls_link
from tests.spoof_tui.network.greeter import listening as speaking
from tests.spoof_tui.runtime.local_table import local_table, until


def has_ipv6() -> bool:
    try:
        with socket.create_server(("::1", 0), family=socket.AF_INET6):
            return True
    except OSError:
        return False


async def greeted(port: int, host: str = "127.0.0.1") -> End:
    """A guest who came over the network."""
    guest = End()
    await dial(guest, Address(host, port))
    await until(lambda: b"greeting" in guest.data)
    return guest


def connect(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=5.0)


# Ports


@pytest.mark.skipif(not has_ipv6(), reason="this machine has no IPv6")
@pytest.mark.parametrize(
    ("loopback_only", "hosts"), [(True, ["127.0.0.1", "::1"]), (False, ["0.0.0.0", "::"])]
)
async def test_a_free_port_is_the_same_for_both_kinds_of_addresses(
    loopback_only: bool, hosts: list[str]
) -> None:
    ends = servers.bound(0, loopback_only)
    assert [each.getsockname()[0] for each in ends] == hosts
    async with local_table() as table:
        port = await table.server.start(ends)
        for host in ("127.0.0.1", "::1"):
            (await greeted(port, host)).link.abort()


async def test_a_port_is_free_again_as_soon_as_its_table_is_closed() -> None:
    async with local_table() as table:
        port = await table.server.start(servers.bound(0, loopback_only=True))
        guest = await greeted(port)
    async with local_table() as other:
        assert await other.server.start(servers.bound(port, loopback_only=True)) == port
    guest.link.abort()


def test_a_port_that_is_kept_refuses_and_is_listened_on_given_up_and_listened_on_again() -> None:
    reserved = ReservedPort()
    for _ in range(2):
        with pytest.raises(ConnectionRefusedError):
            connect(reserved.port)
        taken = reserved.take()
        for each in taken:
            assert not each.getblocking()
            each.listen()
        connect(reserved.port).close()
        for each in taken:
            each.close()
        reserved.keep()
    reserved.close()
    with socket.create_server(("0.0.0.0", reserved.port)):
        # Somebody else was quicker.
        reserved.keep()
        with pytest.raises(OSError) as refused:
            reserved.take()
        assert refused.value.errno == errno.EADDRINUSE


# Strangers


@pytest.mark.parametrize("said", [b"\x16", b"SSH-2.0-OpenSSH_9.2p1\r\n", bytes(100), None])
async def test_calling_what_is_no_table_raises(
    said: bytes | None, caplog: pytest.LogCaptureFixture
) -> None:
    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if said:
            writer.write(said)
            await writer.drain()

    end = End()
    async with speaking(answer, plain=True) as address:
        with pytest.raises(OSError):
            await dial(end, address)
    assert (end.opened_, end.lost_, caplog.records) == ([], [], [])


# Links


async def test_the_last_words_of_a_host_arrive_though_a_guest_is_just_talking() -> None:
    guest, host = End(), End()
    async with answering(host) as address:
        await dial(guest, address)
        await until(lambda: host.opened_)
        guest.link.send(b"not read any more")
        host.link.send(b"goodbye")
        host.link.close()
        # Before the guest looks at what has come.
        asyncio.get_running_loop().call_soon(guest.link.send, b"into a closed socket")
        await until(lambda: guest.lost_)
        assert guest.data == b"goodbye"
        guest.link.abort()
        await tls_link(guest).gone.wait()
