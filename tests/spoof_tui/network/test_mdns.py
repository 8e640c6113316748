"""The mDNS endpoint, on a network that is made up."""

from __future__ import annotations

import asyncio
import errno
import sys
from ipaddress import IPv4Interface
from types import SimpleNamespace
from typing import cast
from unittest.mock import Mock

import pytest
import zeroconf.asyncio
from zeroconf import IPVersion
from zeroconf.asyncio import AsyncZeroconf

from spoof_tui.network import mdns
from spoof_tui.network.addresses import Interface
from spoof_tui.network.mdns import MdnsEndpoint

LAN: tuple[Interface, ...] = (IPv4Interface("10.0.0.5/24"),)
OTHER_LAN: tuple[Interface, ...] = (IPv4Interface("10.99.0.7/24"),)
LOOPBACK: tuple[Interface, ...] = (IPv4Interface("127.0.0.1/8"),)


class Network:
    """What this machine has, and what zeroconf does with it."""

    def __init__(self) -> None:
        self.interfaces = LAN
        self.error: Exception | None = None
        """What everything fails with."""
        self.opened = 0
        self.updated = 0
        self.closed = 0
        self.says_goodbye = asyncio.Event()
        self.says_goodbye.set()
        self.sockets = 0

    def own_interfaces(self) -> tuple[Interface, ...]:
        return self.interfaces

    async def open(self) -> AsyncZeroconf:
        if self.error:
            raise self.error
        self.opened += 1
        self.sockets = 1
        running = Mock(**{"engine.close": self.close_sockets})
        endpoint = SimpleNamespace(
            zeroconf=running, async_update_interfaces=self.update, async_close=self.close
        )
        return cast(AsyncZeroconf, endpoint)

    async def update(self) -> None:
        if self.error:
            raise self.error
        self.updated += 1

    async def close(self) -> None:
        await self.says_goodbye.wait()
        self.closed += 1

    def close_sockets(self) -> None:
        self.sockets = 0


@pytest.fixture
def network(monkeypatch: pytest.MonkeyPatch) -> Network:
    network = Network()
    monkeypatch.setattr(mdns, "own_interfaces", network.own_interfaces)
    monkeypatch.setattr(mdns, "_open", network.open)
    return network


class Endpoint(MdnsEndpoint):
    """An endpoint that remembers its troubles."""

    def __init__(self) -> None:
        self.troubles: list[str | None] = []
        super().__init__(self.troubles.append)

    async def look(self) -> list[bool]:
        """Whether the addresses of this machine changed; nothing if that failed."""
        changed = []
        async with self.attempt():
            changed.append(await self.refresh())
        return changed


async def test_it_is_opened_once_and_follows_the_adapters(network: Network) -> None:
    endpoint = Endpoint()
    assert [await endpoint.look() for _ in range(3)] == [[True], [False], [False]]
    assert (network.opened, network.updated) == (1, 2)
    assert (endpoint.interfaces, endpoint.troubles) == (LAN, [])


async def test_its_sockets_are_closed_also_where_its_goodbyes_are_broken_off(
    network: Network,
) -> None:
    endpoint = Endpoint()
    await endpoint.look()
    network.says_goodbye.clear()
    closing = asyncio.create_task(endpoint.close())
    await asyncio.sleep(0)
    open_before = network.sockets
    closing.cancel()
    await asyncio.gather(closing, return_exceptions=True)
    assert (open_before, network.sockets, network.closed) == (1, 0, 0)


async def test_other_addresses_are_a_change(network: Network) -> None:
    endpoint = Endpoint()
    await endpoint.look()
    before, network.interfaces = endpoint.zeroconf, OTHER_LAN
    assert await endpoint.look() == [True]
    assert (endpoint.interfaces, endpoint.zeroconf) == (OTHER_LAN, before)


async def test_a_machine_without_adapters_opens_nothing_until_it_has_one(network: Network) -> None:
    endpoint = Endpoint()
    network.interfaces = ()
    await endpoint.look()
    assert endpoint.trouble and "no network at all" in endpoint.trouble
    assert network.opened == 0
    network.interfaces = LAN
    await endpoint.look()
    assert (endpoint.troubles[1:], network.opened) == ([None], 1)


async def test_loopback_alone_is_opened_and_said(network: Network) -> None:
    endpoint = Endpoint()
    network.interfaces = LOOPBACK
    await endpoint.look()
    assert endpoint.trouble and "not on a network" in endpoint.trouble
    assert endpoint.zeroconf


async def test_a_system_that_denies_the_network_is_trouble_until_it_is_allowed(
    network: Network,
) -> None:
    denied, troubles = [True], list[str | None]()
    endpoint = MdnsEndpoint(troubles.append, lambda: bool(denied))
    await endpoint.refresh()
    denied.clear()
    await endpoint.refresh()
    assert troubles[0] and "System Settings" in troubles[0]
    assert troubles[1:] == [None]


@pytest.mark.parametrize(
    ("platform", "version"), [("linux", IPVersion.All), ("darwin", IPVersion.V4Only)]
)
async def test_a_system_that_cannot_mix_them_has_ipv4_groups(
    platform: str, version: IPVersion, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def refuse(interfaces: object, ip_version: IPVersion) -> None:
        asked.append(ip_version)
        raise OSError

    monkeypatch.setattr(zeroconf.asyncio, "AsyncZeroconf", refuse)
    monkeypatch.setattr(mdns, "_has_ipv6", lambda: True)
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(OSError):
        await mdns._open()
    assert asked == [version]


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENODEV, "No such device"), "No such device"),
        (OSError(errno.EADDRINUSE, "Address already in use"), "5353"),
        (RuntimeError("No interfaces to listen on"), "No interfaces"),
        (RuntimeError(), "RuntimeError"),
    ],
)
async def test_what_fails_is_trouble_until_it_works(
    network: Network, error: Exception, words: str
) -> None:
    endpoint = Endpoint()
    network.error = error
    for _ in range(2):
        assert await endpoint.look() == []
    assert endpoint.trouble and words in endpoint.trouble
    network.error = None
    await endpoint.look()
    assert endpoint.troubles[1:] == [None], "each trouble is told once"


async def test_an_endpoint_that_breaks_is_closed_and_replaced(network: Network) -> None:
    endpoint = Endpoint()
    await endpoint.look()
    before, network.error = endpoint.zeroconf, OSError(errno.ENETDOWN, "Network is down")
    await endpoint.look()
    assert network.closed == 1
    network.error = None
    await endpoint.look()
    assert endpoint.zeroconf not in (None, before)


async def test_a_defect_of_the_program_is_no_trouble_of_the_network(network: Network) -> None:
    endpoint = Endpoint()
    with pytest.raises(ZeroDivisionError):
        async with endpoint.attempt():
            raise ZeroDivisionError
    assert endpoint.troubles == []


async def test_it_can_be_closed_at_any_time(network: Network) -> None:
    endpoint = Endpoint()
    await endpoint.close()
    await endpoint.look()
    await endpoint.close()
    await endpoint.close()
    assert (network.closed, endpoint.zeroconf) == (1, None)
