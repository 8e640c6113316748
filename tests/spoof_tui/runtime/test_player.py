"""A player who sits, hosts, moves and leaves, over real sockets."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.table.fold import Phase
from protocol.table.statements import Measure, Say, Vote
from protocol.views import SeatStatus
from protocol.wire.messages import Farewell
from spoof_tui.bots.characters import company
from spoof_tui.bots.levels import Level
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.code_change import CodeChange
from spoof_tui.runtime.notices import (
    CodeAsked,
    ContinuedAt,
    Ended,
    Moved,
    NewCode,
    NotAllowed,
    NotKept,
    Opened,
    ViewChanged,
    WentOn,
)
from spoof_tui.storage import paths
from spoof_tui.storage.identity import Identity
from spoof_tui.visiting import DOOR_VARIABLE, DoorKind
from tests.spoof_tui.runtime.people import LIMIT, PLAN, New, Person, opened, public, until_idle


def test_a_public_table_says_where_it_is(person: New) -> None:
    host = person("Olha")
    host.client.open(replace(PLAN, public=True, port=0))
    port = host.wait_for(Opened).port
    assert port
    guest = person("Maria")
    guest.client.join(Address("127.0.0.1", port))
    guest.sits_among(2)


def test_who_opens_a_table_to_play_at_once_is_ready_without_a_key(person: New) -> None:
    host = person("Ann")
    host.client.open(replace(PLAN, start_when=3), 2, Level.EASY, ready=True)
    host.wait(lambda: host.told(ViewChanged) and host.view.own_fist_due)


@pytest.mark.parametrize(("kind", "heirs"), [(DoorKind.HOST, 0), (DoorKind.OWN, 1)])
def test_who_came_through_a_door_says_so_and_serves_nothing_that_ends_with_the_host(
    person: New, monkeypatch: pytest.MonkeyPatch, kind: DoorKind, heirs: int
) -> None:
    host = person("Olha")
    host.client.open(replace(PLAN, public=True, port=0))
    address = Address("127.0.0.1", host.wait_for(Opened).port or 0)
    host.sits_among(1)
    monkeypatch.setenv(DOOR_VARIABLE, kind.value)
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(2)
    host.sits_among(2)
    for each in (host, guest):
        assert [seat.through_door for seat in each.view.seats] == [False, True]
    host.wait(lambda: len(host.client.heirs) == heirs)
    guest.end()
    host.wait(
        lambda: [seat.presence for seat in host.view.seats] == [SeatStatus.HERE, SeatStatus.AWAY]
    )


def test_one_more_bot_sits_down_when_asked(person: New) -> None:
    host, _ = opened(person)
    for seats in (2, 3):
        host.client.add_bot()
        host.sits_among(seats)


def test_the_bots_of_a_table_are_the_company_that_was_chosen(person: New) -> None:
    host = person("Ann")
    host.client.open(PLAN, 1, Level.EASY, company=company("miser"))
    host.sits_among(2)
    host.client.add_bot()
    host.sits_among(3)
    assert [seat.name.raw for seat in host.view.seats] == ["Ann", "Miser", "Miser 2"]


def test_only_a_host_adds_bots(person: New, background: BackgroundLoop) -> None:
    host, address = opened(person)
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(2)
    guest.client.add_bot()
    guest.client.state(Say(ForeignText("after the bot that does not come")))
    host.wait(lambda: host.view.talk)
    assert len(host.view.seats) == 2


# Going away


def test_leaving_frees_the_seat(person: New) -> None:
    host, address = opened(person)
    guest = person("Maria")
    guest.client.join(address)
    host.sits_among(2)
    guest.leave()
    host.sits_among(1)


def test_closing_the_own_table_ends_it_for_everybody(
    person: New, background: BackgroundLoop
) -> None:
    host, address = opened(person, bots=1)
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(3)
    host.leave()
    assert guest.wait_for(Ended).why is Farewell.CLOSED
    guest.leave()
    until_idle(background)


def test_leaving_twice_does_nothing_more(person: New, background: BackgroundLoop) -> None:
    host, _ = opened(person, bots=1)
    host.leave()
    host.leave()
    until_idle(background)


# The disk


def test_a_player_comes_back_to_its_own_seat_and_hand(person: New) -> None:
    host, address = opened(person)
    identity = Identity.claim()
    guest = person("Maria", identity)
    guest.client.join(address)
    guest.sits_among(2)
    host.client.ready()
    guest.client.ready()
    guest.wait(lambda: guest.view.own_fist_due)
    guest.client.choose(2)
    guest.wait(lambda: guest.view.seats[1].fist.value == "in")
    guest.leave()
    again = person("Maria", identity)
    again.client.join(address)
    again.sits_among(2)
    assert (again.client.peek(), again.view.own_fist_due) == (2, False)
    identity.release()


def test_a_watcher_sees_the_table_and_sits_down_when_it_likes(person: New) -> None:
    _, address = opened(person)
    watcher = person("Bo")
    watcher.client.join(address, sits=False)
    watcher.wait(lambda: watcher.told(ViewChanged))
    assert watcher.view.my_seat is None
    watcher.client.sit()
    watcher.sits_among(2)


def test_a_host_gives_its_table_away_and_leaves(person: New) -> None:
    host, address = public(person, "Olha", Identity.passing())
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(2)
    host.sits_among(2)
    key = guest.view.my_seat
    assert key
    host.wait(lambda: _knows(host, key.key))
    closing = host._background.run(host.client.close(key.key))
    notice = guest.wait_for(Moved)
    assert notice.me
    guest.wait_for(Opened)
    guest.wait(lambda: guest.client.is_host)
    closing.result(LIMIT)


def _knows(host: Person, key: bytes) -> bool:
    """Whether the host's program knows where this seat could host the table."""
    end = time.monotonic() + LIMIT
    while key not in host.client.heirs and time.monotonic() < end:
        time.sleep(0.01)
    return key in host.client.heirs


