"""Both kinds of links keep one contract; what only real sockets show is in `test_sockets.py`."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from protocol.crypto.keys import SigningKey
from protocol.limits import MAX_UNSENT
from spoof_tui.network import table_server
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import (
    CLOSE_TIMEOUT,
    CONNECT_TIMEOUT,
    LINGER,
    MemoryLink,
    dial,
)
from tests.helpers.virtual import network
from tests.simulation.wires import LATENCY
from tests.spoof_tui.network.ends import SEED, End, answering, tls_link

WAIT = 1.0
"""Seconds within which everything arrives."""


def now() -> float:
    return asyncio.get_running_loop().time()


@contextlib.asynccontextmanager
async def joined(kind: str) -> AsyncIterator[tuple[End, End]]:
    """Two ends of a link, a guest's and a host's; both have heard that it is up."""
    one, other = End(), End()
    if kind == "memory":
        MemoryLink.join(one, other, asyncio.get_running_loop())
        yield one, other
        return
    async with answering(other) as address:
        await dial(one, address)
        await asyncio.sleep(WAIT)
        yield one, other
        one.link.abort()
        await tls_link(one).gone.wait()


both = pytest.mark.parametrize("kind", ["memory", "network"])


@both
async def test_bytes_arrive_later_in_order_both_ways_and_before_the_end(kind: str) -> None:
    async with joined(kind) as (one, other):
        other.link.send(b"back")
        for number in range(50):
            one.link.send(bytes([number]) * number)
        assert (one.data, other.data) == (b"", b"")
        await asyncio.sleep(WAIT)
        one.link.close()
        assert not other.lost_
        await asyncio.sleep(WAIT)
        assert other.data == b"".join(bytes([number]) * number for number in range(50))
        assert one.data == b"back"
        assert other.lost_ == [other.link]


@both
async def test_what_comes_while_nothing_is_read_is_kept_and_the_last_words_are_heard(
    kind: str,
) -> None:
    async with joined(kind) as (one, other):
        other.link.pause()
        one.link.send(b"first ")
        await asyncio.sleep(WAIT)
        assert other.data == b""
        one.link.send(b"goodbye")
        one.link.close()
        await asyncio.sleep(WAIT)
        other.link.resume()
        await asyncio.sleep(WAIT)
        assert other.data == b"first goodbye" and other.lost_


async def test_both_ends_of_a_link_over_the_network_know_its_channel() -> None:
    async with joined("network") as (one, other):
        assert one.link.channel == other.link.channel != b""
        assert (one.link.host_key, other.link.host_key) == (SigningKey(SEED).public, None)
        assert (one.link.address, other.link.address) == (None, "127.0.0.1")
        assert 2 * LATENCY[0] <= one.link.round_trip <= 4 * LATENCY[1]
        assert not one.link.is_stranded()
        network().machines["m0"].address = "10.0.0.99"
        # The system is asked about the address that the link has.
        assert one.link.is_stranded()


async def test_a_host_whose_program_is_busy_is_not_taken_for_a_slow_network() -> None:
    guest = End()
    async with answering(End(), busy=0.5) as address:
        await dial(guest, address)
        assert guest.link.round_trip <= 2 * LATENCY[1]
        guest.link.abort()


# Readers that stand still


@pytest.mark.parametrize(("said", "seconds"), [(4 * MAX_UNSENT, CLOSE_TIMEOUT), (1, LINGER)])
async def test_an_end_that_does_not_read_or_hang_up_is_not_waited_for_long(
    said: int, seconds: float
) -> None:
    async with joined("network") as (guest, host):
        guest.link.pause()
        begun = now()
        host.link.send(bytes(said))
        host.link.close()
        await tls_link(host).gone.wait()
        assert now() - begun == pytest.approx(seconds, abs=0.1)
        assert host.lost_ == []


async def test_who_lets_answers_pile_up_is_cut() -> None:
    async with joined("network") as (one, other):
        other.link.pause()
        for count in range(18):
            assert not one.lost_ and one.link.unsent() == max(0, count - 1) * MAX_UNSENT
            one.link.send(bytes(MAX_UNSENT))
            other.link.send(b"more")
            await asyncio.sleep(WAIT)
        assert one.lost_


# Calling


@contextlib.asynccontextmanager
async def silence() -> AsyncIterator[Address]:
    """Where connections are accepted and nothing is said."""
    [bound] = table_server.bound(0, loopback_only=True)[:1]
    await asyncio.get_running_loop().create_server(asyncio.Protocol, sock=bound)
    yield Address("127.0.0.1", bound.getsockname()[1])
    bound.close()


async def test_a_call_takes_no_longer_than_it_may() -> None:
    async with silence() as address:
        for where in (Address("192.0.2.1", 1), address):
            begun, end = now(), End()
            with pytest.raises(TimeoutError):
                await dial(end, where)
            assert now() - begun == pytest.approx(CONNECT_TIMEOUT, abs=0.5)
            assert not end.opened_
