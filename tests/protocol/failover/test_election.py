"""A seat's turn to stand for host: seat order, last hopes, and a successor who was named."""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import pytest

from protocol.failover.election import (
    CALL_INTERVAL,
    LAST_HOPE,
    LOOK_TIMEOUT,
    URGENT_DELAY,
    Election,
)
from protocol.guest.effects import HandedOver
from protocol.guest.guest import Guest
from protocol.table.log import Entry
from protocol.timeouts import (
    GONE_DELAY,
    STAND_FOR,
    STAND_INTERVAL,
    SUPPORT_DELAY,
    Moment,
    RoundTrip,
)
from protocol.views import LinkState
from protocol.wire.messages import Whereabout
from tests.helpers.tables import MemoryTable

EPSILON = 0.001

SLOW = RoundTrip(1.0)


def after(seconds: float, begin: float = 1000.0) -> Moment:
    return Moment(begin + seconds, round((begin + seconds) * 1000))


def orphans(*away: int, count: int = 4) -> list[Guest]:
    """Seats that lose a host without a seat in second 1000; some were away before."""
    table = MemoryTable(count)
    for place in away:
        table.cut(table.clients[place])
    guests = []
    for seated in table.clients:
        guests.append(orphan(seated.guest, table.host.log if away else seated.guest.log))
    return guests


def orphan(of: Guest, log: Iterable[Entry] = ()) -> Guest:
    """The same seat without a link, which hears of its host's silence from second 1000 on."""
    guest = Guest(of._key, entries=list(log) or list(of.log))
    assert guest.table
    guest.places = tuple(Whereabout(seat.key, "10.0.0.1", 7) for seat in guest.table.seats)
    assert guest.link is LinkState.DOWN and guest.voter.silence(after(0)) == 0
    return guest


def election(guest: Guest) -> Election:
    """What the program of this seat knows."""
    return Election(guest._key, guest)


def due(timer: Election, now: float = 0.0) -> float:
    """The second of its next turn, as things stand."""
    timer.note(after(now))
    return round(timer.due(after(now)) - after(0).monotonic, 6)


def turns(guests: list[Guest]) -> list[float]:
    """After how many rounds of the others each seat stands."""
    return [(due(election(guest)) - SUPPORT_DELAY) / STAND_INTERVAL for guest in guests]


def know(guests: list[Guest], **what: object) -> list[Guest]:
    """Everybody knows this of the table, too."""
    for guest in guests:
        assert guest.table
        for name, value in what.items():
            object.__setattr__(guest.table, name, value)
    return guests


def test_the_seats_stand_one_after_the_other_but_for_those_that_cannot() -> None:
    assert turns(orphans()) == [0, 1, 2, 3]
    assert turns(orphans(0)[1:]) == [0, 1, 2], "one that is away is not waited for"
    guests = orphans()
    for guest in guests:
        guest.places = guest.places[2:]
    assert turns(guests[2:]) == [0, 1], "nor one whose program serves no table"
    guests = orphans()
    played = {guests[1].key, guests[3].key}
    assert turns(know(guests, played=played)) == [2, 0, 3, 1], "strangers stand last"
    guests = orphans()
    assert turns(know(guests, host=guests[3].key)) == [0, 1, 2, 0], "who was host stands first"


def test_nobody_stands_while_a_slow_network_explains_the_silence_and_turns_are_further_apart() -> (
    None
):
    first, second, *_ = orphans()
    one, two = election(first), election(second)
    first.trip = second.trip = SLOW
    assert one.stand_for == STAND_FOR and one.look_for == LOOK_TIMEOUT
    patience, interval = SLOW.limit(SUPPORT_DELAY, 6), SLOW.limit(STAND_INTERVAL, 8)
    assert patience > SUPPORT_DELAY and interval > STAND_INTERVAL
    assert [due(one), due(two)] == [pytest.approx(patience), pytest.approx(patience + interval)]
    assert one.stand_for > STAND_FOR and one.look_for > LOOK_TIMEOUT
    first.trip = RoundTrip(0.0)
    assert due(one) == pytest.approx(patience), "a link inside of the program tells nothing of it"


def test_the_turns_begin_when_a_host_that_was_silent_is_left() -> None:
    for turn, guest in enumerate(orphans()):
        timer = election(guest)
        guest.link = LinkState.UNSTEADY
        assert due(timer, GONE_DELAY) == inf
        guest.link = LinkState.DOWN
        assert due(timer, GONE_DELAY) == GONE_DELAY + turn * STAND_INTERVAL


@pytest.mark.parametrize("link", [LinkState.UP, LinkState.MEETING, LinkState.MOVING])
def test_nobody_stands_who_has_a_host_or_is_about_to_come_to_one(link: LinkState) -> None:
    guest = orphans()[0]
    guest.link = link
    assert due(election(guest)) == inf


