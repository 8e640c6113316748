"""The way to a table that may be anywhere: whom it asks, whom it believes, and how soon."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import replace
from typing import cast

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.guest.guest import Guest
from protocol.rules.options import Rules
from protocol.version import PROGRAM, PROTOCOL
from protocol.views import LinkState
from protocol.wire.messages import Card, State, Whereabout
from spoof_tui.network import locator as locators
from spoof_tui.network import recent
from spoof_tui.network.addresses import Address
from spoof_tui.network.beacon import TABLE_BYTES, Beacon, BeaconKind
from spoof_tui.network.links import Link, Owner
from spoof_tui.network.locator import Search, TableLocator
from spoof_tui.network.probe import (
    PROBE_TIMEOUT,
    SLOW_TIMEOUT,
    Answer,
    Failure,
    ProbeFailed,
    Reached,
    _Newcomer,
)
from spoof_tui.storage.disk import Disk
from tests.spoof_tui.network.ends import End
from tests.spoof_tui.runtime.local_table import LocalTable, Sitter, local_table, new_key, until
from tests.spoof_tui.storage.slow_disk import SlowDisk

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
    """Locators that ask again and settle soon."""
    for name, seconds in (
        ("ASK_INTERVAL", 0.02),
        ("ASK_EARLY_INTERVAL", 0.01),
        ("SETTLE_DELAY", 0.02),
        ("SETTLE_WORSE_DELAY", 0.04),
    ):
        monkeypatch.setattr(locators, name, seconds)


def at(number: int) -> Address:
    return Address("192.0.2.1", number)


class Town:
    """Addresses and what greets there, without any network."""

    def __init__(self, cards: dict[Address, Card | None]) -> None:
        self.cards = cards
        """None: an address that never answers."""
        self.keys: dict[Address, bytes] = {}
        """Whose certificate is shown there."""
        self.asked: list[Address] = []
        self.round_trip = 0.0
        """Seconds that all answers take, as they say."""
        self.given: list[float] = []
        """How many seconds each question had."""
        self.dialled: list[Address] = []
        """Where somebody went on with the link that was greeted."""
        self.open = 0
        """Links that are used, or that nobody has hung up on."""
        self.waiting = 0
        self.most_waiting = 0

    async def ask(self, address: Address, within: float = 0.0) -> Reached:
        self.asked.append(address)
        self.given.append(within)
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
        self.open += 1
        key = self.keys.get(address)
        answer = Answer(address, card, PROTOCOL, PROGRAM, key, self.round_trip)
        return Reached(answer, cast(Link, TownLink(self, address)), _Newcomer())


class TownLink:
    """Stands for the link of somebody who was reached."""

    def __init__(self, town: Town, address: Address) -> None:
        self.town = town
        self.address = address
        self.is_open = True

    def pass_to(self, owner: Owner, unread: bytes) -> None:
        if not self.is_open:
            raise ConnectionResetError
        self.town.dialled.append(self.address)

    def abort(self) -> None:
        self.town.open -= self.is_open
        self.is_open = False


def locator(
    town: Town,
    addresses: Iterable[Address] | None = None,
    promise: int = 0,
    kept: bool = False,
    disk: Disk | None = None,
) -> TableLocator:
    guest = Guest(new_key(), TABLE, promise=promise)
    first = town.cards if addresses is None else addresses
    return TableLocator(guest, TABLE, first, ask=town.ask, is_kept=kept, disk=disk)


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
    monkeypatch.setattr(locators, "SETTLE_DELAY", 60.0)
    assert await chosen(Town({at(1): CARD})) == at(1)


async def test_a_search_that_finds_nobody_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locators, "BESIDE_TIMEOUT", 0.05)
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


async def test_who_refuses_is_asked_again_soon_and_who_is_silent_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(locators, "ASK_INTERVAL", 60.0)
    monkeypatch.setattr(locators, "ASK_EARLY_INTERVAL", 0.001)
    town = Town({at(2): None})
    finding = asyncio.create_task(locator(town, [at(1), at(2)]).find(30.0))
    await until(lambda: town.asked.count(at(1)) > 2)
    assert town.asked.count(at(2)) == 1
    town.cards[at(1)] = CARD
    assert (await finding).address == at(1)


async def test_questions_that_are_not_answered_do_not_pile_up() -> None:
    town = Town({at(1): None})
    with pytest.raises(OSError):
        await locator(town).find(0.3)
    assert town.most_waiting == locators.MAX_TRIES


async def test_of_the_questions_to_an_address_one_has_the_time_of_a_slow_network() -> None:
    town = Town({at(1): None})
    with pytest.raises(OSError):
        await locator(town).find(0.3)
    assert town.given == [SLOW_TIMEOUT, *[PROBE_TIMEOUT] * (locators.MAX_TRIES - 1)]


async def test_who_was_slow_before_is_given_more_time_by_all_questions() -> None:
    town = Town({at(1): CARD})
    town.round_trip = 2.0
    way = locator(town)
    await way(End())
    town.cards[at(1)], town.given = None, []
    with pytest.raises(OSError):
        await way.find(0.3)
    assert min(town.given) > 4 * town.round_trip


async def test_an_old_host_is_dialled_when_nobody_else_is_there() -> None:
    town = Town({at(1): CARD})
    way = locator(town, promise=3)
    await way(End())
    assert town.dialled == [at(1)]
    assert not await answers_soon(way)


async def answers_soon(way: TableLocator) -> bool:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(locators, "BESIDE_TIMEOUT", 0.05)
        return await way.answers()


# The link that was greeted


async def test_of_several_tables_that_greet_one_link_is_kept_and_used() -> None:
    town = Town({at(1): CARD, at(2): MOVED, at(3): STANDING, at(4): replace(CARD, table=b"x" * 32)})
    way = locator(town)
    await way(End())
    assert (town.dialled, town.open) == ([at(2)], 1)


async def test_who_only_wants_to_know_holds_no_link() -> None:
    town = Town({at(1): CARD, at(2): MOVED})
    await locator(town).find()
    assert town.open == 0


async def test_a_link_that_was_found_beside_another_is_gone_on_with() -> None:
    town = Town({at(1): CARD})
    way = locator(town)
    assert await way.answers()
    asked = list(town.asked)
    await way(End())
    assert (town.asked, town.dialled, town.open) == (asked, [at(1)], 1)


async def test_a_link_that_nobody_went_on_with_is_left() -> None:
    town = Town({at(1): CARD})
    way = locator(town)
    for end in (way.answers, way.close):
        assert await way.answers()
        await end()
        assert town.open == (end == way.answers)
    assert await way.answers()
    way.arrived()
    assert town.open == 0


async def test_a_link_to_another_table_is_not_used() -> None:
    town = Town({at(1): replace(CARD, table=b"x" * 32)})
    way = locator(town)
    way.use(await town.ask(at(1)))
    assert town.open == 0
    town.cards = {at(1): CARD}
    await way(End())
    assert town.asked == [at(1), at(1)]


async def test_a_search_that_is_given_up_leaves_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locators, "SETTLE_DELAY", 60.0)
    town = Town({at(1): CARD, at(2): None})
    finding = asyncio.create_task(locator(town).reach())
    await until(lambda: town.open)
    finding.cancel()
    await asyncio.gather(finding, return_exceptions=True)
    assert (town.open, town.waiting) == (0, 0)


async def test_who_greets_as_the_search_is_given_up_is_left_too() -> None:
    town = Town({at(1): CARD})

    async def ask(address: Address, within: float) -> Reached:
        finding.cancel()
        return await town.ask(address, within)

    way = TableLocator(Guest(new_key(), TABLE), TABLE, town.cards, ask=ask)
    finding = asyncio.create_task(way.reach())
    await asyncio.gather(finding, return_exceptions=True)
    assert finding.cancelled()
    assert (len(town.asked), town.open) == (1, 0)


# Where it has led


async def test_an_address_that_led_nowhere_comes_last() -> None:
    town = Town({at(1): MOVED, at(2): CARD})
    way = locator(town)
    await way(End())
    await way(End())
    assert town.dialled == [at(1), at(2)]


async def test_an_address_that_leads_nowhere_comes_last_for_longer_every_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 0.0
    monkeypatch.setattr(locators, "_now", lambda: now)
    town = Town({at(1): MOVED, at(2): CARD})
    way = locator(town)
    for times in range(8):
        await way(End())
        await way(End())
        assert town.dialled[-2:] == [at(1), at(2)]
        way.arrived()
        now += min(locators.MIN_BACKOFF * 2**times, locators.MAX_BACKOFF) - 0.01
        assert (await way.find()).address == at(2)
        now += 0.02
        assert (await way.find()).address == at(1)


async def test_an_address_that_led_to_the_table_is_asked_first() -> None:
    town = Town({at(2): CARD})
    way = locator(town, [at(1), at(2)])
    await way(End())
    way.arrived()
    assert way.addresses[0] == at(2)
    await way(End())
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
    assert len(way.addresses) == locators.MAX_ASKED


async def test_what_was_learned_survives_the_program_and_nobody_waits_for_the_disk() -> None:
    disk = SlowDisk()
    way = locator(Town({}), [at(7)], kept=True, disk=disk)
    told(way, 1)
    assert recent.of_table(TABLE) == ()
    await disk.work()
    assert locator(Town({}), [], kept=True).addresses == (at(7), at(1))


def test_without_a_disk_of_its_own_nothing_is_kept() -> None:
    told(locator(Town({}), [at(7)]), 1)
    assert recent.of_table(TABLE) == ()


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
    )
    await way(End())
    assert town.dialled == [at(1)] and not search.users
    way.arrived()
    del town.cards[at(1)]
    await way(End())
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
    monkeypatch.setattr(locators, "MAX_SEEN", 3)
    search = Search()
    for number in range(1, 9):
        search._see(at(number), Beacon(BeaconKind.HERE, number, TABLE[:TABLE_BYTES]))
    assert search.addresses(TABLE) == [at(8), at(7), at(6)]


async def test_nobody_finds_a_way_to_itself() -> None:
    town = Town({at(1): STANDING, at(2): STANDING})
    way = locator(town)
    town.keys = {at(1): way._guest.key, at(2): new_key().public}
    assert (await way.find()).address == at(2)


# A table that listens on real sockets


@contextlib.contextmanager
def slow_to_ask_again() -> Iterator[None]:
    """On a busy machine nobody is asked a second time either."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("ASK_INTERVAL", "ASK_EARLY_INTERVAL", "BESIDE_TIMEOUT"):
            patch.setattr(locators, name, 60.0)
        yield


