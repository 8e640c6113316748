"""A table whose host is gone: who may take it over, and how the game goes on."""

from __future__ import annotations

import pytest

from protocol.crypto.keys import SigningKey
from protocol.guest.effects import HandedOver, Promise
from protocol.guest.guest import Guest
from protocol.host.effects import Superseded
from protocol.host.host import Host
from protocol.rules.words import Bid
from protocol.table.electorate import sign_support
from protocol.table.statements import Away, Backing, HostMoved, Measure, Speak
from protocol.timeouts import SUPPORT_DELAY
from tests.helpers.sides import GuestSide
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
    [given] = heir.events(HandedOver)
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
    assert Promise(1) in gone.effects and Promise(1) not in watcher.effects
    table.pass_time(SUPPORT_DELAY + 0.5)
    assert not table.host.is_standing
    [move] = [each.statement for each in table.host.log if isinstance(each.statement, HostMoved)]
    assert gone.guest.key not in {vote.voter for vote in move.votes}


def removed_unheard() -> MemoryTable:
    """After a game of five the last two are removed, which only the first two hear."""
    table = after_a_game(5)
    for number, each in enumerate(table.clients, 1):
        table.cut(each)
        each.address, each.guest._port = f"192.0.2.{number}", 7000
        table.connect(each)
    *_, third, fourth, fifth = table.clients
    table.lose_at_once(third, fourth, fifth)
    table.decide(Measure.REMOVE, fourth.guest.key)
    table.decide(Measure.REMOVE, fifth.guest.key)
    table.now(SUPPORT_DELAY)
    return table


def lost(table: MemoryTable, *clients: GuestSide) -> None:
    """These notice that the link is gone; the other end does not."""
    for client in clients:
        client.link = None
        table._guest(client, client.guest.disconnected())


def moved_without_the_removal() -> MemoryTable:
    """Those who did not hear of it move the table; the fourth promises that and is cut off."""
    table = removed_unheard()
    *_, third, fourth, fifth = table.clients
    table.stand(third, epoch=1)
    fifth.guest.voter.hear(table.now())
    gather(table, third, fifth, fourth)
    lost(table, fourth)
    table.pass_time(SUPPORT_DELAY + 1)
    return table


def restarted(table: MemoryTable, host: Host, key: SigningKey) -> Host:
    """The same host after a crash, to which only the first two come back."""
    table.host_key, table.shown_key = key, key.public
    table.host = Host(key, table.policy, list(host.log), table.random.randbytes)
    table.carry_out(table.host.resume(table.now()))
    lost(table, *table.clients[:2])
    gather(table, *table.clients[:2])
    return table.host


def test_after_a_restart_a_removal_is_still_news_to_those_who_may_have_moved_the_table() -> None:
    table = moved_without_the_removal()
    first, second, third, fourth, fifth = table.clients
    table.stand(second, epoch=2)
    first.guest.voter.hear(table.now())
    gather(table, second, fourth, first)
    table.pass_time(1)
    lost(table, fourth)
    table.pass_time(SUPPORT_DELAY + 1)
    by_two, key = table.host, table.host_key
    table.stand(third, epoch=3)
    fifth.guest.voter.dismiss()
    gather(table, third, fifth, fourth)
    table.pass_time(SUPPORT_DELAY + 2)
    by_three = table.host
    assert not by_two.is_standing and not by_three.is_standing
    by_two = restarted(table, by_two, key)
    assert not by_two.may_go_on(table.now()) and by_three.may_go_on(table.now())


def test_what_somebody_holds_of_a_removal_says_nothing_of_the_host_they_follow() -> None:
    table = moved_without_the_removal()
    first, second, _third, fourth, _fifth = table.clients
    assert not table.host.is_standing
    table.stand(second, epoch=2)
    first.guest.voter.hear(table.now())
    gather(table, second, fourth)
    lost(table, fourth)
    fourth.guest = again(fourth, table)
    gather(table, first, fourth)
    table.pass_time(1.2)
    table.cut(fourth)
    table.pass_time(SUPPORT_DELAY)
    assert table.host.is_standing


def again(client: GuestSide, table: MemoryTable) -> Guest:
    """The same guest after a crash, with its log and its promise."""
    own = client.guest
    return Guest(
        own._key, table.host.table.id, list(own.log), promise=own.voter.promised, port=7000
    )


@pytest.mark.parametrize("epoch", [2, 3])
def test_a_candidate_gives_way_to_a_promise_of_whoever_rule_ten_waits_for(epoch: int) -> None:
    table = removed_unheard()
    first, second, _third, fourth, _fifth = table.clients
    fourth.guest.voter.promised = 3
    table.stand(second, epoch=epoch)
    gather(table, first, second, fourth)
    assert Superseded(3) in table.told


def test_a_candidate_borrows_from_who_has_lost_the_seat() -> None:
    table = removed_unheard()
    first, second, _third, fourth, _fifth = table.clients
    table.connect(fourth)
    lost(table, first, second)
    table.carry_out(table.host._append(Away(first.guest.key), table.now()))
    table.deliver()
    assert len(fourth.guest.log) == len(second.guest.log) + 1
    table.now(SUPPORT_DELAY)
    table.stand(second, epoch=1)
    gather(table, first, second, fourth)
    table.pass_time(SUPPORT_DELAY)
    assert not table.host.is_standing


def test_support_without_a_vote_wins_nobody_belief() -> None:
    table = removed_unheard()
    first, second, _third, fourth, _fifth = table.clients
    table.stand(second, epoch=1)
    first.guest.voter.hear(table.now())
    believed = table.host.later_epochs._believed
    believed.update({fourth.guest.key: (0.0, 1.0), first.guest.key: (0.0, 1.0)})
    gather(table, second, fourth, first)
    table.pass_time(SUPPORT_DELAY + 1)
    assert Promise(1) in fourth.effects and not table.host.is_standing
    assert set(believed) == {fourth.guest.key}
