"""Tables that open, die, and are cut off, in the lists of others, on good networks and bad ones."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass

import pytest

from spoof_tui.network.addresses import DEFAULT_PORT
from tests.helpers.namespaces import Bridge, why_not
from tests.spoof_tui.network.programs import Program, host, look

OBSTACLE = why_not()

pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")

PATIENCE = 8.0
"""Seconds after which a test gives up; `python -m tests.benchmarks lobby` measures the times."""

OTHER_PORT = DEFAULT_PORT + 7
"""An address where nobody asks without being told to."""


@dataclass(frozen=True)
class Network:
    """A kind of network, and where the host and the guest are on it."""

    change: Callable[[Bridge], None]
    guest: int = 2


def leave(bridge: Bridge) -> None:
    """As it comes."""


def filter_multicast(bridge: Bridge) -> None:
    """Multicast is dropped in both directions, as on some Wi-Fi; broadcast still works."""
    for index in (1, 2):
        bridge.filter_multicast(index)


def without_ipv4(bridge: Bridge) -> None:
    """Only the IPv6 addresses that every link has."""
    for index in (1, 2):
        bridge.run(index, ["ip", "-4", "addr", "flush", "dev", "eth0"])


def without_network(bridge: Bridge) -> None:
    """Loopback alone, without a route."""
    bridge.run(1, ["ip", "link", "set", "eth0", "down"])
    bridge.run(1, ["ip", "addr", "flush", "dev", "eth0"])


NETWORKS = {
    "a good network": Network(leave),
    "loopback only": Network(without_network, guest=1),
    "multicast filtered": Network(filter_multicast),
    "IPv6 only": Network(without_ipv4),
}


@contextlib.asynccontextmanager
async def listening(network: Network) -> AsyncIterator[tuple[Bridge, Program]]:
    """A bridge like that, with a guest who looks at an empty list."""
    with Bridge(2) as bridge:
        await until_ready(bridge)
        network.change(bridge)
        async with look(bridge, network.guest) as guest:
            yield bridge, guest


async def until_ready(bridge: Bridge) -> None:
    """Wait until the IPv6 addresses are usable: at first they might belong to somebody else."""
    end = time.monotonic() + PATIENCE
    for index in (1, 2):
        while True:
            told = bridge.run(index, ["ip", "-6", "addr", "show", "dev", "eth0"]).stdout
            if "inet6 fe80" in told and "tentative" not in told:
                break
            assert time.monotonic() < end, told
            await asyncio.sleep(0.05)


@pytest.mark.parametrize("name", NETWORKS)
async def test_a_list_has_the_tables_that_are_there(name: str) -> None:
    async with (
        listening(NETWORKS[name]) as (bridge, guest),
        look(bridge, NETWORKS[name].guest) as neighbour,
        host(bridge, 1, "North", OTHER_PORT) as north,
        host(bridge, 1, "South", OTHER_PORT + 1),
    ):
        # Two people on one machine share a port, and both hear of everything.
        for each in (guest, neighbour):
            await each.sees("North", "South", within=PATIENCE)
        north.kill()
        await guest.sees("South", within=PATIENCE)
        if NETWORKS[name].guest != 1:
            bridge.isolate(1, 2)
            await guest.sees(within=PATIENCE)
            bridge.isolate(1, 2, on=False)
            await guest.sees("South", within=PATIENCE)
