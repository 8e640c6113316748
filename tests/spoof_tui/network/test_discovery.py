"""The list of tables: whom it asks, whom it believes, and how soon."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

import pytest

from protocol.version import PROGRAM, PROTOCOL
from spoof_tui import system
from spoof_tui.network import known_addresses
from spoof_tui.network.addresses import DEFAULT_PORT, Address
from spoof_tui.network.beacon import TABLE_BYTES, Beacon, BeaconKind
from spoof_tui.network.discovery import (
    MAX_STRANGERS,
    MIN_ASK_INTERVAL,
    THIS_MACHINE,
    Browser,
)
from spoof_tui.network.endpoints import (
    FORGET_DELAY,
    MAX_ENDPOINTS,
    UNHEARD_INTERVAL,
)
from spoof_tui.network.probe import FoundTable
from tests.spoof_tui.network.air import Air, Services
from tests.spoof_tui.network.places import (
    CARD,
    FULL,
    GARBAGE,
    REFUSED,
    STRANGE,
    UNREACHABLE,
    Places,
    at,
    called,
    greeting,
)

pytestmark = pytest.mark.usefixtures("air", "services")

HERE = Beacon(BeaconKind.HERE, DEFAULT_PORT, CARD.table[:TABLE_BYTES])
GONE = replace(HERE, kind=BeaconKind.GONE)


@dataclass
class Lobby:
    """A list of tables, and everything that it reported."""

    places: Places
    known: tuple[Address, ...] | None = ()
    told: list[tuple[FoundTable, ...]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.browser = Browser(self.told.append, known=self.known, connect=self.places.connect)

    @property
    def addresses(self) -> list[Address]:
        return [each.address for each in self.browser.tables]


@asynccontextmanager
async def looking(places: Places, *known: Address) -> AsyncIterator[Lobby]:
    lobby = Lobby(places, known)
    await lobby.browser.start()
    await asyncio.sleep(0.2)
    yield lobby
    await lobby.browser.close()
    assert places.waiting == 0


@pytest.fixture(params=[0.0, 2.1], ids=["usual", "windows"])
def later(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> float:
    """Seconds by which a listed table that is silent goes later: a refusal would take so long."""
    monkeypatch.setattr(system, "refusal_delay", lambda: request.param)
    return float(request.param)


# What is known


@pytest.mark.parametrize(
    ("said", "row"),
    [
        (greeting(), FoundTable(at(1), CARD, PROTOCOL, PROGRAM)),
        (STRANGE, FoundTable(at(1), None, 99, "9.9")),
        (FULL, None),
        (GARBAGE, None),
    ],
)
async def test_only_a_table_that_greets_is_listed_and_told_once(
    said: bytes | OSError, row: FoundTable | None
) -> None:
    async with looking(Places({at(1): said}), at(1)) as lobby:
        await asyncio.sleep(10.0)
        assert lobby.told == [(each,) for each in (row,) if each]
        assert 1 < len(lobby.places.asked) <= 2 + 10 / UNHEARD_INTERVAL


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        pytest.param(REFUSED, 1.3, id="closed"),
        pytest.param(GARBAGE, 2.8, id="another program"),
        pytest.param(None, 2.8, id="silent"),
        pytest.param(UNREACHABLE, 2.8, id="cut off"),
        pytest.param(FULL, None, id="full"),
    ],
)
async def test_a_table_that_is_gone_is_soon_off_the_list_and_comes_back(
    said: bytes | OSError | None, seconds: float | None, later: float
) -> None:
    async with looking(Places({at(1): greeting()}), at(1)) as lobby:
        await asyncio.sleep(5.0)
        if said is None:
            del lobby.places.said[at(1)]
        else:
            lobby.places.said[at(1)] = said
        await asyncio.sleep((seconds or 30.0) + later)
        assert lobby.addresses == ([] if seconds else [at(1)])
        lobby.places.said[at(1)] = greeting()
        await asyncio.sleep(30.0)
        assert lobby.addresses == [at(1)]
        assert len(lobby.told) == (3 if seconds else 1)


async def test_two_addresses_of_a_table_are_one_row_and_the_other_is_there_when_one_is_gone() -> (
    None
):
    async with looking(Places({at(1): greeting(), at(2): greeting()}), at(1)) as lobby:
        for _ in range(2):
            lobby.browser.add(at(2))
        await asyncio.sleep(0.2)
        assert lobby.places.asked.count(at(2)) == 1
        await asyncio.sleep(5.0)
        assert lobby.addresses == [at(1)]
        lobby.places.said[at(1)] = REFUSED
        await asyncio.sleep(1.5)
        assert lobby.addresses == [at(2)]
        assert () not in lobby.told


async def test_rows_are_in_the_order_of_names_and_another_version_comes_last() -> None:
    cards = [called("b", 1), called("C", 2), called("a", 4), called("a", 3)]
    said = {at(number): greeting(card) for number, card in enumerate(cards, 1)}
    async with looking(Places({at(9): STRANGE, **said}), at(9), *said) as lobby:
        assert lobby.addresses == [at(4), at(3), at(1), at(2), at(9)]


async def test_what_was_joined_last_is_asked_and_who_sat_there_and_this_machine() -> None:
    table, seat = at(1), Address("10.0.0.77", DEFAULT_PORT)
    known_addresses.remember(table)
    known_addresses.remember_seats([Address(seat.host, 4000)])
    lobby = Lobby(Places(), None)
    await lobby.browser.start()
    await asyncio.sleep(0.2)
    assert set(lobby.places.asked) == {THIS_MACHINE, table, seat}
    await lobby.browser.close()


# Beacons, heard or forged


async def test_a_table_is_asked_where_its_beacon_came_from_and_forgotten_if_it_is_not_there(
    air: Air,
) -> None:
    async with looking(Places({at(1): greeting(), at(2): REFUSED})) as lobby:
        for number in (1, 2):
            air.hears(HERE, at(number).host)
        await asyncio.sleep(0.1)
        assert (lobby.addresses, lobby.browser.unanswered) == ([at(1)], (at(2),))
        await asyncio.sleep(FORGET_DELAY)
        assert lobby.browser.unanswered == ()
        asked = len(lobby.places.times(at(2)))
        await asyncio.sleep(30.0)
        assert asked == len(lobby.places.times(at(2))) <= 4
        assert lobby.addresses == [at(1)]


async def test_a_forged_goodbye_asks_the_table_and_takes_nothing_away(air: Air) -> None:
    async with looking(Places({at(1): greeting()}), at(1)) as lobby:
        for _ in range(5):
            await asyncio.sleep(MIN_ASK_INTERVAL + 0.1)
            before = len(lobby.places.asked)
            air.hears(GONE, at(1).host)
            await asyncio.sleep(0.01)
            assert len(lobby.places.asked) == before + 1
        assert len(lobby.told) == 1


async def test_a_flood_of_beacons_has_an_end_and_hides_no_table(air: Air, later: float) -> None:
    async with looking(Places({at(1): greeting(), at(2): greeting(called("b"))})) as lobby:
        air.hears(HERE, at(1).host)
        await asyncio.sleep(0.1)
        for second in range(4):
            for number in range(2 * MAX_ENDPOINTS):
                air.hears(HERE, at(1000 * (1 + second) + number).host)
            air.hears(HERE, at(1).host)
            assert len(set(lobby.places.asked)) <= MAX_ENDPOINTS + second * MAX_STRANGERS
            await asyncio.sleep(1.0)
        assert lobby.addresses == [at(1)]
        await asyncio.sleep(20.0)
        air.hears(HERE, at(2).host)
        await asyncio.sleep(0.1)
        assert set(lobby.addresses) == {at(1), at(2)}


# Adverts


async def test_a_table_is_found_by_its_advert_whose_name_is_not_believed(
    services: Services,
) -> None:
    where = Address("10.0.0.1", 4242)
    async with looking(Places({where: greeting()})) as lobby:
        services.advertise("another", 4242, "10.0.0.1", table=b"00")
        await asyncio.sleep(0.1)
        assert [(each.address, each.card) for each in lobby.browser.tables] == [(where, CARD)]


async def test_a_change_of_an_advert_brings_a_question_and_its_end_takes_the_row_away(
    services: Services,
) -> None:
    async with looking(Places({at(1): greeting()})) as lobby:
        services.advertise("x", DEFAULT_PORT, at(1).host, card=b"1")
        await asyncio.sleep(MIN_ASK_INTERVAL + 0.1)
        for card, questions in ((b"1", 1), (b"2", 2)):
            services.advertise("x", DEFAULT_PORT, at(1).host, card=card)
            await asyncio.sleep(0.01)
            assert len(lobby.places.asked) == questions
        services.withdraw("x")
        assert lobby.told[1:] == [()]
        await asyncio.sleep(10.0)
        assert len(lobby.places.asked) == 2


async def test_a_flood_of_adverts_has_an_end(services: Services) -> None:
    crowd = [at(number) for number in range(2 * MAX_ENDPOINTS)]
    async with looking(Places(dict.fromkeys(crowd, REFUSED))) as lobby:
        for number, where in enumerate(crowd):
            services.advertise(f"t{number}", DEFAULT_PORT, where.host)
        await asyncio.sleep(1.0)
        assert len(set(lobby.places.asked)) == MAX_ENDPOINTS
