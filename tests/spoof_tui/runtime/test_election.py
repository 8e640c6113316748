"""A seat's turn to stand for host: the order of the seats, hope, and whoever was named."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator

import pytest

from protocol.guest.guest import Guest
from protocol.timing import GONE_DELAY, STAND_FOR, STAND_INTERVAL, SUPPORT_DELAY, Moment, RoundTrip
from protocol.views import LinkState
from protocol.wire.messages import Whereabout
from spoof_tui.runtime import election
from spoof_tui.runtime.election import LOOK_ROUND, ElectionTimer
from tests.spoof_tui.runtime.local_table import LocalTable, local_table, new_key, until

NAMES = ("Ann", "Bob", "Cem", "Dan")

EPSILON = 0.001


def after(seconds: float, begin: float = 1000.0) -> Moment:
    return Moment(begin + seconds, round((begin + seconds) * 1000))


@contextlib.asynccontextmanager
async def orphans(*away: str) -> AsyncIterator[list[Guest]]:
    """Four seats that have lost a host without a seat at this moment; some were away before."""
    async with local_table() as table:
        sitters = await table.sit(*NAMES)
        await leave(table, *away)
        yield [orphan(each.session.guest) for each in sitters]


async def leave(table: LocalTable, *away: str) -> None:
    for name, sitter in zip(NAMES, list(table.sitters), strict=True):
        if name in away:
            await sitter.crash()
    here = [each for name, each in zip(NAMES, table.sitters, strict=True) if name not in away]
    await until(lambda: all(s.view.position == len(table.server.host.log) for s in here))


def orphan(of: Guest) -> Guest:
    """The same seat with no link, which hears of its host's silence from second 1000 on."""
    guest = Guest(of._key, entries=of.log)
    assert guest.table
    guest.places = tuple(Whereabout(seat.key, "10.0.0.1", 7) for seat in guest.table.seats)
    assert guest.link is LinkState.DOWN and guest.voter.silence(after(0)) == 0
    return guest


def turns(guests: list[Guest]) -> list[float | None]:
    """After how many rounds of the others each seat stands; None: not in a dozen."""
    return [turn_of(ElectionTimer(guest)) for guest in guests]


def turn_of(timer: ElectionTimer) -> float | None:
    for turn in range(12):
        at = SUPPORT_DELAY + turn * STAND_INTERVAL
        if timer.is_due(after(at + EPSILON), is_renewal=False):
            assert not timer.is_due(after(at - EPSILON), is_renewal=False)
            return turn
    return None


async def test_the_seats_stand_one_after_the_other() -> None:
    async with orphans() as guests:
        assert turns(guests) == [0, 1, 2, 3]


async def test_nobody_stands_while_a_slow_network_explains_the_silence() -> None:
    async with orphans() as guests:
        timer, slow = ElectionTimer(guests[0]), RoundTrip(1.0)
        guests[0].trip = slow
        assert timer.stand_for == STAND_FOR
        assert not timer.is_due(after(SUPPORT_DELAY + EPSILON), is_renewal=False)
        assert timer.is_due(after(slow.limit(SUPPORT_DELAY, 6) + EPSILON), is_renewal=False)
        assert timer.stand_for > STAND_FOR and timer.look_for > LOOK_ROUND


async def test_a_link_inside_of_the_program_tells_nothing_of_the_network() -> None:
    async with orphans() as guests:
        timer, slow = ElectionTimer(guests[0]), RoundTrip(1.0)
        for trip in (slow, RoundTrip(0.0)):
            guests[0].trip = trip
            timer.is_due(after(0), is_renewal=False)
        assert timer.trip is slow


async def test_the_turns_are_further_apart_on_a_slow_network() -> None:
    async with orphans() as guests:
        timer, slow = ElectionTimer(guests[1]), RoundTrip(1.0)
        guests[1].trip = slow
        first = slow.limit(SUPPORT_DELAY, 6)
        assert not timer.is_due(after(first + STAND_INTERVAL), is_renewal=False)
        assert timer.is_due(
            after(first + slow.limit(STAND_INTERVAL, 8) + EPSILON), is_renewal=False
        )