def test_a_watcher_and_whoever_sits_alone_never_stand_but_a_host_without_a_seat_does() -> None:
    watcher = orphan(MemoryTable(2).add(sit=False).guest)
    assert due(election(watcher)) == inf
    [alone] = orphans(count=1)
    assert due(election(alone)) == inf
    [former] = know([watcher], host=watcher.key)
    assert due(election(former)) == SUPPORT_DELAY


@pytest.mark.parametrize(
    ("players", "away", "played", "moves"),
    [
        (2, (), True, False),
        (3, (), True, True),
        (3, (1,), True, False),
        (4, (1, 2), True, False),
        (5, (), False, True),
        (5, (2,), True, True),
    ],
)
def test_a_table_moves_with_more_than_half_and_before_its_first_game_with_all(
    players: int, away: tuple[int, ...], played: bool, moves: bool
) -> None:
    """The last seat is the host's, and its program is gone."""
    guest, *_, host = orphans(*away, count=players)
    seats = frozenset(seat.key for seat in guest.table.seats) if guest.table else frozenset()
    known = {"played": seats, "dealt": seats} if played else {}
    know([guest], host=host.key, **known)
    assert guest.table and election(guest).has_hope(guest.table) is moves


@pytest.mark.parametrize(
    ("elsewhere", "when"),
    [
        ("ABCD", SUPPORT_DELAY),
        ("ABC", SUPPORT_DELAY),
        ("AB", LAST_HOPE),
        ("A", inf),
        ("BC", SUPPORT_DELAY),
    ],
)
def test_who_went_with_the_host_is_counted_on_by_nobody(elsewhere: str, when: float) -> None:
    """Seats by letter, of four; without A itself it runs in one program with the others."""
    first, *others = orphans()
    keys = dict(zip("ABCD", [each.key for each in (first, *others)], strict=True))
    played = frozenset(keys.values())
    know([first], played=played, dealt=played)
    timer = election(first)
    first.link, first.elsewhere = LinkState.UP, frozenset(keys[each] for each in elsewhere)
    timer.note(after(0))
    first.elsewhere = frozenset()
    timer.note(after(0))
    first.link = LinkState.DOWN
    assert due(timer) == when, "what was told once counts, as far as the log does not say more"


def test_nobody_went_with_a_host_that_stands_to_be_chosen_again() -> None:
    host, guest = orphans(1, count=2)
    played = frozenset([host.key, guest.key])
    know([host], host=host.key, played=played, dealt=played)
    timer = election(host)
    host.link = LinkState.UP
    timer.note(after(0))
    host.link = LinkState.DOWN
    assert due(timer) == LAST_HOPE, "the other one may come back"


def test_a_host_that_has_handed_its_role_over_may_vote() -> None:
    first, second, host = orphans(1, count=3)
    played = frozenset(each.key for each in (first, second, host))
    know([first], host=host.key, played=played, dealt=played)
    timer = election(first)
    first.link, first.elsewhere = LinkState.UP, frozenset([first.key])
    timer.note(after(0))
    first.link = LinkState.DOWN
    assert due(timer) == inf
    timer.hand_over(HandedOver(second.key, None), after(0))
    assert due(timer) == SUPPORT_DELAY


def test_without_hope_of_a_majority_one_stands_only_at_the_last() -> None:
    assert due(election(orphans(0, 1, 2)[3])) == LAST_HOPE
    assert turns(orphans(count=2)) == [0, 1]
    [alone] = orphans(count=1)
    assert due(election(*know([alone], host=alone.key))) == SUPPORT_DELAY, "it is enough itself"


def test_who_knows_of_no_others_stands_first() -> None:
    guest = orphans()[2]
    guest.places = ()
    assert guest.table and election(guest).heirs(guest.table) == [guest.key]
    assert turns([guest]) == [0]


def test_who_counts_as_away_itself_stands_last() -> None:
    assert turns(orphans(0))[0] == 3


def test_what_a_candidate_tells_changes_no_turn() -> None:
    timer = election(guest := orphans()[2])
    guest.link = LinkState.UP
    timer.note(after(0))
    guest.link, guest.places = LinkState.DOWN, guest.places[2:]
    assert due(timer) == SUPPORT_DELAY + 2 * STAND_INTERVAL


@pytest.mark.parametrize("is_dismissed", [False, True])
def test_whoever_is_alone_with_a_host_never_stands(is_dismissed: bool) -> None:
    host, guest = orphans(count=2)
    know([guest], host=host.key)
    if is_dismissed:
        guest.voter.dismiss()
    assert due(election(guest)) == inf


def test_whoever_cannot_serve_or_has_gone_along_to_a_new_table_never_stands() -> None:
    first, second, *_ = orphans()
    first.departure.signed = b"mark"
    assert due(election(first)) == inf
    timer = Election(second._key, second, can_serve=False)
    second.places = second.places[2:]
    assert due(timer) == inf
    assert second.table and timer.heirs(second.table) == [place.key for place in second.places]


