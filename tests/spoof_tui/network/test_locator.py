"""The way to a table that may be anywhere: whom it asks, whom it believes, and how soon."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, replace

import pytest

from protocol.guest.guest import Guest
from protocol.version import PROTOCOL
from protocol.views import LinkState
from protocol.wire.messages import Card, State, Whereabout
from spoof_tui.network import known_addresses
from spoof_tui.network.addresses import Address
from spoof_tui.network.beacon import TABLE_BYTES, Beacon, BeaconKind
from spoof_tui.network.locator import (
    ASK_INTERVAL,
    HEARD_FOR,
    MAX_ASKED,
    MAX_BACKOFF,
    MAX_SEEN,
    MIN_BACKOFF,
    SETTLE_DELAY,
    SETTLE_WORSE_DELAY,
    Search,
    TableLocator,
)
from spoof_tui.network.probe import FoundTable, reach
from tests.protocol.stories import Story
from tests.spoof_tui.network.air import Air
from tests.spoof_tui.network.ends import End
from tests.spoof_tui.network.places import CARD, REFUSED, TABLE, Places, at, greeting, now
from tests.spoof_tui.runtime.local_table import new_key

STANDING = replace(CARD, state=State.MOVING, epoch=1)
MOVED = replace(CARD, epoch=1)
OTHER = replace(CARD, table=b"x" * 32)
OFFERED = replace(CARD, table=b"n" * 32, continues=(TABLE,))
"""A new table that goes on from the wanted one."""


@dataclass
class Way:
    """A guest's locator, and the places that it looks at."""

    places: Places
    known: Iterable[Address] | None = None
    promise: int = 0
    search: Search | None = None
    kept: bool = False

    def __post_init__(self) -> None:
        self.guest = Guest(new_key(), TABLE, promise=self.promise)
        known = self.places.said if self.known is None else self.known
        self.locator = TableLocator(
            self.guest,
            TABLE,
            known,
            search=self.search,
            is_kept=self.kept,
            ask=lambda address, within: reach(address, within, self.places.connect),
        )

    async def dial(self) -> Address:
        """Go where it leads."""
        await self.locator(End())
        return self.locator.here[0]

    def told(self, *numbers: int, key: bytes = b"k" * 32) -> None:
        """The host says where seats could serve the table."""
        self.guest.places = tuple(Whereabout(key, at(each).host, 7763) for each in numbers)
        self.locator.tick()


def greeters(*cards: Card | None) -> Places:
    """The hosts that greet at the first addresses, one after the other; None: nobody ever does."""
    said = {at(number): greeting(card) for number, card in enumerate(cards, 1) if card}
    return Places({**said})


def way_to(*cards: Card | None, promise: int = 0) -> Way:
    return Way(greeters(*cards), [at(number + 1) for number in range(len(cards))], promise)


# The choice


@pytest.mark.parametrize(
    ("cards", "promise", "best", "seconds"),
    [
        pytest.param([CARD], 0, 1, 0.0, id="the only one, at once"),
        pytest.param([CARD, None], 0, 1, SETTLE_DELAY, id="who answers"),
        pytest.param([STANDING, None], 0, 1, SETTLE_WORSE_DELAY, id="who stands, if need be"),
        pytest.param([CARD, MOVED], 0, 2, 0.0, id="a later host before an earlier one"),
        pytest.param([STANDING, CARD], 0, 2, 0.0, id="a host before who stands"),
        pytest.param([STANDING, replace(STANDING, epoch=2)], 0, 2, 0.0, id="of two the later"),
        pytest.param([CARD, STANDING], 1, 2, 0.0, id="nobody of an epoch that is over"),
        pytest.param([OTHER, CARD], 0, 2, 0.0, id="no other table"),
        pytest.param([OFFERED, CARD], 0, 2, 0.0, id="nor one that goes on from it"),
    ],
)
async def test_the_best_answer_is_taken_when_it_has_settled(
    cards: list[Card | None], promise: int, best: int, seconds: float
) -> None:
    way = way_to(*cards, promise=promise)
    assert (await way.locator.find()).address == at(best)
    assert now() == pytest.approx(seconds, abs=0.01)
    await asyncio.sleep(0)
    assert (way.places.open, way.places.waiting) == (0, 0)


async def test_nobody_finds_a_way_to_itself() -> None:
    way = way_to(STANDING, STANDING)
    way.places.keys = {at(1): way.guest.key, at(2): new_key().public}
    assert (await way.locator.find()).address == at(2)


