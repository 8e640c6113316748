"""A table whose host is gone: who may take it over, and how the game goes on."""

from __future__ import annotations

import pytest

from protocol.errors import Illegal
from protocol.guest.effects import HandedOver, Promise
from protocol.host.host import Elected
from protocol.rules.words import Bid, Ending
from protocol.table.announcements import Backing, Decide, HostMoved
from protocol.table.electorate import can_move
from protocol.table.state import Phase
from protocol.table.statements import Measure, Speak
from protocol.table.transitions.succession import sign_support
from protocol.timing import SUPPORT_DELAY
from protocol.views import LinkState
from protocol.wire.messages import State
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.protocol.moving import after_a_game, gather, moved, playing


def test_a_majority_moves_the_table_and_the_game_goes_on_from_the_same_word() -> None:
    table = moved()
    assert any(isinstance(effect, Elected) for effect in table.told)
    assert table.host.table.epoch == 1
    assert table.host.table.host == table.clients[0].guest.key
    assert {client.guest.link for client in table.clients} == {LinkState.UP}
    table.say(Bid(3), Ending.CALL)
    table.play_on()
    assert {client.guest.log.head for client in table.clients} == {table.host.log.head}


def test_no_hand_is_lost_when_the_table_moves_before_the_words() -> None:
    table = MemoryTable(3)
    table.ready()
    first, *others = table.clients
    table.act(first, first.guest.choose(2, table.entropy()))
    table.now(SUPPORT_DELAY)
    table.stand(others[0])
    gather(table, *table.clients)
    assert first.guest.own_hand == 2
    table.choose(1, 0)
    table.play_on()
    assert table.host.table.phase is Phase.GATHERING


@pytest.mark.parametrize(("players", "present"), [(2, 1), (3, 1), (4, 2), (5, 2)])
def test_half_of_the_seats_or_fewer_do_not_move_a_table(players: int, present: int) -> None:
    table = playing(players)
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, *table.clients[:present])
    table.pass_time(2)
    assert table.host.is_standing
    assert table.host.card.state is State.MOVING


def test_who_stands_alone_promises_nothing_and_can_go_back() -> None:
    table = playing()
    old_host, old_key = table.host, table.host_key
    table.now(SUPPORT_DELAY)
    alone = table.clients[0]
    table.stand(alone)
    gather(table, alone)
    table.pass_time(2)
    assert alone.guest.epoch == 0
    table.host, table.host_key, table.shown_key = old_host, old_key, old_key.public
    gather(table, alone)
    assert alone.guest.link is LinkState.UP


def test_watchers_alone_do_not_move_a_running_game() -> None:
    table = MemoryTable(3)
    table.ready()
    late = [table.add() for _ in range(4)]
    table.choose(1, 1, 1)
    table.now(SUPPORT_DELAY)
    table.stand(late[0])
    gather(table, *late, table.clients[0])
    table.pass_time(2)
    assert table.host.is_standing
    gather(table, table.clients[1])
    assert not table.host.is_standing


def test_somebody_without_a_seat_gives_no_support() -> None:
    table = playing(2)
    watchers = [table.add(sit=False) for _ in range(5)]
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, table.clients[0], *watchers)
    table.pass_time(2)
    assert table.host.is_standing


@pytest.fixture(params=[False, True], ids=["held", "borrowed"])
def torn(request: pytest.FixtureRequest) -> tuple[MemoryTable, SeatedGuest]:
    """A table whose host has removed two of the three who were cut off from it, and the third.

    One of the two who are here stands on the log of this host, or on a part that the other
    completes, and both would be enough by the table.
    """
    table = after_a_game(5)
    here, heir, away, *strangers = table.clients
    table.lose_at_once(away, *strangers)
    if request.param:
        table.cut(heir)
    for each in strangers:
        table.decide(Measure.REMOVE, each.guest.key)
    table.pass_time(1)
    come = [here, heir]
    assert can_move(table.host.table, {each.guest.key for each in come}, heir.guest.key)
    table.now(SUPPORT_DELAY)
    table.stand(heir)
    gather(table, *come)
    table.pass_time(2)
    return table, away


def test_nobody_is_chosen_while_who_was_removed_may_have_chosen_another(
    torn: tuple[MemoryTable, SeatedGuest],
) -> None:
    table, _ = torn
    assert any(isinstance(each.statement, Decide) for each in table.host.log)
    assert table.host.is_standing


def test_who_comes_has_chosen_no_other_with_those_who_were_removed(
    torn: tuple[MemoryTable, SeatedGuest],
) -> None:
    table, away = torn
    table.connect(away)
    table.pass_time(2)
    assert not table.host.is_standing
    assert table.host.may_go_on(table.now())


