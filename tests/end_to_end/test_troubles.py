"""Each trouble of a network, made in namespaces: lobby, guest and host say what it is."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from spoof_tui.network.addresses import DEFAULT_PORT
from tests.end_to_end.programs import Program, running
from tests.helpers import warm
from tests.helpers.namespaces import Bridge, why_not

OBSTACLE = why_not()

pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")

PROGRAM = ("-m", "tests.end_to_end.troubled")
HOST, GUEST, OTHER = 1, 2, 3
LIMIT = 150.0
"""Seconds within which everything is said on a busy machine."""

PARTS = 3
"""Tests among which the cases are divided; the cases of one test run side by side, each on its own
network."""

State = dict[str, Any]


def nothing(bridge: Bridge) -> None:
    """All is well."""


@dataclass(frozen=True)
class Trouble:
    """What is done to a network, and what its programs say about that."""

    name: str
    lobby: Sequence[str] | None = ()
    """The first problem that a lobby finds; empty: it lists the table."""
    perhaps: Sequence[str] = ()
    """The same for a lobby that may list the table before or after, depending on luck."""
    join: Sequence[str] = ()
    """The same for a guest who types the host's address; empty: the guest sits down."""
    host: Sequence[str] | None = None
    """The same for the host; None: nothing is expected of it."""
    refused: str = ""
    """The error that keeps the guest out at once; empty: the others say enough."""
    doctor: str = ""
    """The first finding of `spoof doctor` about the host's address; empty: it is not asked."""
    figure: tuple[float, float] | None = None
    """The figures between which that one is."""
    noted: str = ""
    """What a lobby notes if it finds neither a problem nor a table."""
    before: Callable[[Bridge], None] = nothing
    after: Callable[[Bridge], None] = nothing
    """Done before the host is there, and after that, before the guest comes."""
    roles: Sequence[tuple[int, str]] = ((HOST, "host"),)
    address: str = ""
    """The address that the guest types; empty: the host's."""


def with_loss(bridge: Bridge) -> None:
    """A radio network that loses packets and whose members have heard of each other before."""
    bridge.slow_down(GUEST, 0.01, loss=0.22)
    bridge.introduce()


def tell(bridge: Bridge, index: int, *lines: str) -> None:
    """Do this inside of a namespace."""
    for line in lines:
        result = bridge.run(index, ["sh", "-c", line])
        assert result.returncode == 0, (line, result.stderr)


def without_discovery(bridge: Bridge) -> None:
    bridge.introduce()
    for index in (HOST, GUEST, OTHER):
        bridge.filter_multicast(index)
        bridge.filter_broadcast(index)


def without_multicast(bridge: Bridge) -> None:
    for index in (HOST, GUEST):
        bridge.filter_multicast(index)


def with_tunnel(bridge: Bridge) -> None:
    tell(
        bridge,
        GUEST,
        "echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6",
        "ip link add wg0 type veth peer name wg1",
        "ip link set wg1 up",
        "ip addr add 10.99.0.2/24 dev wg0",
        "ip link set wg0 up",
        "ip route add 10.77.0.0/24 dev wg0 src 10.99.0.2 table 100",
        "ip rule add to 10.77.0.0/24 lookup 100",
    )


def with_other_network(bridge: Bridge) -> None:
    tell(
        bridge,
        GUEST,
        "ip link add lan1 type veth peer name lan2",
        "ip link set lan2 up",
        "ip addr add 10.88.0.2/24 dev lan1",
        "ip link set lan1 up",
    )


HOG = """
import socket, time
hog = socket.socket(socket.AF_INET, socket.SOCK_@)
hog.bind(("", PORT))
print('{"is_there": true}', flush=True)
time.sleep(999)
"""
"""Keeps a port for itself."""

HOGS = {
    "tcp": HOG.replace("@", "STREAM").replace("PORT", str(DEFAULT_PORT)),
    "udp": HOG.replace("@", "DGRAM").replace("PORT", str(DEFAULT_PORT)),
    "mdns": HOG.replace("@", "DGRAM").replace("PORT", "5353"),
}

SIGN_IN = """
import socket
page = socket.create_server(("192.0.2.1", 80))
print('{"is_there": true}', flush=True)
while True:
    asked = page.accept()[0]
    asked.recv(999)
    asked.sendall(SAYING)
    asked.close()
"""

REDIRECT = b"HTTP/1.1 302 Found\r\nLocation: http://sign.in/\r\n\r\n"


