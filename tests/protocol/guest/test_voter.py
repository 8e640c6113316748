"""A seat and the hosts that want its support: whom it follows, and when."""

from __future__ import annotations

import pytest

from protocol.guest.effects import Hangup, Promise
from protocol.host.broadcast import Broadcast
from protocol.rules.words import Bid
from protocol.table.statements import Speak
from protocol.timing import SUPPORT_DELAY
from protocol.wire.messages import Farewell
from tests.helpers.tables import MemoryTable, SeatedGuest
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


def behind(table: MemoryTable, count: int = 1) -> list[SeatedGuest]:
    """So many seats that lack the last word, a bid of three, and those who have it."""
    speaker = next(client for client in table.clients if client.view.my_turn)
    others = [client for client in table.clients if client is not speaker]
    for client in others[:count]:
        table.cut(client)
    table.say(Bid(3))
    table.now(SUPPORT_DELAY)
    return [*others[:count], speaker, *others[count:]]


def test_who_holds_more_of_the_log_lends_it_to_a_candidate_that_holds_less() -> None:
    table = playing()
    candidate, ahead, _ = behind(table)
    table.stand(candidate)
    gather(table, candidate, ahead)
    assert not table.host.is_standing
    assert any(entry.statement == Speak(Bid(3)) for entry in table.host.log)
    assert candidate.guest.log.head == ahead.guest.log.head == table.host.log.head


def test_a_seat_supports_the_same_candidate_again_once_that_holds_more() -> None:
    table = playing(4)
    candidate, near, ahead, _ = behind(table, count=2)
    table.stand(candidate)
    gather(table, candidate, near)
    length = len(table.host.log)
    table.pass_time(SUPPORT_DELAY + 0.5)
    stood = table.host.is_standing
    gather(table, ahead)
    assert stood and not table.host.is_standing
    assert Speak(Bid(3)) in [entry.statement for entry in table.host.log[length:]]
    assert {each.guest.log.head for each in (candidate, near, ahead)} == {table.host.log.head}


def test_a_seat_lends_nothing_to_a_candidate_that_has_none() -> None:
    table = playing()
    stranger = table.add(sit=False)
    table.cut(stranger)
    table.say(Bid(3))
    table.now(SUPPORT_DELAY)
    table.stand(stranger)
    ahead = table.clients[0]
    gather(table, ahead)
    assert ahead.events[-1] == Hangup(Farewell.MALFORMED)
    assert table.host.is_standing


def test_nobody_promises_anything_before_all_of_a_candidates_log_is_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = playing(5)
    late, candidate, other, *_ = behind(table)
    table.stand(candidate)
    monkeypatch.setattr(Broadcast, "more", lambda *asked: [])
    gather(table, candidate, other, late)
    table.pass_time(1)
    assert any(isinstance(each, Promise) for each in other.events)
    assert not any(isinstance(each, Promise) for each in late.events)


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