@contextlib.asynccontextmanager
async def found() -> AsyncIterator[tuple[LocalTable, TableLocator, Sitter]]:
    """A table, and somebody who sits at it by a locator."""
    with slow_to_ask_again():
        async with local_table() as table:
            address = Address("127.0.0.1", await table.server.start(0, loopback_only=True))
            guest = Guest(new_key(), table.table_id)
            way = TableLocator(guest, table.table_id, [address])
            maria = table.seat("Maria", guest, way=way)
            await until(lambda: maria.sits)
            yield table, way, maria
            await maria.crash()
            await way.close()


def connections(table: LocalTable) -> int:
    """How many the table has ever accepted."""
    return table.server._guard._count


async def test_who_sits_down_connects_once() -> None:
    async with found() as (table, _, _maria):
        assert connections(table) == 1


async def test_who_comes_back_connects_once() -> None:
    async with found() as (table, _, maria):
        for times in range(2, 5):
            [link] = table.server._links.values()
            link.abort()
            await until(lambda: maria.view.link is not LinkState.UP)
            await until(lambda: maria.view.link is LinkState.UP)
            assert connections(table) == times


async def test_a_link_beside_a_silent_one_is_made_once() -> None:
    async with found() as (table, way, maria):
        assert await way.answers()
        await way(maria.session)
        await until(lambda: len(table.server._links) == 1)
        assert connections(table) == 2