def with_sign_in(bridge: Bridge) -> None:
    tell(bridge, HOST, "ip addr add 192.0.2.1/32 dev lo")
    tell(bridge, GUEST, f"ip route add default via {bridge.address(HOST)}")


def without_address(bridge: Bridge) -> None:
    tell(
        bridge,
        GUEST,
        "echo 1 > /proc/sys/net/ipv6/conf/eth0/disable_ipv6",
        "ip addr flush dev eth0",
    )


def without_ipv4(bridge: Bridge) -> None:
    tell(bridge, GUEST, "ip -4 addr flush dev eth0")


def with_deaf_guests(bridge: Bridge) -> None:
    for index in (GUEST, OTHER):
        bridge.drop_incoming(index, "udp")


def with_deaf_host(bridge: Bridge) -> None:
    bridge.isolate(HOST, GUEST)
    bridge.drop_incoming(HOST, "udp")


def shut(bridge: Bridge, *indices: int) -> None:
    for index in indices:
        bridge.drop_incoming(index, "tcp")


TROUBLES = [
    Trouble("all is well", host=()),
    Trouble("multicast is filtered", before=without_multicast, host=()),
    Trouble("discovery is filtered", before=without_discovery, lobby=None, noted="quiet",
            join=["other-network"], address="10.9.9.9"),
    Trouble("discovery is filtered, and the address is typed", before=without_discovery,
            lobby=None, doctor="discovery-filtered"),
    Trouble("the cable is out", lobby=["no-carrier"], join=["no-carrier"],
            after=lambda bridge: bridge.cut(GUEST)),
    Trouble("the host's cable is out", lobby=None, join=["nobody-there"], host=["no-carrier"],
            after=lambda bridge: bridge.cut(HOST)),
    Trouble("no address", lobby=["no-address"], join=["no-address"], before=without_address),
    Trouble("no IPv4", join=["no-ipv4"], before=without_ipv4, host=()),
    Trouble("the guest's firewall", lobby=["own-firewall"], join=["own-firewall"],
            before=with_deaf_guests,
            roles=[(HOST, "host"), (OTHER, "seated")], address="10.9.9.9"),
    Trouble("the host's firewall drops UDP, and nobody comes", host=["own-firewall"], lobby=None,
            join=["nobody-there"], before=with_deaf_host),
    Trouble("the host's firewall drops TCP", lobby=["host-silent"], join=["host-silent"],
            host=["own-firewall-blocks-guests"], before=lambda bridge: shut(bridge, HOST)),
    Trouble("the host's firewall refuses", lobby=["host-refuses"], join=["host-refuses"],
            roles=[(HOST, "heard")]),
    Trouble("devices are kept apart", lobby=None, join=["nobody-there"], noted="quiet",
            before=lambda bridge: bridge.isolate(HOST, GUEST)),
    Trouble("devices are kept apart and heard", lobby=["isolated"], join=["isolated"],
            before=lambda bridge: shut(bridge, HOST, OTHER),
            roles=[(HOST, "host"), (OTHER, "host")]),
    Trouble("a sign-in page", lobby=["captive"], join=["captive"], address="198.51.100.7",
            before=with_sign_in, roles=[(HOST, "page")]),
    Trouble("a proxy that takes every connection", lobby=None, join=["other-network"],
            noted="quiet", address="198.51.100.7", before=with_sign_in, roles=[(HOST, "proxy")]),
    Trouble("a tunnel", lobby=["vpn"], join=["vpn"], before=with_tunnel),
    Trouble("another version", refused="OtherVersion", doctor="other-version",
            roles=[(HOST, "strange")]),
    Trouble("a slow network", doctor="slow-link", figure=(1.0, 1.9),
            before=lambda bridge: bridge.slow_down(GUEST, 1.0)),
    Trouble("a network that loses packets", doctor="lossy-link", figure=(0.1, 0.9),
            perhaps=["slow-link"],
            before=with_loss),
    Trouble("the host's port is taken", join=["other-address"], doctor="other-address",
            roles=[(HOST, "tcp"), (HOST, "host")]),
    Trouble("the port of tables is taken", doctor="port-taken",
            roles=[(GUEST, "udp"), (HOST, "host")]),
    Trouble("mDNS is held by another program", roles=[(GUEST, "mdns"), (HOST, "host")]),
    Trouble("several networks", lobby=None, join=["no-table"], noted="several-networks",
            before=with_other_network, roles=[(OTHER, "guest")]),
    Trouble("several networks, and a table on one", before=with_other_network),
    Trouble("another network", lobby=(), join=["other-network"], address="10.9.9.9"),
]  # fmt: skip


