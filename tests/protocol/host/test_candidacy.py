"""A table whose host is gone: who may take it over, and how the game goes on."""

from __future__ import annotations

from protocol.guest.effects import HandedOver, Promise
from protocol.rules.words import Bid
from protocol.table.statements import Backing, HostMoved, Measure, Speak
from protocol.table.transitions.seating import sign_support
from protocol.timeouts import SUPPORT_DELAY
from tests.helpers.tables import MemoryTable
from tests.protocol.moving import after_a_game, gather, moved, playing


def handed_over_by_one_of_two(forged: bool = False) -> MemoryTable:
    """The host is one of two seats, gives the other one its support and is gone."""
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


def test_who_has_lost_the_seat_promises_support_that_is_no_vote() -> None:
    table = after_a_game(5)
    candidate, *others, gone = table.clients
    watcher = table.add(sit=False)
    table.decide(Measure.REMOVE, gone.guest.key)
    table.now(SUPPORT_DELAY)
    table.stand(candidate)
    for each in others:
        each.guest.voter.hear(table.now())  # so they support nobody yet
    gather(table, candidate, watcher, gone, *others)
    assert Promise(1) in gone.events and Promise(1) not in watcher.events
    table.pass_time(SUPPORT_DELAY + 0.5)
    assert not table.host.is_standing
    [move] = [each.statement for each in table.host.log if isinstance(each.statement, HostMoved)]
    assert gone.guest.key not in {vote.voter for vote in move.votes}
