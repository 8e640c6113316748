"""A seat and the hosts that want its support: which it follows, and when."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import Message
from protocol.guest.effects import (
    CodeWanted,
    GuestEffect,
    HandedOver,
    Hangup,
    Promise,
    Transmit,
)
from protocol.host.connections import Fanout
from protocol.host.host import Host
from protocol.rules.words import Bid
from protocol.table.statements import Gesticulate, Gesture
from protocol.timeouts import SUPPORT_DELAY, Moment
from protocol.version import PROGRAM, PROTOCOL
from protocol.views import LinkState
from protocol.wire.messages import (
    Farewell,
    Goodbye,
    Greeting,
    HandOver,
    Locked,
    Ping,
    Welcome,
    Whereabout,
    Whereabouts,
    write,
)
from tests.helpers.sides import GuestSide
from tests.helpers.tables import MemoryTable
from tests.protocol.moving import after_a_game, gather, playing


def behind(table: MemoryTable, count: int = 1) -> list[GuestSide]:
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
    monkeypatch.setattr(Fanout, "more", lambda *asked: [])
    gather(table, candidate, other, late)
    table.pass_time(1)
    assert other.events(Promise)
    promised = other.effects.index(Promise(1))
    assert isinstance(other.effects[promised + 1], Transmit)  # the support, once that is kept
    assert not late.events(Promise)


def test_a_candidate_gets_the_same_support_once_more_over_another_link() -> None:
    table = playing(5)
    candidate, supporter, third, *_ = table.clients
    table.now(SUPPORT_DELAY)
    table.stand(candidate)
    third.guest.voter.hear(table.now())  # so it supports nobody yet
    gather(table, candidate, third, supporter)
    promised = supporter.effects.count(Promise(1))
    table.cut(supporter)
    gather(table, supporter)
    assert (promised, supporter.effects.count(Promise(1))) == (1, 2)


def visited(table: MemoryTable, *said: Message) -> tuple[GuestSide, list[GuestEffect], Moment]:
    """The first seat, ten seconds after its link broke, at a stranger who says that the table has
    moved there; and what comes of it."""
    client, stranger = table.clients[0], SigningKey(bytes(32)).public
    table.cut(client)
    card, at = replace(table.host.card, epoch=5), table.now(10.0)
    effects = client.guest.connected(bytes(32), at, stranger)
    for each in (Greeting(PROTOCOL, PROGRAM, card, bytes(32)), *said):
        effects += client.guest.received(write(each), at)
    return client, effects, at


@pytest.mark.parametrize("said", [(), (Welcome(99),), (Welcome(99), Ping(1))])
def test_who_only_says_that_the_table_has_moved_there_is_not_heard_as_its_host(
    said: tuple[Message, ...],
) -> None:
    client, _, at = visited(playing(), *said)
    assert client.guest.voter.silence(at) >= 10.0


def test_a_host_that_greeted_before_it_was_chosen_is_the_host(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = playing()
    table.now(SUPPORT_DELAY)
    table.stand(table.clients[0])
    candidates_card = table.host.card
    gather(table, *table.clients)
    monkeypatch.setattr(Host, "card", candidates_card)
    client = table.clients[1]
    table.connect(client)
    assert client.guest.link is LinkState.UP
    table.act(client, client.guest.propose(Gesticulate(Gesture.MITT_FULL)))
    assert table.host.log[-1].statement == Gesticulate(Gesture.MITT_FULL)


def test_nobody_but_its_host_hands_a_table_over() -> None:
    table = playing()
    heir = table.clients[1].guest.key
    client, effects, at = visited(table, Welcome(99), HandOver(heir, None))
    assert not any(isinstance(each, HandedOver) for each in effects)
    assert client.guest.voter.silence(at) < inf


def test_nobody_but_its_host_or_a_candidate_tells_where_the_seats_are() -> None:
    table = playing()
    before = table.clients[0].guest.places
    place = Whereabout(table.clients[1].guest.key, "192.0.2.66", 7000)
    client, _, _ = visited(table, Welcome(99), Whereabouts((place,)))
    assert client.guest.places == before


@pytest.mark.parametrize(
    "said", [Locked(), Goodbye(Farewell.WRONG_CODE), Goodbye(Farewell.TOO_MANY_TRIES)]
)
def test_who_has_opened_a_fist_is_asked_for_the_code_by_nobody_but_the_host(said: Message) -> None:
    _, played, _ = visited(after_a_game(3), said)
    _, fresh, _ = visited(playing(), said)
    assert Hangup(Farewell.IMPOSTOR) in played
    assert [any(isinstance(each, CodeWanted) for each in some) for some in (played, fresh)] == [
        False,
        True,
    ]


def test_who_was_with_somebody_who_may_be_a_later_host_supports_nobody_else_for_a_while() -> None:
    table = playing()
    candidate, voter, _ = table.clients
    table.now(SUPPORT_DELAY)
    voter.guest.voter.hear(table.now(), is_host=False)
    table.stand(candidate)
    gather(table, candidate, voter)
    table.pass_time(SUPPORT_DELAY - 0.5)
    assert Promise(1) not in voter.effects
    table.pass_time(1.0)
    assert Promise(1) in voter.effects
