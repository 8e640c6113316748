"""The advert of a table: what it says, and when."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from ipaddress import IPv4Interface, IPv6Interface
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from zeroconf import ServiceInfo
from zeroconf.asyncio import AsyncServiceInfo

import protocol
from protocol.encoding.untrusted import ForeignText
from protocol.limits import MAX_NAME, MAX_NUMBER
from protocol.rules.options import MAX_PLAYERS, Rules
from protocol.wire.messages import Card, State
from spoof_tui.network.adverts import (
    MAX_ADVERTISED,
    Announcer,
    addresses_in,
    pairs_of,
    table_of,
)
from spoof_tui.network.beacon import TABLE_BYTES, Beacon, BeaconKind
from spoof_tui.network.mdns import LOOK_INTERVAL, SERVICE
from tests.spoof_tui.network.air import Air, Services, adapter
from tests.spoof_tui.network.cases import cases
from tests.spoof_tui.network.places import CARD

PAGE = Path(protocol.__file__).parent / "DISCOVERY.md"

PORT = 40123

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


@given(CARDS, CARDS, st.integers(1, 65535))
def test_an_advert_tells_the_table_and_each_change_and_no_words_of_people(
    card: Card, other: Card, port: int
) -> None:
    pairs = pairs_of(card)
    sent = ServiceInfo(SERVICE, f"x.{SERVICE}", port=1, properties=pairs)
    read = ServiceInfo(SERVICE, f"x.{SERVICE}", properties=sent.text).properties
    assert table_of(read) == card.table[:TABLE_BYTES]
    assert (pairs == pairs_of(other)) is (card == other)
    assert all(re.fullmatch(rb"[0-9a-f]{8,16}", value) for value in pairs.values())
    assert pairs_of(card, port) == {**pairs, "ssh": str(port).encode()}


@given(
    st.dictionaries(
        st.sampled_from([b"table", b"tables"]),
        st.none() | st.binary(max_size=99) | st.binary(max_size=99).map(lambda b: b.hex().encode()),
    )
)
def test_anything_may_stand_in_a_record(pairs: dict[bytes, bytes | None]) -> None:
    assert len(table_of(pairs)) <= TABLE_BYTES
    assert pairs.get(b"table") or table_of(pairs) == b""


def test_the_pairs_are_those_of_the_page() -> None:
    section = PAGE.read_text("utf-8").split("## The advert\n")[1].split("\n## ")[0]
    card = replace(CARD, table=bytes(range(32)))
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(pairs_of(card, 2222))
    assert f"`{pairs_of(card)['table'].decode()}`" in section


@cases("led")
def test_where_an_advert_leads(case: dict[str, Any]) -> None:
    interfaces = (
        IPv4Interface("10.0.0.5/24"),
        IPv4Interface("10.1.0.5/24"),
        IPv6Interface("fe80::5%eth0/64"),
        IPv6Interface("fe80::6%wlan0/64"),
    )
    info = AsyncServiceInfo(SERVICE, f"x.{SERVICE}", case["port"], parsed_addresses=case["hosts"])
    assert [each.text for each in addresses_in(info, interfaces)] == case["addresses"]


# When it is announced


@contextlib.asynccontextmanager
async def advertised(on_change: Callable[[], None] = lambda: None) -> AsyncIterator[Announcer]:
    announcer = Announcer(on_change)
    await announcer.start(CARD, PORT)
    yield announcer
    await announcer.close()


def pairs(card: Card, door: int | None = None) -> dict[bytes, bytes | None]:
    return {key.encode(): value for key, value in pairs_of(card, door).items()}


async def test_a_table_is_advertised_at_all_addresses_until_it_closes(
    air: Air, services: Services
) -> None:
    services.adapters.append(adapter("eth1", *(f"10.1.0.{each}" for each in range(9))))
    async with advertised() as announcer:
        await asyncio.sleep(10.0)
        [told] = services.told
        assert (told.port, told.properties) == (PORT, pairs(CARD))
        addresses = told.parsed_addresses()
        assert len(addresses) == MAX_ADVERTISED and "10.0.0.5" in addresses
        assert announcer.trouble is None
        here = Beacon(BeaconKind.HERE, PORT, CARD.table[:TABLE_BYTES])
        assert air.times(here.write())[0] == 0.0, "the beacon is quicker than the advert"
        [opened] = services.opened
        before = opened.has_said_goodbye
    assert (before, opened.has_said_goodbye, opened.has_sockets) == (False, True, False)
    assert not air.ears


@pytest.mark.usefixtures("air")
async def test_the_last_change_is_told_at_once_and_nothing_twice(
    services: Services,
) -> None:
    services.announcing_lasts = 0.5
    async with advertised() as announcer:
        for taken in range(1, 9):
            announcer.update(replace(CARD, taken=taken))
        await asyncio.sleep(0.6)
        last = replace(CARD, taken=8)
        assert [each.properties for each in services.told] == [pairs(CARD), pairs(last)]
        announcer.name_door(2222)
        announcer.update(last)
        await asyncio.sleep(1.0)
        assert [each.properties for each in services.told[2:]] == [pairs(last, 2222)]
        assert len({each.name for each in services.told}) == 1


@pytest.mark.usefixtures("air")
async def test_who_moves_to_another_network_is_announced_there_and_hears_of_it(
    services: Services,
) -> None:
    moved = asyncio.Event()
    async with advertised(moved.set) as announcer:
        assert announcer.hosts == ("10.0.0.5",)
        moved.clear()
        await asyncio.sleep(2 * LOOK_INTERVAL + 0.1)
        assert not moved.is_set()
        services.adapters[1:] = [adapter("eth0", "192.168.7.9")]
        await moved.wait()
        assert announcer.hosts == ("192.168.7.9",)
        await asyncio.sleep(0)
        assert services.told[-1].parsed_addresses() == ["192.168.7.9"]


@pytest.mark.usefixtures("services")
async def test_who_is_kept_off_the_network_is_told_so(air: Air) -> None:
    air.is_denied = True
    async with advertised() as announcer:
        assert announcer.trouble and "System Settings" in announcer.trouble
        air.is_denied = False
        await asyncio.sleep(LOOK_INTERVAL + 0.1)
        assert announcer.trouble is None