def test_each_second_without_a_host_is_told() -> None:
    guest = orphans()[0]
    timer = election(guest)
    assert timer.next_second(after(0)) == inf
    for now in (0.0, 0.4, 1.0, 1.5):
        timer.note(after(now))
        assert timer.next_second(after(now)) == after(int(now) + 1 + EPSILON).monotonic
    guest.link = LinkState.UP
    timer.note(after(2))
    assert timer.next_second(after(2)) == inf


def test_the_time_without_a_host_begins_with_its_silence() -> None:
    guest = orphans()[0]
    timer = election(guest)
    guest.link = LinkState.UNSTEADY
    timer.note(after(4))
    assert timer.time_without_host(after(4)) == 0
    guest.link = LinkState.DOWN
    timer.note(after(5))
    assert timer.time_without_host(after(6)) == 6


@pytest.mark.parametrize(("is_renewal", "delay"), [(False, 0.0), (True, URGENT_DELAY)])
def test_who_is_named_stands_at_once_or_soon_and_nobody_else_before(
    is_renewal: bool, delay: float
) -> None:
    first, *_, last = orphans()
    named, other = election(last), election(first)
    for timer in (named, other):
        timer.hand_over(HandedOver(last.key, None), after(10))
    named.last_epoch = int(is_renewal)
    assert due(named, 10) == 10 + delay
    assert due(other, 10) == 10 + SUPPORT_DELAY and other.silence(after(11)) == 1
    other.handed = None
    assert other.silence(after(11)) == 11, "the one who was named is waited for no longer"
    named.failed_at = after(11).monotonic
    assert due(named, 11) == 11 + STAND_INTERVAL, "a port that is taken is not tried without end"


def test_whoever_was_named_is_waited_for_no_more_once_the_table_has_another_host() -> None:
    guest = orphans()[0]
    timer = election(guest)
    timer.hand_over(HandedOver(guest.key, None), after(0))
    assert due(timer) == 0
    know([guest], host=guest.table.seats[1].key if guest.table else b"")
    assert due(timer) >= SUPPORT_DELAY


def test_a_role_that_was_given_away_long_ago_counts_no_more_once_a_host_is_heard() -> None:
    guest = orphans()[0]
    timer = election(guest)
    timer.hand_over(HandedOver(guest.key, None), after(0))
    for now, is_named in ((SUPPORT_DELAY, True), (SUPPORT_DELAY + EPSILON, False)):
        guest.link = LinkState.UP
        timer.note(after(now))
        guest.link = LinkState.DOWN
        assert (due(timer, now) == 0) is is_named


def test_whoever_hold_more_than_the_one_who_stands_stand_in_turn_and_once() -> None:
    for guest, turn in zip(orphans(), (0, 1, 2, 2), strict=True):
        timer = election(guest)
        timer.call(1, after(0))
        assert due(timer) == turn * CALL_INTERVAL
        timer.stand(after(0))
        assert due(timer) >= SUPPORT_DELAY
        timer.call(1, after(0))
        guest.link = LinkState.UP
        timer.note(after(1))
        guest.link = LinkState.DOWN
        assert due(timer, 1) >= SUPPORT_DELAY, "at a host nobody is called"


def test_after_the_last_seats_turn_the_first_one_has_its_turn_again() -> None:
    for turn, guest in enumerate(orphans()):
        timer, first = election(guest), SUPPORT_DELAY + turn * STAND_INTERVAL
        for now in (0.0, first, first + 0.9 * STAND_INTERVAL):
            assert due(timer, now) == first
        for now in (first + STAND_INTERVAL, first + 4.5 * STAND_INTERVAL):
            assert due(timer, now) == first + 4 * STAND_INTERVAL
        assert due(timer, first + 5 * STAND_INTERVAL) == first + 8 * STAND_INTERVAL
    alone = election(orphans(1, 2, 3)[0])
    for now in (20.0, 20.5):
        assert due(alone, now) == LAST_HOPE + 5 * STAND_INTERVAL, "whose turn it always is"


def test_after_standing_in_vain_the_others_have_their_turns_first() -> None:
    timer = election(orphans()[1])
    timer.failed_at = after(20).monotonic
    assert due(timer, 20) == 20 + 2 * STAND_INTERVAL


def test_of_a_host_that_gave_its_role_away_in_vain_it_is_told_since_when_it_is_missed() -> None:
    guest = orphans()[0]
    timer = election(guest)
    guest.voter.dismiss()
    for now in (5, 7):
        timer.note(after(now))
        assert timer.time_without_host(after(now)) == now - 5
    guest.link = LinkState.MEETING
    timer.note(after(8))
    assert timer.time_without_host(after(8)) == 0