async def test_the_turns_begin_when_a_host_that_was_silent_is_left() -> None:
    async with orphans() as guests:
        for turn, guest in enumerate(guests):
            timer = ElectionTimer(guest)
            guest.link = LinkState.UNSTEADY
            assert not timer.is_due(after(GONE_DELAY), is_renewal=False)
            guest.link = LinkState.DOWN
            first = GONE_DELAY + turn * STAND_INTERVAL
            assert not timer.is_due(after(first - EPSILON), is_renewal=False)
            assert timer.is_due(after(first + EPSILON), is_renewal=False)


async def test_a_seat_that_is_away_is_not_waited_for() -> None:
    async with orphans("Ann") as guests:
        assert turns(guests[1:]) == [0, 1, 2]


async def test_a_seat_whose_program_serves_no_table_is_not_waited_for() -> None:
    async with orphans() as guests:
        for guest in guests:
            guest.places = guest.places[2:]
        assert turns(guests[2:]) == [0, 1]


async def test_who_never_opened_a_fist_here_stands_last() -> None:
    async with orphans() as guests:
        for guest in guests:
            assert guest.table
            object.__setattr__(guest.table, "played", {guests[1].key, guests[3].key})
        assert turns(guests) == [2, 0, 3, 1]


async def test_who_was_host_stands_first() -> None:
    async with orphans() as guests:
        for guest in guests:
            assert guest.table
            object.__setattr__(guest.table, "host", guests[3].key)
        assert turns(guests) == [0, 1, 2, 0]


async def test_without_hope_of_a_majority_one_stands_only_at_the_last() -> None:
    async with orphans(*NAMES[:3]) as guests:
        timer = ElectionTimer(guests[3])
        assert not timer.is_due(after(election.LAST_HOPE), is_renewal=False)
        assert timer.is_due(after(election.LAST_HOPE + EPSILON), is_renewal=False)


async def test_two_whose_host_is_gone_before_one_of_them_counts_stand_at_the_last() -> None:
    async with local_table(key=(key := new_key())) as table:
        seated = [table.seat("Ann", Guest(key)), table.seat("Bob")]
        await until(lambda: all(each.sits for each in seated))
        for each in seated:
            each.wire.swallows = True
        _, bob = seated
        cem = table.seat("Cem")
        await until(lambda: all(len(each.view.seats) == 3 for each in (bob, cem)))
        for guest in (orphan(bob.session.guest), orphan(cem.session.guest)):
            assert guest.table and guest.table.former == frozenset(
                {key.public, bob.session.guest.key}
            )
            timer = ElectionTimer(guest)
            assert not timer.is_due(after(election.LAST_HOPE), is_renewal=False)
            assert timer.is_due(after(election.LAST_HOPE + EPSILON), is_renewal=False)


@pytest.mark.parametrize(("is_renewal", "delay"), [(False, 0.0), (True, election.URGENT_DELAY)])
async def test_who_is_named_stands_at_once_or_soon(is_renewal: bool, delay: float) -> None:
    async with orphans() as guests:
        timer = ElectionTimer(guests[3])
        timer.hand_over(guests[3].key, after(0))
        assert timer.is_due(after(delay + EPSILON), is_renewal=is_renewal)
        assert not timer.is_due(after(delay - EPSILON), is_renewal=is_renewal)


async def test_while_another_is_named_nobody_else_stands_at_once() -> None:
    async with orphans() as guests:
        timer = ElectionTimer(guests[0])
        timer.hand_over(guests[3].key, after(10))
        assert timer.silence(after(11)) == 1
        assert not timer.is_due(after(11), is_renewal=False)


async def test_whoever_hold_more_than_the_one_who_stands_stand_in_turn_and_once() -> None:
    async with orphans() as guests:
        for guest, turn in zip(guests, (0, 1, 2, 2), strict=True):
            timer, due = ElectionTimer(guest), turn * election.CALL_INTERVAL
            timer.call(after(0))
            assert timer.is_due(after(due), is_renewal=False)
            assert not timer.is_due(after(due - EPSILON), is_renewal=False)
            timer.stood()
            assert not timer.is_due(after(due), is_renewal=False)


async def test_after_standing_in_vain_the_others_have_their_turns_first() -> None:
    async with orphans() as guests:
        timer = ElectionTimer(guests[1])
        timer.failed(after(20))
        assert not timer.is_due(after(20 + 2 * STAND_INTERVAL - EPSILON), is_renewal=False)
        assert timer.is_due(after(20 + 2 * STAND_INTERVAL), is_renewal=False)
