"""Attacks by a stranger on the network, with real sockets; each test is named after one."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import secrets
import socket
from asyncio import StreamReader, StreamWriter

import pytest

from protocol.guest.effects import CodeWanted
from protocol.wire.messages import Farewell
from spoof_tui.network import table_server as servers
from spoof_tui.network.addresses import Address
from spoof_tui.network.links import Owner, dial
from spoof_tui.network.tls import client_context
from spoof_tui.runtime.notices import Ended, TurnedAway
from tests.attacks import siege
from tests.benchmarks.company import Company
from tests.benchmarks.siege import ADDRESSES, besieging, memory_of, play_round
from tests.benchmarks.stage import Stage
from tests.spoof_tui.network import greeter
from tests.spoof_tui.runtime.local_table import LIMIT, LocalTable, Sitter, Wire, local_table, until

MAX_MEMORY = 64 * 1024 * 1024


async def listening(table: LocalTable) -> int:
    """The port at which the table listens from now on."""
    table.port = await table.server.start(servers.bound(0, loopback_only=True))
    return table.port


def over_tcp(table: LocalTable, port: int, code: str | None) -> Sitter:
    """Somebody who joins over the network, and has typed a code."""

    async def connect(owner: Owner) -> None:
        await dial(owner, Address("127.0.0.1", port))

    sitter = table.seat("Maria", wire=Wire(connect))
    if code is not None:
        sitter.session.use_code(code)
    return sitter


Links = list[tuple[bytearray, bytearray]]
"""What guest and host said on every connection, in the order of connecting."""


def relaying(target: int, links: Links) -> greeter.Handler:
    """Carry every connection on to the port of a host, and record what is said inside of TLS.

    With the certificate of that host, both ends take it for each other.
    """

    async def pump(reader: StreamReader, writer: StreamWriter, record: bytearray) -> None:
        with contextlib.closing(writer), contextlib.suppress(OSError):
            while data := await reader.read(65536):
                record += data
                writer.write(data)

    async def relay(reader: StreamReader, writer: StreamWriter) -> None:
        there, back = await asyncio.open_connection("127.0.0.1", target, ssl=client_context())
        links.append((said := bytearray(), heard := bytearray()))
        await asyncio.gather(pump(reader, back, said), pump(there, writer, heard))

    return relay


def from_guest(links: Links) -> bytes:
    """What the guest said on the longest connection; the others are probes."""
    return bytes(max(links, key=lambda link: len(link[1]))[0])


async def test_a_man_in_the_middle_with_a_certificate_of_his_own_passes_the_right_code_on() -> None:
    links: Links = []
    async with local_table(locked=True) as table:
        relay = relaying(await listening(table), links)
        async with greeter.listening(relay, seed=secrets.token_bytes(32)) as middle:
            victim = over_tcp(table, middle.port, table.server.host.admission.code)
            await until(lambda: links and victim.told(TurnedAway))
            assert victim.told(TurnedAway)[0].why is Farewell.WRONG_PROOF
            assert not table.server.host.table.seats


async def test_a_man_in_the_middle_waits_for_somebody_who_comes_back() -> None:
    links: Links = []
    async with local_table() as table:
        port = await listening(table)
        victim = over_tcp(table, port, None)
        await until(lambda: victim.sits)
        relay = relaying(port, links)
        async with greeter.listening(relay, seed=secrets.token_bytes(32)) as middle:

            async def astray(owner: Owner) -> None:
                await dial(owner, middle)

            victim.wire._connect = astray
            victim.wire.cut()
            await until(lambda: victim.told(TurnedAway))
            assert victim.told(TurnedAway)[0].why is Farewell.IMPOSTOR
            assert from_guest(links) == b""


async def test_a_man_in_the_middle_opens_a_table_of_his_own_for_whoever_typed_a_code() -> None:
    async with local_table(locked=True) as table, local_table(locked=False) as his:
        await listening(table)
        victim = over_tcp(his, await listening(his), table.server.host.admission.code)
        await until(lambda: victim.told(Ended))
        assert victim.told(Ended)[0].why is Farewell.NO_PROOF
        assert not his.server.host.table.seats


async def test_recorded_traffic_is_played_again() -> None:
    links: Links = []
    async with local_table(locked=True) as table:
        port = await listening(table)
        relay = relaying(port, links)
        async with greeter.listening(relay, seed=table.server._key.seed) as recorder:
            honest = over_tcp(table, recorder.port, table.server.host.admission.code)
            await until(lambda: honest.sits)
            said = from_guest(links)
        await honest.crash()
        await until(lambda: table.server.host.table.seats[0].away)
        length = len(table.server.host.log)
        async with siege.secret(port) as (reader, writer):
            writer.write(said)
            assert b"wrong-proof" in await asyncio.wait_for(reader.read(), LIMIT)
        assert len(table.server.host.log) == length


async def test_somebody_without_the_code_is_asked_for_it() -> None:
    async with local_table(locked=True) as table:
        stranger = over_tcp(table, await listening(table), None)
        await until(lambda: stranger.told(CodeWanted))
        assert stranger.told(CodeWanted)[0].why is Farewell.NO_CODE
        assert len(table.server.host.log) == 1


@pytest.mark.parametrize(
    "trick",
    [
        siege.half_a_frame,
        siege.impossible_length,
        siege.deep_nesting,
        siege.noise,
        siege.noise_in_tls,
        siege.stale_hello,
    ],
    ids=lambda trick: trick.__name__,
)
async def test_a_trick_changes_nothing_and_leaves_nothing_behind(trick: siege.Trick) -> None:
    async with local_table() as table:
        port = await listening(table)
        sitter = over_tcp(table, port, None)
        await until(lambda: sitter.sits)
        length = len(table.server.host.log)
        attack = asyncio.gather(*(trick(port) for _ in range(5)), return_exceptions=True)
        sitter.session.ready()
        await until(lambda: len(table.server.host.log) == length + 1)
        attack.cancel()
        await asyncio.gather(attack, return_exceptions=True)
        await until(lambda: len(table.server._links) == 1)


@pytest.mark.parametrize("addresses", ADDRESSES)
def test_thousands_of_connections_and_every_trick_at_once_do_not_stop_a_game(
    addresses: int,
) -> None:
    with Stage() as stage:
        port = stage.host()
        with Company(Address("127.0.0.1", port), ("Ann", "Bo", "Cy")) as company:
            company.wait(lambda: len(company.view.seats) == 3)
            play_round(company)
            resting = memory_of(stage.pids[0])
            with besieging(port, addresses) as stranger:
                for _ in range(3):
                    play_round(company)
                assert stranger.stdout
                while int(stranger.stdout.readline()) < 3_000:
                    pass
                assert memory_of(stage.pids[0]) - resting < MAX_MEMORY
            play_round(company)


async def test_a_port_is_held_by_whoever_connects_first() -> None:
    async with local_table() as table:
        port = await listening(table)
        knock = functools.partial(socket.create_connection, ("127.0.0.1", port))
        held = [knock() for _ in range(40)]
        try:
            sitter = over_tcp(table, port, None)
            await until(lambda: sitter.sits)
        finally:
            for each in held:
                each.close()