def test_it_is_the_support_that_counts_and_not_who_is_here(
    torn: tuple[MemoryTable, SeatedGuest], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, away = torn
    monkeypatch.setattr(away.guest.voter, "support", lambda *heard: [])
    table.connect(away)
    table.pass_time(2)
    assert table.host.is_standing


def test_the_host_hands_its_role_over() -> None:
    table = MemoryTable(3)
    heir = table.clients[1]
    for client in table.clients:
        client.address = "192.0.2.1"
        client.guest._port = 7000
        table.cut(client)
        table.connect(client)
    table.pass_time(0.5)
    table.hand_over(heir.guest.key)
    assert all(HandedOver(heir.guest.key) in client.events for client in table.clients)
    table.stand(heir)
    gather(table, *table.clients)
    assert table.host.table.host == heir.guest.key


def handed_over_by_one_of_two(forged: bool = False) -> MemoryTable:
    """The host is one of two seats, leaves its support to the other one and is gone."""
    table = moved(2)
    leaver, heir = table.clients
    for client in table.clients:
        client.address = "192.0.2.1"
        client.guest._port = 7000
        table.cut(client)
        table.connect(client)
    kept, _ = leaver.guest.voter.pledge(heir.guest.key, leaver.guest.table)
    assert kept == Promise(table.host.table.epoch + 1)
    signer = heir.guest._key if forged else leaver.guest._key
    at = table.host.table
    table.hand_over(
        heir.guest.key, sign_support(signer, at.id, at.epoch + 1, heir.guest.key, at.head)
    )
    [given] = [each for each in heir.events if isinstance(each, HandedOver)]
    assert given.support
    table.stand(heir, pledges=[Backing(leaver.guest.key, given.support)])
    gather(table, heir)
    return table


def test_of_two_seats_the_one_that_stays_is_host_by_the_support_that_the_other_has_left() -> None:
    table = handed_over_by_one_of_two()
    assert table.host.table.host == table.clients[1].guest.key
    assert table.host.table.epoch == 2


def test_a_support_that_another_key_has_signed_moves_no_table() -> None:
    table = handed_over_by_one_of_two(forged=True)
    assert table.host.is_standing


def test_support_for_a_shorter_log_is_none_for_a_candidate_that_has_borrowed_more() -> None:
    table = playing(5)
    candidate, gone, *ahead = (each for each in table.clients if not each.view.my_turn)
    ahead.append(table.speaker())
    table.cut(candidate)
    short = candidate.guest.log.head
    signed = sign_support(gone.guest._key, table.host.table.id, 1, candidate.guest.key, short)
    table.say(Bid(3))
    table.now(SUPPORT_DELAY)
    table.stand(candidate, pledges=[Backing(gone.guest.key, signed)])
    gather(table, candidate, *ahead)
    assert not table.host.is_standing


def test_who_has_left_its_support_to_one_gives_it_to_no_other() -> None:
    table = moved(2)
    leaver, heir = table.clients
    assert leaver.guest.voter.pledge(heir.guest.key, leaver.guest.table)
    assert leaver.guest.voter.pledge(leaver.guest.key, leaver.guest.table) == []
    assert leaver.guest.epoch == table.host.table.epoch + 1


def test_a_role_is_handed_over_only_to_a_seat_that_could_serve() -> None:
    table = MemoryTable(3)
    with pytest.raises(Illegal):
        table.hand_over(table.clients[1].guest.key)


def test_seats_that_are_not_there_when_the_table_has_moved_are_away() -> None:
    table = playing(3)
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, *table.clients[:2])
    assert [seat.away for seat in table.host.table.seats] == [False, False, True]
    gather(table, table.clients[2])
    assert not any(seat.away for seat in table.host.table.seats)


def test_a_seat_that_was_away_is_back_when_the_table_has_moved_with_its_help() -> None:
    table = playing(3)
    first, second, _ = table.clients
    table.cut(first)
    table.connect(second)
    assert table.host.table.seats[0].away
    table.now(SUPPORT_DELAY)
    table.stand(second)
    gather(table, second, first)
    assert table.host.table.epoch == 1
    assert [seat.away for seat in table.host.table.seats] == [False, False, True]


def test_a_moved_table_moves_again() -> None:
    table = moved()
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[1])
    gather(table, table.clients[1], table.clients[2])
    assert table.host.table.epoch == 2
    first = table.clients[0]
    gather(table, first)
    assert first.guest.link is LinkState.UP
    announcements = [e for e in table.host.log if isinstance(e.statement, HostMoved)]
    assert [entry.epoch for entry in announcements] == [1, 2]


def test_somebody_new_comes_to_a_table_that_has_moved() -> None:
    table = moved()
    table.shown_key = table.host_key.public
    late = table.add()
    assert late.guest.link is LinkState.UP
    assert late.guest.log.head == table.host.log.head


def test_what_a_candidate_borrowed_is_recorded_once_it_is_elected_and_not_before() -> None:
    table = playing()
    candidate = next(client for client in table.clients if not client.view.my_turn)
    others = [client for client in table.clients if client is not candidate]
    table.cut(candidate)
    table.say(Bid(3))
    table.stand(candidate)
    recorded = len(table.recorded)
    gather(table, *others)
    assert table.host.is_standing and len(table.recorded) == recorded
    table.pass_time(SUPPORT_DELAY + 0.5)
    said = [each.statement for each in table.host.log if each.blob in table.recorded[recorded:]]
    move = next(at for at, each in enumerate(said) if isinstance(each, HostMoved))
    assert Speak(Bid(3)) in said[:move]
