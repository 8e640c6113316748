"""The advert of a table: what it says, and how plain zeroconf hears it."""

import asyncio
import contextlib
import errno
import re
from collections.abc import AsyncIterator
from dataclasses import replace
from ipaddress import IPv4Interface
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import IPVersion, ServiceInfo, ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

import protocol
from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME, MAX_NUMBER
from protocol.rules.options import MAX_PLAYERS, Rules
from protocol.wire.messages import Card, State
from spoof_tui.network import adverts, mdns
from spoof_tui.network.addresses import own_addresses
from spoof_tui.network.adverts import Announcer, pairs_of, table_of
from spoof_tui.network.beacon import TABLE_BYTES
from spoof_tui.network.mdns import SERVICE
from tests.spoof_tui.network.greeter import open_host, until

PAGE = Path(protocol.__file__).parent / "README.md"

PORT = 40123
"""Nobody connects to it."""


class Heard:
    """What plain zeroconf knows of one table; the network may be full of others."""

    def __init__(self, card: Card) -> None:
        self.table = card.table[:TABLE_BYTES]
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
        if info.load_from_cache(zeroconf) and table_of(info.properties) == self.table:
            self.info = info
            self.names.add(name)

    def tells(self, card: Card) -> bool:
        """Whether the advert is that of a table that shows this card."""
        said = (
            {key: (value or b"") for key, value in self.info.properties.items()}
            if self.info
            else {}
        )
        return said == {key.encode(): value for key, value in pairs_of(card).items()}


@contextlib.asynccontextmanager
async def listening_for(card: Card) -> AsyncIterator[Heard]:
    heard = Heard(card)
    endpoint = AsyncZeroconf(ip_version=IPVersion.V4Only)
    browser = AsyncServiceBrowser(endpoint.zeroconf, SERVICE, [heard.hear])
    try:
        yield heard
    finally:
        await browser.async_cancel()
        await endpoint.async_close()


# What it says

NAMES = st.sampled_from([ForeignText("x" * MAX_NAME), ForeignText("\x1b[31m"), ForeignText("Пірс")])
CARDS = st.builds(
    Card,
    table=st.binary(min_size=32, max_size=32),
    name=NAMES,
    host=NAMES,
    rules=st.sampled_from([Rules.parse(each) for each in ("milan", "hollywood", "milan cap=5")]),
    seats=st.integers(0, MAX_PLAYERS),
    taken=st.integers(0, MAX_PLAYERS),
    state=st.sampled_from(State),
    epoch=st.integers(0, MAX_NUMBER),
)


@given(CARDS)
def test_an_advert_is_read_as_it_was_written(card: Card) -> None:
    sent = ServiceInfo(SERVICE, f"x.{SERVICE}", port=1, properties=pairs_of(card))
    read = ServiceInfo(SERVICE, f"x.{SERVICE}", properties=sent.text).properties
    assert table_of(read) == card.table[:TABLE_BYTES]


@given(CARDS, st.integers(1, 65535))
def test_an_advert_names_the_door_that_there_is(card: Card, port: int) -> None:
    assert pairs_of(card, port) == {**pairs_of(card), "ssh": str(port).encode()}


@given(CARDS, CARDS)
def test_an_advert_changes_when_the_card_does(card: Card, other: Card) -> None:
    assert (pairs_of(card) == pairs_of(other)) is (card == other)


@given(CARDS)
def test_an_advert_holds_no_words_of_people(card: Card) -> None:
    assert all(re.fullmatch(rb"[0-9a-f]{8,16}", value) for value in pairs_of(card).values())


@pytest.mark.parametrize("pairs", [{}, {b"table": None}, {b"table": b""}, {b"tables": b"00"}])
def test_a_record_without_a_table_says_none(pairs: dict[bytes, bytes | None]) -> None:
    assert table_of(pairs) == b""


@given(
    st.dictionaries(
        st.sampled_from([b"table", b"card"]) | st.binary(max_size=9),
        st.none()
        | st.binary(max_size=300)
        | st.binary(max_size=99).map(lambda b: b.hex().encode()),
    )
)
def test_anything_may_stand_in_a_record(pairs: dict[bytes, bytes | None]) -> None:
    assert len(table_of(pairs)) <= TABLE_BYTES


def test_the_pairs_are_those_of_the_page() -> None:
    section = PAGE.read_text("utf-8").split("## The advert\n")[1].split("\n## ")[0]
    card = replace(open_host().card, table=bytes(range(32)))
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(pairs_of(card, 2222))
    assert f"`{pairs_of(card)['table'].decode()}`" in section


# How it is heard


async def test_a_table_is_advertised_until_it_closes() -> None:
    card = open_host().card
    async with listening_for(card) as heard:
        teller = Announcer()
        await teller.start(card, PORT)
        try:
            await until(lambda: heard.info is not None)
            assert teller.trouble is None
            assert heard.info is not None
            assert heard.info.port == PORT
            assert set(heard.info.parsed_addresses()) == set(own_addresses())
            assert heard.tells(card)
        finally:
            await teller.close()
        await until(lambda: heard.gone == 1)
        assert len(heard.names) == 1


async def test_a_change_is_told() -> None:
    card = open_host().card
    async with listening_for(card) as heard:
        teller = Announcer()
        await teller.start(card, PORT)
        try:
            for taken in range(1, 9):
                teller.update(replace(card, taken=taken))
            assert await until(lambda: heard.tells(replace(card, taken=8))) < 3
        finally:
            await teller.close()
        await until(lambda: heard.gone == 1)


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
    monkeypatch.setattr(adverts, "LOOK_INTERVAL", 0.02)


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

    works = mdns._open
    monkeypatch.setattr(mdns, "_open", fail)
    card, troubles = open_host().card, list[str | None]()
    teller = Announcer(troubles.append)
    await teller.start(card, PORT)
    try:
        assert teller.trouble is not None
        assert words in teller.trouble
        monkeypatch.setattr(mdns, "_open", works)
        async with listening_for(card) as heard:
            await until(lambda: heard.info is not None)
            assert troubles[0] is not None
            assert troubles[1:] == [None]
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
        async with listening_for(card) as heard:
            await until(lambda: teller.trouble is None)
            await until(lambda: heard.info is not None)
    finally:
        await teller.close()


@pytest.mark.usefixtures("quick")
async def test_new_addresses_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    card = open_host().card
    teller = Announcer()
    async with listening_for(card) as heard:
        await teller.start(card, PORT)
        try:
            await until(lambda: heard.info is not None)
            moved = (IPv4Interface("10.99.0.7/24"),)
            monkeypatch.setattr(mdns, "own_interfaces", lambda: moved)
            await until(
                lambda: heard.info is not None and "10.99.0.7" in heard.info.parsed_addresses()
            )
            assert len(heard.names) == 1
        finally:
            await teller.close()


@pytest.mark.usefixtures("quick")
async def test_no_adapter_is_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    teller = Announcer()
    try:
        with monkeypatch.context() as unplugged:
            unplugged.setattr(mdns, "own_interfaces", lambda: ())
            await teller.start(open_host().card, PORT)
            assert teller.trouble is not None
        await until(lambda: teller.trouble is None)
    finally:
        await teller.close()


async def test_loopback_alone_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    alone = (IPv4Interface("127.0.0.1/8"),)
    monkeypatch.setattr(mdns, "own_interfaces", lambda: alone)
    card = open_host().card
    teller = Announcer()
    async with listening_for(card) as heard:
        await teller.start(card, PORT)
        try:
            assert teller.trouble is not None
            assert "not on a network" in teller.trouble
            await until(lambda: heard.info is not None)
        finally:
            await teller.close()
