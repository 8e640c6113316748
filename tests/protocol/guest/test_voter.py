"""A seat and the hosts that want its support: whom it follows, and when."""

from __future__ import annotations

from protocol.guest.effects import Hangup, Promise
from protocol.rules.words import Bid
from protocol.timing import SUPPORT_DELAY
from protocol.wire.messages import Farewell
from tests.protocol.moving import gather, moved, playing


def test_nobody_supports_while_the_host_was_heard_a_moment_ago() -> None:
    table = playing()
    table.stand(table.clients[0])
    gather(table, *table.clients)
    assert table.host.is_standing
    table.pass_time(SUPPORT_DELAY + 0.5)
    assert not table.host.is_standing


def test_a_seat_supports_one_in_an_epoch_and_promises_it_before() -> None:
    table = moved()
    promises = [e for client in table.clients for e in client.events if isinstance(e, Promise)]
    assert promises and set(promises) == {Promise(1)}
    voter = table.clients[2]
    table.stand(table.clients[1], epoch=1)
    gather(table, voter)
    table.pass_time(SUPPORT_DELAY + 0.5)
    assert table.host.is_standing


def test_who_has_promised_answers_no_host_of_an_earlier_epoch() -> None:
    table = playing()
    old_host, old_key = table.host, table.host_key
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    gather(table, *table.clients[:2])
    table.host, table.host_key = old_host, old_key
    gather(table, table.clients[1])
    assert table.clients[1].events[-1] == Hangup(Farewell.OLD_EPOCH)


def test_who_holds_more_of_the_log_does_not_follow_who_holds_less() -> None:
    table = playing()
    behind, *others = table.clients
    table.cut(behind)
    table.say(Bid(3))
    table.now(SUPPORT_DELAY)
    table.stand(behind)
    gather(table, *others)
    assert {client.events[-1] for client in others} == {Hangup(Farewell.BEHIND)}
    assert table.host.is_standing


def test_who_holds_less_catches_up_before_it_supports() -> None:
    table = playing()
    behind = table.clients[0] if not table.clients[0].view.my_turn else table.clients[1]
    table.cut(behind)
    table.say(Bid(3))
    ahead = next(client for client in table.clients if client is not behind)
    table.now(SUPPORT_DELAY)
    table.stand(ahead)
    gather(table, ahead, behind)
    assert not table.host.is_standing
    assert behind.guest.log.head == table.host.log.head