def test_where_nothing_can_be_written_it_is_said_and_the_table_opens(
    person: New, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (state / "file").touch()
    monkeypatch.setenv(paths.STATE_VARIABLE, str(state / "file" / "below"))
    host, _ = opened(person)
    assert host.told(NotKept) == [NotKept(is_host=True)]


# The join code


LOCKED = replace(PLAN, locked=True)


def code_of(host: Person) -> str:
    table = host.client._player.table
    assert table and table.code
    return table.code


def wrong(code: str) -> str:
    return code[:-1] + ("A" if code[-1] != "A" else "C")


def test_a_code_that_is_known_opens_the_door_at_once(person: New) -> None:
    host, address = opened(person, LOCKED)
    guest = person("Maria")
    guest.client.join(address, code_of(host))
    guest.sits_among(2)
    assert guest.told(CodeAsked) == []


def test_a_locked_table_asks_until_the_code_is_right_and_never_again(person: New) -> None:
    host, address = opened(person, LOCKED)
    identity = Identity.claim()
    guest = person("Maria", identity)
    guest.client.join(address)
    assert guest.wait_for(CodeAsked).why is Farewell.NO_CODE
    assert guest.client.card and guest.client.card.locked
    guest.client.use_code(wrong(code_of(host)))
    guest.wait(lambda: len(guest.told(CodeAsked)) == 2)
    assert guest.told(CodeAsked)[-1].why is Farewell.WRONG_CODE
    guest.client.use_code(code_of(host))
    guest.sits_among(2)
    guest.leave()
    host.sits_among(1)
    again = person("Maria", identity)
    again.client.join(address)
    again.sits_among(2)
    assert again.told(CodeAsked) == []
    identity.release()


def test_a_code_at_an_open_table_is_told_as_a_missing_proof(person: New) -> None:
    _, address = opened(person)
    guest = person("Maria")
    guest.client.join(address, "K7M4Q")
    assert guest.wait_for(Ended).why is Farewell.NO_PROOF


def test_bots_of_the_host_need_no_code(person: New) -> None:
    host, _ = opened(person, LOCKED, bots=2)
    assert len(host.view.seats) == 3


def test_the_code_is_told_of_a_public_table_only(person: New) -> None:
    host = person("Olha")
    host.client.open(replace(LOCKED, public=True, port=0))
    assert host.wait_for(Opened).code == code_of(host)
    practice, _ = opened(person, LOCKED)
    assert practice.wait_for(Opened).code is None


def test_another_code_is_told_with_its_reason(person: New) -> None:
    host = person("Olha")
    host.client.open(replace(LOCKED, public=True, port=0))
    first = host.wait_for(Opened).code
    host.client.renew_code()
    new = host.wait_for(NewCode)
    assert (new.code, new.why) == (code_of(host), CodeChange.ASKED)
    assert new.code != first


# Keeping order


def test_the_host_removes_and_refuses(person: New) -> None:
    host, address = opened(person)
    guest = person("Maria")
    guest.client.join(address)
    host.sits_among(2)
    host.client.decide(Measure.REMOVE, host.view.seats[1].key)
    host.sits_among(1)
    guest.wait(lambda: guest.view.my_seat is None)
    guest.client.sit()
    host.sits_among(2)
    host.client.decide(Measure.BAR, host.view.seats[1].key)
    assert guest.wait_for(Ended).why is Farewell.BARRED


def test_what_a_host_cannot_decide_is_a_notice(person: New) -> None:
    host, _ = opened(person)
    host.client.decide(Measure.MUTE, host.view.seats[0].key)
    assert host.wait_for(NotAllowed).error.reason is Reason.OWN_SEAT


def test_players_vote_and_take_their_votes_back(person: New) -> None:
    host, address = opened(person, bots=1)
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(3)
    bot = guest.view.seats[1].key
    guest.client.state(Vote(Measure.MUTE, bot, yes=True))
    [motion] = host.wait(lambda: host.view.votes)
    assert (motion.measure, motion.seat, len(motion.voters)) == (Measure.MUTE, bot, 1)
    guest.client.state(Vote(Measure.MUTE, bot, yes=False))
    host.wait(lambda: not host.view.votes)
    guest.client.state(Vote(Measure.MUTE, bot, yes=True))
    host.client.state(Vote(Measure.MUTE, bot, yes=True))
    host.wait(lambda: host.view.seats[1].is_muted)


# A new table (G8)


ASKED_TIMEOUT = 20.0
"""Seconds in which those who stay are asked; the grace time is five of them."""


def left_with_a_bot(person: New) -> tuple[Person, Address, list[Person]]:
    """A host and a bot in a game of which the four others are gone at once; the host is asked."""
    host, address = opened(person, replace(PLAN, grace=5), bots=1)
    others = [person(name) for name in ("Maria", "Ivan", "Taras", "Lesia")]
    for guest in others:
        guest.client.join(address)
    host.sits_among(6)
    for each in (host, *others):
        each.wait(lambda each=each: each.told(ViewChanged) and len(each.view.seats) == 6)  # type: ignore[misc]
        each.client.ready()
    host.wait(lambda: host.view.phase is Phase.CHOOSING)
    for guest in others:
        guest.leave()

    def is_asked() -> bool:
        offer = host.view.new_table
        return offer is not None and not offer.wait and len(offer.along) == 2

    host.wait(is_asked, ASKED_TIMEOUT)
    return host, address, others


def test_who_is_left_with_a_bot_carries_the_game_on_by_one_key(person: New) -> None:
    host, _, _ = left_with_a_bot(person)
    old = host.view.table_id
    host.client.agree()
    host.wait(lambda: host.told(WentOn) and host.view.table_id != old, ASKED_TIMEOUT)
    host.wait(lambda: host.view.own_fist_due and len(host.view.seats) == 2)
    assert [seat.coins for seat in host.view.seats] == [3, 3]
    host.client.choose(1)
    host.wait(lambda: host.view.phase is Phase.SPEAKING, ASKED_TIMEOUT)
    assert host.client.is_host and len(host.told(Opened)) == 2


def test_a_bot_proposes_no_new_table(person: New) -> None:
    host, _, _ = left_with_a_bot(person)
    offer = host.view.new_table
    assert offer is not None and offer.agreed == ()


def test_who_comes_back_late_goes_where_the_game_went_and_sits_down_there(person: New) -> None:
    host, address, others = left_with_a_bot(person)
    old = host.view.table_id
    host.client.agree()
    host.wait(lambda: host.told(WentOn) and host.view.table_id != old, ASKED_TIMEOUT)
    host.wait(lambda: host.view.own_fist_due)
    maria = person("Maria", others[0].identity)
    key = SigningKey(others[0].identity.seed)
    maria.client._background.call(maria.client._player.sit, key, old, (address,))
    maria.wait(lambda: maria.told(ContinuedAt), ASKED_TIMEOUT)
    maria.client.follow()
    maria.wait(lambda: maria.told(ViewChanged) and maria.view.table_id != old, ASKED_TIMEOUT)
    maria.wait(lambda: maria.view.my_seat, ASKED_TIMEOUT)
    assert maria.view.my_seat and not maria.view.my_seat.plays