async def test_who_wants_no_candidate_waits_for_a_host() -> None:
    way = way_to(STANDING)
    way.locator.takes_candidates = False
    with pytest.raises(TimeoutError):
        await way.locator.find(1.0)
    way.places.said[at(1)] = greeting(MOVED)
    assert (await way.locator.find(1.0)).address == at(1)


async def test_an_old_host_is_dialled_when_nobody_else_is_there_but_leads_nowhere() -> None:
    way = way_to(CARD, promise=3)
    assert await way.dial() == at(1)
    with pytest.raises(TimeoutError):
        await way.locator.find(0.5)


async def test_everybody_who_claims_to_have_the_new_table_is_noted_and_not_taken() -> None:
    third = replace(CARD, table=b"3" * 32, continues=(OFFERED.table, TABLE))
    way, claims = way_to(OFFERED, OTHER, third), dict[Address, Card | None]()
    way.locator.on_claim = lambda said: claims.update({said.address: said.card})
    with pytest.raises(TimeoutError):
        await way.locator.reach(0.5)
    assert claims == {at(1): OFFERED, at(3): third}


@pytest.mark.usefixtures("services")
async def test_a_table_that_goes_on_from_this_one_is_asked_where_it_is_listed(air: Air) -> None:
    search = Search()
    found = FoundTable(at(1), OFFERED, PROTOCOL, "1")
    search._take((found, replace(found, address=at(2), card=OTHER), replace(found, address=at(3))))
    assert search.addresses(TABLE) == [at(1), at(3)]
    assert search.addresses(OFFERED.table) == [at(1), at(3)]


# The link that was greeted


async def test_a_link_that_was_found_beside_another_is_gone_on_with() -> None:
    way = way_to(CARD)
    assert await way.locator.answers()
    assert await way.dial() == at(1)
    assert (way.places.asked, way.places.open) == ([at(1)], 1)


@pytest.mark.parametrize("end", ["answers", "close", "arrived"])
async def test_a_link_that_nobody_went_on_with_is_left(end: str) -> None:
    way = way_to(CARD)
    assert await way.locator.answers()
    if ending := getattr(way.locator, end)():
        await ending
    await asyncio.sleep(0)
    assert way.places.open == (end == "answers")


async def test_a_link_to_another_table_is_not_used() -> None:
    way = way_to(OTHER)
    way.locator.use(await reach(at(1), 1.0, way.places.connect))
    way.places.said[at(1)] = greeting()
    await way.dial()
    assert (len(way.places.asked), way.places.open) == (2, 1)


async def test_a_search_that_is_given_up_leaves_everybody() -> None:
    way = way_to(STANDING, None)
    finding = asyncio.create_task(way.locator.reach())
    await asyncio.sleep(SETTLE_WORSE_DELAY / 2)
    assert way.places.open
    finding.cancel()
    await asyncio.gather(finding, return_exceptions=True)
    await asyncio.sleep(0)
    assert (way.places.open, way.places.waiting) == (0, 0)


# Where it has led


async def test_an_address_that_leads_nowhere_comes_last_for_longer_every_time() -> None:
    way = way_to(MOVED, CARD)
    for times in range(8):
        assert [await way.dial(), await way.dial()] == [at(1), at(2)]
        since = now()
        way.locator.arrived()
        pause = min(MIN_BACKOFF * 2**times, MAX_BACKOFF)
        await asyncio.sleep(since + pause - now() - 0.2)
        assert (await way.locator.find()).address == at(2)
        await asyncio.sleep(0.3)
        assert (await way.locator.find()).address == at(1)


async def test_the_host_of_the_log_is_worth_another_attempt_however_often_that_led_nowhere() -> (
    None
):
    way, host = way_to(MOVED, CARD), Story(2).table
    for _ in range(4):
        await way.dial()
    answer = replace(await way.locator.find(), address=at(1))
    assert not way.locator.is_rested(replace(answer, key=host.host))
    way.guest.table, way.guest.voter.promised = host, MOVED.epoch
    for key, epoch, is_rested in (
        (host.host, MOVED.epoch, True),
        (host.host, CARD.epoch, False),
        (bytes(32), MOVED.epoch, False),
    ):
        told = replace(answer, key=key, card=replace(MOVED, epoch=epoch))
        assert way.locator.is_rested(told) is is_rested


async def test_an_address_that_led_nowhere_comes_before_a_host_whose_epoch_is_over() -> None:
    way = way_to(MOVED, CARD, promise=1)
    assert [await way.dial(), await way.dial()] == [at(1), at(1)]


