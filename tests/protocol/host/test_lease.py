"""Whether a host may still act as one, and what it holds back while it may not."""

from __future__ import annotations

import pytest

from protocol.encoding.untrusted import ForeignText
from protocol.guest.link import HostLink
from protocol.host.lease import Lease
from protocol.rules.words import Bid, Ending
from protocol.table.state import Phase
from protocol.table.statements import Measure, Say, Sit, Speak
from protocol.timeouts import LEASE, SUPPORT_DELAY, Moment, RoundTrip
from protocol.wire.messages import Ping, write
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.protocol.moving import after_a_game, gather, playing, silent


def test_a_host_that_slept_waits_for_an_answer_before_it_goes_on() -> None:
    table = playing()
    silent(table, *table.clients)
    now = table.now()
    assert table.host.may_go_on(now)
    assert not table.host.may_go_on(Moment(now.monotonic + 0.1, now.wall + 600_000))


def test_what_was_answered_to_a_candidate_gives_the_new_host_no_lease() -> None:
    table = playing()
    link = next(link for link, each in table.host.connections.inside() if each.key)
    connection, lease = table.host.connections[link], Lease(table.host.connections, table.host.log)
    connection.address = "10.0.0.1"
    before, at = lease.next_ping(moment(1)), moment(1.1)
    assert before
    lease.answered(connection, before, at)
    assert connection.is_heard(at)
    lease.begin()
    lease.answered(connection, before, at)
    assert not connection.is_heard(at)
    after = lease.next_ping(at)
    assert after
    lease.answered(connection, after, at)
    assert connection.is_heard(at)


def test_what_is_held_back_of_a_seat_is_not_overtaken_by_what_it_says_later() -> None:
    table = playing()
    speaker = table.speaker()
    silent(table, *table.clients)
    for connection in table.host.connections.values():
        connection.echoed = None
    table.act(speaker, speaker.guest.speak(Bid(3)))
    assert not table.host.may_go_on(table.now())
    hello = speaker.guest.propose(Say(ForeignText("hello")))
    for connection in table.host.connections.values():
        connection.echoed = table.now()
    table.act(speaker, hello)
    table.pass_time(1)
    said = [entry.statement for entry in table.host.log][-2:]
    assert said == [Speak(Bid(3)), Say(ForeignText("hello"))]


def few_in(fists: int, without: int) -> tuple[MemoryTable, list[GuestSide]]:
    """A round in which the first speakers have a fist in, and the others let the clock run out."""
    table = MemoryTable(fists + without, clock=2)
    table.ready()
    starter = table.clients[0].view.starter or 0
    order = [*table.clients[starter:], *table.clients[:starter]]
    for client in order[:fists]:
        table.act(client, client.guest.choose(1, table.entropy()))
    table.pass_time(3)
    return table, order[fists:]


def ignorant(table: MemoryTable, *clients: GuestSide) -> None:
    """These hear nothing any more, and nobody has noticed."""
    for client in clients:
        assert client.link is not None
        connection = table.host.connections.get(client.link)
        assert connection is not None
        connection.clogged_since = table.time


def test_two_of_four_seats_are_enough() -> None:
    table, waiting = few_in(2, 2)
    ignorant(table, *waiting)
    table.say(Bid(2), Ending.CALL)
    assert table.host.table.phase is not Phase.WITNESSING


def test_who_is_a_witness_need_not_tell_what_is_on_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    tell = HostLink.next_ping
    monkeypatch.setattr(HostLink, "next_ping", lambda link, _, *rest: tell(link, 0, *rest))
    table, _ = few_in(3, 0)
    table.say(Bid(2), Ending.CALL)
    assert table.host.table.phase is not Phase.WITNESSING


def test_nobody_says_to_hold_more_than_it_was_sent() -> None:
    table, waiting = few_in(2, 3)
    liar = waiting[0]
    ignorant(table, *waiting)
    table.say(Bid(2), Ending.CALL)
    assert liar.link is not None
    table._to_host(liar.link, write(Ping(0, 10**6)))
    assert table.host.table.phase is Phase.WITNESSING


