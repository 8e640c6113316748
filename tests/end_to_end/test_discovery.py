"""How soon a table is seen, and how soon one that died is gone, on good networks and bad ones."""

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

SEEN_TIMEOUT = 0.5
"""Seconds from the opening of a table to its row in the lists."""

GONE_TIMEOUT = 3.0
"""Seconds from the death of a table to the end of its row."""

BACK_TIMEOUT = 1.5
"""Seconds from the return of a link to that of a row: the next beacon, and a lost packet."""

PATIENCE = 8.0
"""Seconds after which a test gives up; the times above are asserted from what was printed."""

OTHER_PORT = DEFAULT_PORT + 7
"""Nobody asks there without being told."""


@dataclass(frozen=True)
class Network:
    """A kind of network, and where the host and the guest are on it."""

    change: Callable[[Bridge], None]
    guest: int = 2


def leave(bridge: Bridge) -> None:
    """As it comes."""


def filter_multicast(bridge: Bridge) -> None:
    """Multicast is dropped in both directions, as on some Wi-Fi; broadcast is left."""
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
    """Wait until the IPv6 addresses are there: at first they might be somebody else's."""
    end = time.monotonic() + PATIENCE
    for index in (1, 2):
        while True:
            told = bridge.run(index, ["ip", "-6", "addr", "show", "dev", "eth0"]).stdout
            if "inet6 fe80" in told and "tentative" not in told:
                break
            assert time.monotonic() < end, told
            await asyncio.sleep(0.05)


async def opened(table: Program) -> float:
    """When a table began to listen."""
    await table.until(lambda state: "opened" in state, PATIENCE)
    return float(table.state["opened"])


@pytest.mark.parametrize("name", NETWORKS)
async def test_a_new_table_is_seen_at_once_and_a_killed_one_is_soon_gone(name: str) -> None:
    async with (
        listening(NETWORKS[name]) as (bridge, guest),
        host(bridge, 1, "North", OTHER_PORT) as north,
    ):
        await guest.sees("North", within=PATIENCE)
        seen = guest.at - await opened(north)
        north.kill()
        killed = time.monotonic()
        await guest.sees(within=PATIENCE)
        gone = guest.at - killed
    print(f"{name}: seen {seen:.3f} s after it opened, gone {gone:.3f} s after it was killed")
    assert seen < SEEN_TIMEOUT
    assert gone < GONE_TIMEOUT


@pytest.mark.parametrize("name", ["a good network", "multicast filtered", "IPv6 only"])
async def test_a_table_behind_a_cut_is_soon_gone_and_comes_back(name: str) -> None:
    async with (
        listening(NETWORKS[name]) as (bridge, guest),
        host(bridge, 1, "North", OTHER_PORT),
    ):
        await guest.sees("North", within=PATIENCE)
        bridge.isolate(1, 2)
        cut = time.monotonic()
        await guest.sees(within=PATIENCE)
        gone = guest.at - cut
        bridge.isolate(1, 2, on=False)
        healed = time.monotonic()
        await guest.sees("North", within=PATIENCE)
        back = guest.at - healed
    print(f"{name}: gone {gone:.3f} s after the cut, back {back:.3f} s after it healed")
    assert gone < GONE_TIMEOUT
    assert back < BACK_TIMEOUT


async def test_many_people_on_one_machine_all_see_its_tables() -> None:
    async with (
        listening(NETWORKS["loopback only"]) as (bridge, one),
        look(bridge, 1) as other,
        host(bridge, 1, "North", OTHER_PORT) as north,
        host(bridge, 1, "South", OTHER_PORT + 1) as south,
    ):
        last = max(await opened(north), await opened(south))
        for guest in (one, other):
            await guest.sees("North", "South", within=PATIENCE)
            assert guest.at - last < SEEN_TIMEOUT