async def test_an_address_that_led_to_the_table_is_asked_first_and_nothing_counts_against_it() -> (
    None
):
    way = way_to(None, CARD, CARD)
    assert await way.dial() == at(2)
    way.locator.arrived()
    assert way.locator.addresses == (at(2), at(1), at(3))
    assert await way.dial() == at(2)


# What it learns


def test_where_seats_could_serve_is_remembered_when_nobody_is_told_of_any_more() -> None:
    way = Way(Places())
    way.told(1, 2)
    way.told(3)
    way.told()
    way.told(4, key=way.guest.key)
    way.guest.places = (Whereabout(b"k" * 32, "not an address!", 1),)
    way.locator.tick()
    assert way.locator.addresses == (at(3), at(1), at(2))


def test_addresses_have_a_bound() -> None:
    way = Way(Places())
    for start in range(1, 90, 9):
        way.told(*range(start, start + 9))
    assert len(way.locator.addresses) == MAX_ASKED


@pytest.mark.parametrize("kept", [True, False])
async def test_what_was_learned_survives_the_program_and_nobody_waits_for_the_disk(
    kept: bool,
) -> None:
    Way(Places(), [at(7)], kept=kept).told(1)
    assert known_addresses.of_table(TABLE) == ()
    await asyncio.sleep(1.0)
    later = Way(Places(), [], kept=True).locator.addresses
    assert later == ((at(7), at(1)) if kept else ())


async def test_whose_machine_answers_is_heard_though_nobody_serves_the_table() -> None:
    keys = [bytes([number]) * 32 for number in range(5)]
    said: dict[Address, bytes | OSError] = {
        at(1): REFUSED,
        at(2): OSError("no route"),
        at(4): greeting(OTHER),
    }
    way = Way(Places(said), [])
    way.guest.places = tuple(
        Whereabout(key, at(number).host, 7763) for number, key in enumerate(keys)
    )
    way.locator.tick()
    with pytest.raises(TimeoutError):
        await way.locator.reach(0.5)
    assert way.locator.heard == {keys[1], keys[4]}
    way.locator.arrived()
    assert way.locator.heard == frozenset()


async def test_whose_machine_answered_counts_as_heard_for_a_few_seconds() -> None:
    key, said = bytes(32), Places({at(1): REFUSED})
    way = Way(said, [])
    way.guest.places = (Whereabout(key, at(1).host, 7763),)
    way.locator.tick()
    for _ in range(2):
        with pytest.raises(TimeoutError):
            await way.locator.reach(2 * HEARD_FOR)
        assert way.locator.heard == {key}
    await asyncio.sleep(HEARD_FOR + 0.1)
    assert way.locator.heard == frozenset()


# The lobby's search


HERE = Beacon(BeaconKind.HERE, 7763, TABLE[:TABLE_BYTES])


@pytest.mark.usefixtures("services")
async def test_the_network_is_searched_after_the_first_failure_and_until_the_table_is_reached(
    air: Air,
) -> None:
    search = Search()
    way = Way(greeters(CARD, MOVED), [at(1)], search=search)
    assert await way.dial() == at(1) and not air.ears
    way.locator.arrived()
    del way.places.said[at(1)]
    dialling = asyncio.create_task(way.dial())
    await asyncio.sleep(ASK_INTERVAL - 0.1)
    assert not air.ears
    await asyncio.sleep(0.6)
    air.hears(HERE, at(2).host)
    assert await dialling == at(2)
    assert air.ears
    way.locator.arrived()
    await asyncio.sleep(0.5)
    assert not air.ears
    await way.locator.close()


@pytest.mark.usefixtures("services")
async def test_a_search_ends_with_a_link_that_came_back_by_itself(air: Air) -> None:
    way = Way(Places(), [at(1)], search=Search())
    with pytest.raises(TimeoutError):
        await way.locator.find(2.0)
    assert air.ears
    way.guest.link = LinkState.UP
    way.locator.tick()
    await asyncio.sleep(0.5)
    assert not air.ears


@pytest.mark.usefixtures("services")
async def test_forged_beacons_fill_no_memory(air: Air) -> None:
    search = Search()
    await search.begin(None)
    await asyncio.sleep(0.5)
    for number in range(MAX_SEEN + 9):
        air.hears(HERE, at(number).host)
    assert len(search.addresses(TABLE)) == MAX_SEEN
    assert search.addresses(TABLE)[0] == at(MAX_SEEN + 8)
    air.hears(replace(HERE, kind=BeaconKind.GONE), at(MAX_SEEN + 8).host)
    assert search.addresses(TABLE)[0] == at(MAX_SEEN + 7)
    await search.close()
