"""Finding tables between computers, on networks that change and fail."""

import signal

import pytest

from spoof_tui.network.addresses import DEFAULT_PORT
from tests.helpers.namespaces import Bridge, why_not
from tests.spoof_tui.network.programs import host, look, running, together

OBSTACLE = why_not()

pytestmark = [
    pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or ""),
]

OTHER_PORT = DEFAULT_PORT + 1

HOG = """
import socket
hog = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
hog.bind(("", 5353))
print('{"here": true}', flush=True)
input()
"""


async def test_three_computers() -> None:
    with Bridge(3) as bridge:
        async with (
            together(host(bridge, 1, "North"), look(bridge, 3)) as (_, guest),
            host(bridge, 2, "South") as south,
        ):
            await guest.sees("North", "South", within=3)
            assert guest.state["tables"] == {"North": bridge.address(1), "South": bridge.address(2)}
            assert guest.state["trouble"] is None
            south.kill()
            assert await guest.sees("North", within=6) < 6


async def test_a_table_that_closes_is_gone_at_once() -> None:
    with Bridge(2) as bridge:
        async with together(host(bridge, 1, "North"), look(bridge, 2)) as (north, guest):
            await guest.sees("North", within=3)
            north.kill(signal.SIGTERM)
            await guest.sees(within=1.5)
            await north.until(lambda state: "closed" in state, within=2)


async def test_a_pulled_cable_and_its_return() -> None:
    with Bridge(2) as bridge:
        async with together(host(bridge, 1, "North"), look(bridge, 2)) as (_, guest):
            await guest.sees("North", within=3)
            bridge.cut(1)
            await guest.sees(within=6)
            bridge.heal(1)
            await guest.sees("North", within=10)


async def test_people_on_one_computer() -> None:
    with Bridge(1) as bridge:
        async with together(
            host(bridge, 1, "North", OTHER_PORT),
            host(bridge, 1, "South", OTHER_PORT + 1),
            look(bridge, 1),
            look(bridge, 1),
        ) as (_, _, one, other):
            await one.sees("North", "South", within=4)
            await other.sees("North", "South", within=4)


async def test_the_usual_port_is_found_without_any_network() -> None:
    with Bridge(1) as bridge:
        bridge.run(1, ["ip", "addr", "flush", "dev", "eth0"])
        bridge.run(1, ["ip", "link", "set", "eth0", "down"])
        async with together(host(bridge, 1, "North"), look(bridge, 1)) as (north, guest):
            await guest.sees("North", within=3)
            await guest.is_well(False)
            assert "not on a network" in guest.state["trouble"]
            assert "not on a network" in north.state["trouble"]


async def test_a_network_that_comes_late() -> None:
    with Bridge(2) as bridge:
        unplug(bridge, 1)
        unplug(bridge, 2)
        async with together(host(bridge, 1, "North"), look(bridge, 2)) as (north, guest):
            await guest.is_well(False)
            assert "no network at all" in guest.state["trouble"]
            assert "no network at all" in north.state["trouble"]
            for index in (1, 2):
                plug(bridge, index, bridge.address(index))
            await north.is_well()
            await guest.is_well()
            await guest.sees("North", within=6)


def unplug(bridge: Bridge, index: int) -> None:
    """No address, not even loopback."""
    bridge.run(index, ["ip", "addr", "flush", "dev", "eth0"])
    bridge.run(index, ["ip", "link", "set", "lo", "down"])
    bridge.run(index, ["ip", "addr", "flush", "dev", "lo"])


def plug(bridge: Bridge, index: int, address: str) -> None:
    bridge.run(index, ["ip", "link", "set", "lo", "up"])
    bridge.run(index, ["ip", "addr", "add", f"{address}/24", "dev", "eth0"])


@pytest.mark.parametrize("mover", [1, 2])
async def test_who_moves_to_another_network_is_found_there(mover: int) -> None:
    with Bridge(2) as bridge:
        async with together(host(bridge, 1, "North"), look(bridge, 2)) as (_, guest):
            await guest.sees("North", within=3)
            bridge.run(mover, ["ip", "addr", "flush", "dev", "eth0"])
            await guest.sees(within=6)
            plug(bridge, mover, "10.77.0.50")
            await guest.sees("North", within=10)
            assert guest.state["tables"]["North"] == "10.77.0.50" if mover == 1 else "10.77.0.1"
            await guest.is_well()


async def test_a_port_that_another_program_keeps() -> None:
    with Bridge(2) as bridge:
        async with (
            running(bridge, 1, "-c", HOG) as hog,
            together(host(bridge, 1, "North"), look(bridge, 2)) as (north, guest),
        ):
            assert "5353" in north.state["trouble"]
            hog.kill()
            await north.is_well()
            await guest.sees("North", within=6)