@pytest.mark.parametrize("knows", [False, True])
def test_who_holds_all_but_a_removal_may_have_moved_the_table_with_whoever_is_gone(
    knows: bool,
) -> None:
    table = after_a_game(5)
    *_, gone = unheard = table.clients[:3]
    silent(table, *unheard)
    ignorant(table, *unheard)
    later = table.now(LEASE + 0.5)
    for client in unheard:
        assert client.link is not None
        table.host.connections[client.link].held = len(table.host.log) + knows
    table.decide(Measure.REMOVE, gone.guest.key)
    assert table.host.may_go_on(later) is knows


@pytest.mark.parametrize("is_back", [False, True])
def test_who_was_taken_away_and_sits_again_may_move_the_table_with_who_is_taken_away_next(
    is_back: bool,
) -> None:
    table = MemoryTable(3)
    own, second, third = table.clients
    table.now(SUPPORT_DELAY)
    table.stand(own)
    gather(table, *table.clients)
    silent(table, third)
    table.decide(Measure.REMOVE, second.guest.key)
    if is_back:
        table.connect(second)
        table.act(second, second.guest.propose(Sit(ForeignText("Bo"))))
        silent(table, second)
    table.now(LEASE)
    table.decide(Measure.REMOVE, third.guest.key)
    assert table.host.may_go_on(table.now()) is not is_back


def test_a_host_is_deserted_where_it_has_removed_somebody_and_hears_nobody() -> None:
    table = MemoryTable(3)
    first, second, third = table.clients
    silent(table, first, second)
    table.decide(Measure.REMOVE, second.guest.key)
    assert not table.host.lease.is_deserted(table.host.table, table.now(LEASE))
    silent(table, third)
    assert table.host.lease.is_deserted(table.host.table, table.now(LEASE + 0.1))


def test_a_host_that_has_removed_all_others_is_deserted_by_those_who_watch() -> None:
    table = MemoryTable(2)
    first, second = table.clients
    watcher = table.add(sit=False)
    silent(table, first)
    table.decide(Measure.REMOVE, second.guest.key)
    silent(table, second)
    at = table.now(LEASE + 0.1)
    table.host.connections[watcher.link or 0].echoed = at
    table.host.connections[watcher.link or 0].address = "192.0.2.9"
    assert watcher.guest.key in table.host.lease.heard(at)
    assert table.host.lease.is_deserted(table.host.table, at)


def test_a_host_that_has_removed_nobody_only_waits() -> None:
    table = MemoryTable(3)
    silent(table, *table.clients)
    assert not table.host.lease.is_deserted(table.host.table, table.now(LEASE))


# Slow networks


def answered_after(round_trip: float, seconds: int) -> list[bool]:
    """Whether a host may go on, in each quarter of a second, if all its answers take this long."""
    table = playing()
    link = next(link for link, each in table.host.connections.inside() if each.key)
    connection, lease = table.host.connections[link], Lease(table.host.connections, table.host.log)
    connection.address, connection.trip = "10.0.0.1", RoundTrip(round_trip)
    connection.echoed = None
    under_way: list[tuple[float, Ping]] = []
    held = []
    for at in (moment(quarter / 4) for quarter in range(4 * seconds)):
        if ping := lease.next_ping(at):
            under_way.append((at.monotonic + round_trip, ping))
        while under_way and under_way[0][0] <= at.monotonic:
            lease.answered(connection, under_way.pop(0)[1], at)
        held.append(connection.is_heard(at))
    return held


def moment(seconds: float) -> Moment:
    return Moment(seconds, round(seconds * 1000))


@pytest.mark.parametrize("round_trip", [0.0, 0.5, 1.0, 2.0, 2.25, 2.45])
def test_answers_that_take_long_renew_a_lease_in_time(round_trip: float) -> None:
    assert all(answered_after(round_trip, 20)[int(4 * round_trip) + 1 :])


def test_an_answer_that_takes_longer_than_a_lease_gives_none() -> None:
    assert not any(answered_after(LEASE + 0.25, 20)[1 + int(4 * LEASE) :])
