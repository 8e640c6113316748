"""A seat and the hosts that want its support: which it follows, and when."""

from __future__ import annotations

import pytest

from protocol.guest.effects import Promise, Transmit
from protocol.host.connections import Broadcast
from protocol.rules.words import Bid
from protocol.timeouts import SUPPORT_DELAY
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.protocol.moving import gather, playing


def behind(table: MemoryTable, count: int = 1) -> list[SeatedGuest]:
    """This many seats lack the last word, a bid of three; the others have it."""
    speaker = next(client for client in table.clients if client.view.my_turn)
    others = [client for client in table.clients if client is not speaker]
    for client in others[:count]:
        table.cut(client)
    table.say(Bid(3))
    table.now(SUPPORT_DELAY)
    return [*others[:count], speaker, *others[count:]]


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
    promised = other.everything.index(Promise(1))
    assert isinstance(other.everything[promised + 1], Transmit)  # the support, once that is kept
    assert not any(isinstance(each, Promise) for each in late.events)


def test_a_candidate_gets_the_same_support_once_more_over_another_link() -> None:
    table = playing(5)
    candidate, supporter, third, *_ = table.clients
    table.now(SUPPORT_DELAY)
    table.stand(candidate)
    third.guest.voter.hear(table.now())  # so it supports nobody yet
    gather(table, candidate, third, supporter)
    promised = supporter.events.count(Promise(1))
    table.cut(supporter)
    gather(table, supporter)
    assert (promised, supporter.events.count(Promise(1))) == (1, 2)
