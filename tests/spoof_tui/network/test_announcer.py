"""Making a table known, heard by plain zeroconf."""

import asyncio
import contextlib
import errno
from collections.abc import AsyncIterator
from dataclasses import replace
from ipaddress import IPv4Interface

import pytest
from zeroconf import IPVersion, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from protocol.wire.messages import Card
from spoof_tui.network import advert, announcer
from spoof_tui.network import mdns as multicast
from spoof_tui.network.addresses import own_addresses
from spoof_tui.network.advert import Advert
from spoof_tui.network.announcer import Announcer
from spoof_tui.network.mdns import SERVICE
from tests.spoof_tui.network.greeter import open_host, until

PORT = 40123
"""Nobody connects to it."""


class Ear:
    """What plain zeroconf knows of one table; the network may be full of others."""

    def __init__(self, card: Card) -> None:
        self.table = card.table[: advert.TABLE_BYTES]
        self.info: AsyncServiceInfo | None = None
        self.names: set[str] = set()
        """Every name under which it was ever advertised."""
        self.gone = 0

    def hear(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Removed:
            self.gone += name in self.names
            return
        info = AsyncServiceInfo(service_type, name)
        if info.load_from_cache(zeroconf) and advert.read(info.properties).table == self.table:
            self.info = info
            self.names.add(name)

    @property
    def hint(self) -> Advert:
        return advert.read(self.info.properties) if self.info else Advert()


@contextlib.asynccontextmanager
async def listening_for(card: Card) -> AsyncIterator[Ear]:
    ear = Ear(card)
    endpoint = AsyncZeroconf(ip_version=IPVersion.V4Only)
    browser = AsyncServiceBrowser(endpoint.zeroconf, SERVICE, [ear.hear])
    try:
        yield ear
    finally:
        await browser.async_cancel()
        await endpoint.async_close()


async def test_a_table_is_advertised_until_it_closes() -> None:
    card = open_host().card
    async with listening_for(card) as ear:
        teller = Announcer()
        await teller.start(card, PORT)
        try:
            await until(lambda: ear.info is not None)
            assert teller.trouble is None
            assert ear.info is not None
            assert ear.info.port == PORT
            assert set(ear.info.parsed_addresses()) == set(own_addresses())
            assert ear.hint.name == card.name
        finally:
            await teller.close()
        await until(lambda: ear.gone == 1)
        assert len(ear.names) == 1


async def test_a_change_is_told() -> None:
    card = open_host().card
    async with listening_for(card) as ear:
        teller = Announcer()
        await teller.start(card, PORT)
        try:
            for taken in range(1, 9):
                teller.update(replace(card, taken=taken))
            assert await until(lambda: ear.hint.taken == 8) < 3
        finally:
            await teller.close()
        await until(lambda: ear.gone == 1)


async def test_nothing_is_announced_after_the_goodbye() -> None:
    teller = Announcer()
    await teller.start(open_host().card, PORT)
    await teller.close()
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_it_can_be_closed_without_a_start() -> None:
    await Announcer().close()


async def test_it_can_be_closed_while_it_starts() -> None:
    teller = Announcer()
    starting = asyncio.create_task(teller.start(open_host().card, PORT))
    await asyncio.sleep(0)
    starting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await starting
    await teller.close()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at the network all the time."""
    monkeypatch.setattr(announcer, "LOOK_INTERVAL", 0.02)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OSError(errno.ENODEV, "No such device"), "No such device"),
        (OSError(errno.EADDRINUSE, "Address already in use"), "5353"),
        (RuntimeError("No interfaces to listen on"), "No interfaces"),
    ],
)
@pytest.mark.usefixtures("quick")
async def test_a_network_that_fails_is_trouble_until_it_works(
    error: Exception, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail() -> AsyncZeroconf:
        raise error

    works = multicast._open
    monkeypatch.setattr(multicast, "_open", fail)
    card, heard = open_host().card, list[str | None]()
    teller = Announcer(heard.append)
    await teller.start(card, PORT)
    try:
        assert teller.trouble is not None
        assert words in teller.trouble
        monkeypatch.setattr(multicast, "_open", works)
        async with listening_for(card) as ear:
            await until(lambda: ear.info is not None)
            assert heard[0] is not None
            assert heard[1:] == [None]
    finally:
        await teller.close()


@pytest.mark.usefixtures("quick")
async def test_an_endpoint_that_breaks_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    card = open_host().card
    teller = Announcer()
    await teller.start(card, PORT)
    try:
        with monkeypatch.context() as broken:

            async def fail(_: AsyncZeroconf) -> None:
                raise OSError(errno.ENETDOWN, "Network is down")

            broken.setattr(AsyncZeroconf, "async_update_interfaces", fail)
            await until(lambda: teller.trouble is not None)
        async with listening_for(card) as ear:
            await until(lambda: teller.trouble is None)
            await until(lambda: ear.info is not None)
    finally:
        await teller.close()


@pytest.mark.usefixtures("quick")
async def test_new_addresses_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    card = open_host().card
    teller = Announcer()
    async with listening_for(card) as ear:
        await teller.start(card, PORT)
        try:
            await until(lambda: ear.info is not None)
            moved = (IPv4Interface("10.99.0.7/24"),)
            monkeypatch.setattr(multicast, "own_interfaces", lambda: moved)
            await until(lambda: ear.info is not None and "10.99.0.7" in ear.info.parsed_addresses())
            assert len(ear.names) == 1
        finally:
            await teller.close()


@pytest.mark.usefixtures("quick")
async def test_no_adapter_is_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    teller = Announcer()
    try:
        with monkeypatch.context() as unplugged:
            unplugged.setattr(multicast, "own_interfaces", lambda: ())
            await teller.start(open_host().card, PORT)
            assert teller.trouble is not None
        await until(lambda: teller.trouble is None)
    finally:
        await teller.close()


async def test_loopback_alone_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = (IPv4Interface("127.0.0.1/8"),)
    monkeypatch.setattr(multicast, "own_interfaces", lambda: alone)
    card = open_host().card
    teller = Announcer()
    async with listening_for(card) as ear:
        await teller.start(card, PORT)
        try:
            assert teller.trouble is not None
            assert "on no network" in teller.trouble
            await until(lambda: ear.info is not None)
        finally:
            await teller.close()
