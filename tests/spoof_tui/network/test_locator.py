"""The way to a table that may be anywhere: whom it asks, whom it believes, and how soon."""

import asyncio
from collections.abc import Iterable
from dataclasses import replace
from typing import cast

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.guest.guest import Guest
from protocol.rules.options import Rules
from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import Card, State, Whereabout
from spoof_tui.network import locator as roads
from spoof_tui.network.addresses import Address
from spoof_tui.network.advert import TABLE_BYTES
from spoof_tui.network.beacon import Beacon, BeaconKind
from spoof_tui.network.links import Link, Owner
from spoof_tui.network.locator import Search, TableLocator, remember, remembered
from spoof_tui.network.probe import Answer, Failure, ProbeFailed
from spoof_tui.storage import folders
from tests.spoof_tui.runtime.parlour import new_key, until

TABLE = bytes(32)
CARD = Card(
    table=TABLE,
    name=ForeignText("The Golden Pier"),
    host=ForeignText("Olha"),
    rules=Rules.parse("milan"),
    seats=9,
    taken=3,
    state=State.PLAYING,
    locked=False,
    epoch=0,
)
STANDING = replace(CARD, state=State.MOVING, epoch=1)
MOVED = replace(CARD, epoch=1)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Roads that ask again and settle soon."""
    for name, seconds in (("AGAIN", 0.02), ("SETTLE", 0.02), ("SETTLE_WORSE", 0.04)):
        monkeypatch.setattr(roads, name, seconds)


def at(number: int) -> Address:
    return Address("192.0.2.1", number)


class Town:
    """Addresses and what greets there, without any network."""

    def __init__(self, cards: dict[Address, Card | None]) -> None:
        self.cards = cards
        """None: an address that never answers."""
        self.asked: list[Address] = []
        self.dialled: list[Address] = []
        self.waiting = 0
        self.most_waiting = 0

    async def ask(self, address: Address) -> Answer:
        self.asked.append(address)
        if address not in self.cards:
            raise ProbeFailed(address, Failure.REFUSED)
        card = self.cards[address]
        if card is None:
            self.waiting += 1
            self.most_waiting = max(self.waiting, self.most_waiting)
            try:
                await asyncio.Event().wait()
            finally:
                self.waiting -= 1
        return Answer(address, card, PROTOCOL, PROGRAM)

    async def connect(self, owner: Owner, address: Address) -> None:
        self.dialled.append(address)


class Nobody:
    """Who is connected, and does nothing with it."""

    def opened(self, link: Link) -> None:
        pass

    def received(self, link: Link, data: bytes) -> None:
        pass

    def drained(self, link: Link) -> None:
        pass

    def lost(self, link: Link) -> None:
        pass


def locator(
    town: Town, addresses: Iterable[Address] | None = None, promise: int = 0, kept: bool = False
) -> TableLocator:
    guest = Guest(new_key(), TABLE, promise=promise)
    first = town.cards if addresses is None else addresses
    return TableLocator(guest, TABLE, first, ask=town.ask, connect=town.connect, is_kept=kept)


async def chosen(town: Town, promise: int = 0) -> Address:
    return (await locator(town, promise=promise).find(0.5)).address


# Who is chosen


@pytest.mark.parametrize(
    ("cards", "promise", "best"),
    [
        pytest.param([CARD], 0, 0, id="the only one"),
        pytest.param([CARD, MOVED], 0, 1, id="a later host before an earlier one"),
        pytest.param([STANDING, CARD], 0, 1, id="a host before who stands"),
        pytest.param([STANDING, replace(STANDING, epoch=2)], 0, 1, id="of two the later"),
        pytest.param([CARD, STANDING], 1, 1, id="nobody of an epoch that is over"),
        pytest.param([replace(CARD, table=b"x" * 32), CARD], 0, 1, id="no other table"),
        pytest.param([None, CARD], 0, 1, id="who answers"),
    ],
)
async def test_the_best_answer_is_taken(cards: list[Card | None], promise: int, best: int) -> None:
    town = Town({at(number + 1): card for number, card in enumerate(cards)})
    assert await chosen(town, promise) == at(best + 1)


async def test_nobody_is_waited_for_when_all_have_answered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(roads, "SETTLE", 60.0)
    assert await chosen(Town({at(1): CARD})) == at(1)


async def test_a_search_that_finds_nobody_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roads, "BESIDE_TIMEOUT", 0.05)
    town = Town({at(1): None})
    with pytest.raises(OSError):
        await locator(town).find(0.1)
    assert not await locator(town).answers()
    assert town.waiting == 0


async def test_a_table_that_opens_later_is_found() -> None:
    town = Town({})
    finding = asyncio.create_task(locator(town, [at(1)]).find(2.0))
    await until(lambda: len(town.asked) > 2)
    town.cards[at(1)] = CARD
    assert (await finding).address == at(1)


async def test_questions_that_are_not_answered_do_not_pile_up() -> None:
    town = Town({at(1): None})
    with pytest.raises(OSError):
        await locator(town).find(0.3)
    assert town.most_waiting == roads.TRIES


async def test_an_old_host_is_dialled_when_nobody_else_is_there() -> None:
    town = Town({at(1): CARD})
    way = locator(town, promise=3)
    await way(Nobody())
    assert town.dialled == [at(1)]
    assert not await answers_soon(way)


async def answers_soon(way: TableLocator) -> bool:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(roads, "BESIDE_TIMEOUT", 0.05)
        return await way.answers()


# Where it has led


async def test_an_address_that_led_nowhere_comes_last() -> None:
    town = Town({at(1): MOVED, at(2): CARD})
    way = locator(town)
    await way(Nobody())
    await way(Nobody())
    assert town.dialled == [at(1), at(2)]


async def test_an_address_that_led_to_the_table_is_asked_first() -> None:
    town = Town({at(2): CARD})
    way = locator(town, [at(1), at(2)])
    await way(Nobody())
    way.arrived()
    assert way.addresses[0] == at(2)
    await way(Nobody())
    assert town.dialled == [at(2), at(2)]


# What it learns


def told(way: TableLocator, *numbers: int, key: bytes = b"k" * 32) -> None:
    way._guest.places = tuple(Whereabout(key, "192.0.2.1", number) for number in numbers)
    way.tick()


def test_where_seats_could_serve_is_remembered_when_nobody_is_told_of_any_more() -> None:
    way = locator(Town({}))
    told(way, 1, 2)
    told(way, 3)
    told(way)
    assert way.addresses == (at(3), at(1), at(2))


def test_the_own_place_is_not_asked() -> None:
    way = locator(Town({}))
    told(way, 1, key=way._guest.key)
    assert way.addresses == ()


def test_what_is_no_address_is_passed_over() -> None:
    way = locator(Town({}))
    way._guest.places = (Whereabout(b"k" * 32, "not an address!", 1),)
    way.tick()
    assert way.addresses == ()


def test_addresses_have_a_bound() -> None:
    way = locator(Town({}))
    for start in range(1, 90, 9):
        told(way, *range(start, start + 9))
    assert len(way.addresses) == roads.MOST


def test_what_was_learned_survives_the_program() -> None:
    way = locator(Town({}), [at(7)], kept=True)
    told(way, 1)
    assert locator(Town({}), [], kept=True).addresses == (at(7), at(1))


def test_without_a_disk_of_its_own_nothing_is_kept() -> None:
    told(locator(Town({}), [at(7)]), 1)
    assert remembered(TABLE) == ()


@pytest.mark.parametrize("written", ["", "[", "{}", '["nowhere at all", 3, "192.0.2.1:7"]'])
def test_what_is_on_the_disk_may_be_anything(written: str) -> None:
    remember(TABLE, [at(1)])
    (folders.table_folder(TABLE) / "addresses.json").write_text(written)
    assert remembered(TABLE) in ((), (at(7),))


# The lobby's search


class FakeSearch:
    """Finds the table as soon as it is asked to."""

    def __init__(self) -> None:
        self.users: set[object] = set()

    async def begin(self, user: object) -> None:
        self.users.add(user)

    async def end(self, user: object) -> None:
        self.users.discard(user)

    def addresses(self, table: bytes) -> list[Address]:
        return [at(9)] if self.users else []


async def test_the_network_is_searched_after_the_first_failure_only() -> None:
    town = Town({at(1): CARD, at(9): MOVED})
    search = FakeSearch()
    way = TableLocator(
        Guest(new_key(), TABLE),
        TABLE,
        [at(1)],
        search=cast(Search, search),
        ask=town.ask,
        connect=town.connect,
    )
    await way(Nobody())
    assert town.dialled == [at(1)] and not search.users
    way.arrived()
    del town.cards[at(1)]
    await way(Nobody())
    assert town.dialled[-1] == at(9) and search.users
    way.arrived()
    await until(lambda: not search.users)
    await way.close()


def test_everybody_counts_who_tells_of_the_table_by_a_beacon() -> None:
    search = Search()
    ours, other = TABLE[:TABLE_BYTES], b"o" * TABLE_BYTES
    for number, table in ((1, ours), (2, other), (3, ours)):
        search._see(at(number), Beacon(BeaconKind.HERE, number, table))
    assert search.addresses(TABLE) == [at(3), at(1)]
    search._see(at(3), Beacon(BeaconKind.GONE, 3, ours))
    assert search.addresses(TABLE) == [at(1)]


def test_forged_beacons_fill_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(roads, "MAX_SEEN", 3)
    search = Search()
    for number in range(1, 9):
        search._see(at(number), Beacon(BeaconKind.HERE, number, TABLE[:TABLE_BYTES]))
    assert search.addresses(TABLE) == [at(8), at(7), at(6)]


async def test_nobody_finds_a_way_to_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    town = Town({at(1): STANDING, at(2): STANDING})
    way = locator(town)
    own = way._guest.key
    keys = {at(1): own, at(2): new_key().public}
    monkeypatch.setattr(Answer, "key", property(lambda answer: keys[answer.address]))
    assert (await way.find()).address == at(2)