async def test_a_new_table_that_goes_on_from_the_one_looked_for_is_noted_and_not_taken() -> None:
    new = replace(CARD, table=b"n" * 32, continues=(CARD.table,))
    town = Town({at(1): new, at(2): replace(CARD, table=b"o" * 32)})
    way = locator(town)
    with pytest.raises(TimeoutError):
        await way.reach(0.2)
    assert [claim.card for claim in way.claims.values()] == [new]


async def test_everybody_who_claims_to_have_the_new_table_is_noted() -> None:
    second = replace(CARD, table=b"2" * 32, continues=(CARD.table,))
    third = replace(CARD, table=b"3" * 32, continues=(second.table, CARD.table))
    way = locator(Town({at(1): second, at(2): third}))
    with pytest.raises(TimeoutError):
        await way.reach(1.0)
    assert {at(1): second, at(2): third} == {at: said.card for at, said in way.claims.items()}


# Who is heard


async def test_whose_machine_answers_is_heard_though_nobody_serves_the_table() -> None:
    way = locator(Town({at(2): None}))
    keys = [bytes([number]) * 32 for number in (1, 2, 3)]
    way._guest.places = tuple(
        Whereabout(key, "192.0.2.1", number) for number, key in enumerate(keys, 1)
    )
    way.tick()
    with pytest.raises(TimeoutError):
        await way.reach(0.1)
    assert way.heard == {keys[0], keys[2]}
    way.arrived()
    assert way.heard == frozenset()