def contains(sign: str, state: State) -> bool:
    return sign in state


def words_of(bridge: Bridge, role: str) -> Sequence[str]:
    return [bridge.address(HOST)] if role in ("guest", "seated") else []


def start(
    bridge: Bridge, index: int, role: str, *words: str
) -> contextlib.AbstractAsyncContextManager[Program]:
    pages = {"page": REDIRECT, "proxy": b""}
    page = SIGN_IN.replace("SAYING", repr(pages.get(role)))
    small = HOGS | dict.fromkeys(pages, page)
    argv = ("-c", small[role]) if role in small else (*PROGRAM, role, *words)
    return running(bridge, index, *argv, within=LIMIT)


async def meet(trouble: Trouble) -> list[str]:
    """Make one trouble; returns what was not found as it should be."""
    async with contextlib.AsyncExitStack() as stack:
        # In a thread: many commands are waited for, and the other cases go on meanwhile.
        bridge = await asyncio.to_thread(Bridge(3).__enter__)
        stack.push_async_callback(asyncio.to_thread, bridge.__exit__, None, None, None)
        await asyncio.to_thread(trouble.before, bridge)
        hosts = []
        for index, role in trouble.roles:
            starting = start(bridge, index, role, *words_of(bridge, role))
            hosts.append(await stack.enter_async_context(starting))
            sign = {"host": "opened", "seated": "joined", "strange": "listens"}.get(
                role, "is_there"
            )
            await hosts[-1].until(partial(contains, sign), LIMIT)
        await asyncio.to_thread(trouble.after, bridge)
        told = next(
            (each for each, role in zip(hosts, trouble.roles, strict=True) if role[1] == "host"),
            hosts[0],
        )
        address = trouble.address or bridge.address(HOST)
        guest = await stack.enter_async_context(start(bridge, GUEST, "guest", address))
        return [
            f"{trouble.name}: {fault}"
            for fault in await asyncio.gather(
                faults_of_guest(guest, trouble),
                faults_of_host(told, trouble),
                faults_of_doctor(bridge, trouble),
            )
            if fault
        ]


async def faults_of_guest(guest: Program, trouble: Trouble) -> str:
    def is_known(state: State) -> bool:
        if trouble.lobby is None:
            lobby = not trouble.noted or bool(state.get("all_lobby"))
        else:
            lobby = bool(state.get("lobby") if trouble.lobby else state.get("tables"))
        if trouble.refused:
            return lobby and state.get("refused") == trouble.refused
        return lobby and bool(state.get("join") if trouble.join else state.get("joined"))

    with contextlib.suppress(AssertionError):
        await guest.until(is_known, LIMIT)
    state = guest.state
    is_right = (
        is_known(state)
        and (not trouble.join or state["join"][:1] == trouble.join)
        and (not trouble.lobby or state["lobby"][:1] == trouble.lobby)
        and (not trouble.noted or state["all_lobby"][0] == trouble.noted)
        and (trouble.lobby or state.get("lobby") in (None, [], trouble.perhaps))
    )
    return "" if is_right else f"the guest says {state}"


async def faults_of_doctor(bridge: Bridge, trouble: Trouble) -> str:
    if not trouble.doctor:
        return ""
    argv = [sys.executable, "-m", "spoof_tui", "doctor", bridge.address(HOST), "--json"]
    told = await asyncio.to_thread(bridge.run, GUEST, warm.words(argv), LIMIT)
    findings: list[dict[str, Any]] = json.loads(told.stdout)["findings"]
    first = next(iter(findings), dict[str, Any](code="", figure=None))
    least, most = trouble.figure or (-math.inf, math.inf)
    is_right = first["code"] == trouble.doctor and least <= (first["figure"] or 0) <= most
    return "" if is_right else f"the doctor says {findings}"


async def faults_of_host(host: Program, trouble: Trouble) -> str:
    if not trouble.host:
        return f"the host says {host.state}" if host.state.get("host") else ""
    with contextlib.suppress(AssertionError):
        await host.until(lambda state: bool(state.get("host")), LIMIT)
    return "" if host.state.get("host", [])[:1] == trouble.host else f"the host says {host.state}"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", range(PARTS))
async def test_each_trouble_is_found_first_where_it_is(part: int, state: Path) -> None:
    async with asyncio.TaskGroup() as tasks:
        found = [tasks.create_task(meet(trouble)) for trouble in TROUBLES[part::PARTS]]
    assert [fault for each in found for fault in each.result()] == []
