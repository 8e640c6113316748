"""The player's chair, as the painter's thread holds it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol, TypeVar

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import pack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.rules.options import Rules
from protocol.rules.words import Bid
from protocol.table.fold import Phase
from protocol.table.statements import Gesticulate, Gesture, Measure, Say, Vote
from protocol.views import TableView
from protocol.wire.messages import Farewell, OtherVersion
from spoof_tui.bots.levels import Level
from spoof_tui.network.addresses import Address
from spoof_tui.network.probe import Failure, ProbeFailed
from spoof_tui.network.tls import server_context
from spoof_tui.runtime import takeover
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.runtime.client import TableClient
from spoof_tui.runtime.code_change import CodeChange
from spoof_tui.runtime.hosting import Plan, resumable
from spoof_tui.runtime.notices import (
    CannotOpen,
    ClientNotice,
    CodeAsked,
    ContinuedAt,
    Ended,
    KeyInUse,
    Moved,
    NewCode,
    NotAllowed,
    NotSaved,
    Opened,
    SeatHeld,
    ViewChanged,
    WentOn,
)
from spoof_tui.storage import paths
from spoof_tui.storage.identity import Identity

T = TypeVar("T")

LIMIT = 5.0
PLAN = Plan("The Golden Pier", "Olha", Rules.parse("milan"), public=False, locked=False)


class Person:
    """A chair, and everything its owner was told."""

    def __init__(self, background: BackgroundLoop, name: str, identity: Identity | None) -> None:
        self.notices: list[ClientNotice] = []
        self._told = threading.Condition()
        self.client = TableClient(background, identity or Identity.passing(), name, self._notice)
        self._background = background

    def _notice(self, notice: ClientNotice) -> None:
        with self._told:
            self.notices.append(notice)
            self._told.notify_all()

    def told(self, kind: type[T]) -> list[T]:
        return [notice for notice in self.notices if isinstance(notice, kind)]

    def wait(self, holds: Callable[[], T], within: float = LIMIT) -> T:
        """Wait until `holds` after some notice; it fails after `within` seconds."""
        with self._told:
            held = self._told.wait_for(holds, within)
        assert held, "what was waited for did not come"
        return held

    def wait_for(self, kind: type[T]) -> T:
        return self.wait(lambda: self.told(kind))[-1]

    @property
    def view(self) -> TableView:
        return self.told(ViewChanged)[-1].view

    def sits_among(self, seats: int) -> None:
        """Wait until this person and so many in all sit at the table."""
        self.wait(lambda: self.told(ViewChanged) and self.view.my_seat)
        self.wait(lambda: len(self.view.seats) == seats)

    def leave(self) -> None:
        self._background.run(self.client.close()).result(LIMIT)


class New(Protocol):
    """Makes a person."""

    def __call__(self, name: str, identity: Identity | None = None) -> Person: ...


@pytest.fixture
def background() -> Iterator[BackgroundLoop]:
    stage = BackgroundLoop()
    stage.start()
    yield stage
    stage.stop()


@pytest.fixture
def person(background: BackgroundLoop) -> Iterator[New]:
    people: list[Person] = []

    def new(name: str, identity: Identity | None = None) -> Person:
        people.append(Person(background, name, identity))
        return people[-1]

    yield new
    for each in reversed(people):
        each.leave()


def opened(person: New, plan: Plan = PLAN, bots: int = 0) -> tuple[Person, Address]:
    """Somebody at an own table, and where it is."""
    host = person("Olha")
    host.client.open(plan, bots, Level.EASY)
    host.sits_among(1 + bots)
    # A practice table is told to nobody; advertising one takes most of a second.
    assert host.client._table
    return host, Address("127.0.0.1", host.client._table.port)


def is_idle(background: BackgroundLoop) -> bool:
    async def count() -> int:
        return len(asyncio.all_tasks()) - 1

    return background.run(count()).result(LIMIT) == 0


def until_idle(background: BackgroundLoop) -> None:
    """Wait until nothing runs backstage any more."""
    end = time.monotonic() + LIMIT
    while not is_idle(background):
        assert time.monotonic() < end


@contextlib.contextmanager
def saying(data: bytes) -> Iterator[Address]:
    """Something that says `data`, inside of TLS, to whoever comes first."""
    context, _ = server_context(bytes(32))
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with contextlib.suppress(OSError):
                connection, _ = server.accept()
                with context.wrap_socket(connection, server_side=True) as connection:
                    connection.sendall(data)
                    connection.recv(1)

        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield Address(*server.getsockname())
        with contextlib.suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        thread.join(LIMIT)


def test_opening_a_table_seats_its_host(person: New) -> None:
    host, _ = opened(person)
    assert host.client.is_host
    assert host.told(Opened) == [Opened(None, None, None)]
    assert [seat.name.raw for seat in host.view.seats] == ["Olha"]


def test_a_public_table_says_where_it_is(person: New) -> None:
    host = person("Olha")
    host.client.open(replace(PLAN, public=True, port=0))
    port = host.wait_for(Opened).port
    assert port
    guest = person("Maria")
    guest.client.join(Address("127.0.0.1", port))
    guest.sits_among(2)


def test_a_port_that_is_taken_is_said(person: New) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        host = person("Olha")
        host.client.open(replace(PLAN, public=True, port=taken.getsockname()[1]))
        assert isinstance(host.wait_for(CannotOpen).error, OSError)
        assert not host.client.is_host


def test_a_guest_joins_at_an_address(person: New) -> None:
    host, address = opened(person)
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(2)
    host.sits_among(2)
    assert not guest.client.is_host


def test_a_guest_joins_by_one_connection(person: New) -> None:
    host, address = opened(person)
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(2)
    table = host.client._table
    assert table and table.server._guard._count == 1


def test_bots_sit_down_at_the_opening(person: New) -> None:
    host, _ = opened(person, bots=3)
    assert len({seat.name.raw for seat in host.view.seats}) == 4


def test_who_opens_a_table_to_play_at_once_is_ready_without_a_key(person: New) -> None:
    host = person("Ann")
    host.client.open(replace(PLAN, start_when=3), 2, Level.EASY, ready=True)
    host.wait(lambda: host.told(ViewChanged) and host.view.own_fist_due)


def test_one_more_bot_sits_down_when_asked(person: New) -> None:
    host, _ = opened(person)
    for seats in (2, 3):
        host.client.add_bot()
        host.sits_among(seats)


def test_only_a_host_adds_bots(person: New, background: BackgroundLoop) -> None:
    host, address = opened(person)
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(2)
    guest.client.add_bot()
    guest.client.state(Say(ForeignText("after the bot that does not come")))
    host.wait(lambda: host.view.talk)
    assert len(host.view.seats) == 2


def test_a_game_is_played_from_two_chairs(person: New) -> None:
    host, address = opened(person)
    guest = person("Maria")
    guest.client.join(address)
    guest.sits_among(2)
    for each in (host, guest):
        each.client.ready()
    for each, coins in ((host, 1), (guest, 2)):
        each.wait(lambda each=each: each.view.own_fist_due)  # type: ignore[misc]
        each.client.choose(coins)
    for each in (host, guest):
        each.wait(lambda each=each: each.view.phase is Phase.SPEAKING)  # type: ignore[misc]
    assert (host.client.peek(), guest.client.peek()) == (1, 2)
    speaker, other = (host, guest) if host.view.my_turn else (guest, host)
    speaker.client.speak(Bid(4))
    assert other.wait(lambda: other.view.standing) == (other.view.seats.index(_him(other)), 4)


def _him(person: Person) -> object:
    return next(seat for seat in person.view.seats if not seat.is_me)


def test_a_refusal_is_a_notice(person: New) -> None:
    host, _ = opened(person)
    host.client.speak(Bid(1))
    assert str(host.wait_for(NotAllowed).error) == "There is no game running. (G2)"


def test_commands_without_a_table_do_nothing(person: New) -> None:
    alone = person("Olha")
    alone.client.ready()
    alone.client.choose(1)
    alone.client.speak(Bid(1))
    alone.client.state(Say(ForeignText("hello?")))
    alone.client.state(Gesticulate(Gesture.MITT_FULL))
    alone.client.add_bot()
    assert alone.client.peek() is None
    assert alone.notices == []


# Addresses that lead nowhere


def test_an_address_where_nobody_listens_cannot_be_opened(person: New) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        address = Address(*closed.getsockname())
    guest = person("Maria")
    guest.client.join(address)
    error = guest.wait_for(CannotOpen).error
    assert isinstance(error, ProbeFailed) and error.reason is Failure.REFUSED


def test_what_is_no_table_cannot_be_opened(person: New) -> None:
    with saying(b"HTTP/1.1 400 Bad Request\r\n\r\n") as address:
        guest = person("Maria")
        guest.client.join(address)
        error = guest.wait_for(CannotOpen).error
        assert isinstance(error, ProbeFailed) and error.reason is Failure.NO_TABLE


def test_another_version_cannot_be_opened_and_says_both_numbers(person: New) -> None:
    with saying(frame(pack(("greeting", 99, "9.9", "?", 1)))) as address:
        guest = person("Maria")
        guest.client.join(address)
        error = guest.wait_for(CannotOpen).error
        assert isinstance(error, OtherVersion)
        assert (error.protocol, error.program) == (99, "9.9")


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


def test_who_leaves_while_joining_does_not_sit_down_later(
    person: New, background: BackgroundLoop
) -> None:
    host, address = opened(person)
    hasty = person("Hasty")
    hasty.client.join(address)
    hasty.leave()
    calm = person("Calm")
    calm.client.join(address)
    host.sits_among(2)
    assert [seat.name.raw for seat in host.view.seats] == ["Olha", "Calm"]
    assert hasty.notices == []


def test_who_leaves_while_opening_leaves_no_table_behind(
    person: New, background: BackgroundLoop
) -> None:
    hasty = person("Hasty")
    hasty.client.open(PLAN, bots=2)
    hasty.leave()
    until_idle(background)
    assert hasty.notices == []


def test_leaving_twice_does_nothing_more(person: New, background: BackgroundLoop) -> None:
    host, _ = opened(person, bots=1)
    host.leave()
    host.leave()
    until_idle(background)


# The disk


def test_a_chair_comes_back_to_its_own_seat_and_hand(person: New) -> None:
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


def public(person: New, name: str, identity: Identity) -> tuple[Person, Address]:
    """Somebody at an own table that others can host, too, and where it is."""
    host = person(name, identity)
    host.client.open(replace(PLAN, public=True, port=0))
    host.sits_among(1)
    assert host.client._table
    return host, Address("127.0.0.1", host.client._table.port)


def test_a_saved_table_goes_on_with_its_log(person: New) -> None:
    identity = Identity.claim()
    host, _ = public(person, "Olha", identity)
    host.client.state(Say(ForeignText("hello")))
    host.wait(lambda: host.view.talk)
    host.leave()
    again = person("Olha", identity)
    [saved] = resumable()
    again.client.resume(saved)
    again.sits_among(1)
    assert again.client.is_host and again.view.talk
    identity.release()


def test_a_seat_at_a_table_of_somebody_else_is_taken_again(person: New) -> None:
    identity = Identity.claim()
    _, address = public(person, "Olha", Identity.passing())
    guest = person("Maria", identity)
    guest.client.join(address)
    guest.sits_among(2)
    guest.leave()
    again = person("Maria", identity)
    [saved] = resumable()
    again.client.resume(replace(saved, seat=SigningKey(identity.seed).public))
    again.sits_among(2)
    assert not again.client.is_host
    identity.release()


def test_a_saved_table_whose_key_another_window_has_is_offered_for_a_takeover(
    person: New, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(takeover, "ASK_TIMEOUT", 0.0)
    identity = Identity.claim()
    public(person, "Olha", identity)
    [saved] = resumable()
    other = person("Olha")
    other.client.resume(saved)
    held = other.wait_for(SeatHeld)
    assert (held.holder.pid, held.is_other_free) == (os.getpid(), False)
    other.client.take_over()
    error = other.wait_for(CannotOpen).error
    assert isinstance(error, KeyInUse) and error.holder == held.holder
    identity.release()


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
    assert guest.client.is_host
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
    assert host.told(NotSaved)


# The join code


LOCKED = replace(PLAN, locked=True)


def code_of(host: Person) -> str:
    table = host.client._table
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


def test_without_a_table_of_ones_own_nothing_is_decided(person: New) -> None:
    alone = person("Olha")
    alone.client.decide(Measure.MUTE, bytes(32))
    alone.client.renew_code()
    alone.client.state(Vote(Measure.MUTE, bytes(32), yes=True))
    alone.client.use_code("K7M4Q")
    alone.client.sit()
    assert alone.notices == []


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
    maria = person("Maria", others[0].client._identity)
    key = SigningKey(others[0].client._identity.seed)
    maria.client._background.call(maria.client._sit, key, old, (address,))
    maria.wait(lambda: maria.told(ContinuedAt), ASKED_TIMEOUT)
    maria.client.follow()
    maria.wait(lambda: maria.told(ViewChanged) and maria.view.table_id != old, ASKED_TIMEOUT)
    maria.wait(lambda: maria.view.my_seat, ASKED_TIMEOUT)
    assert maria.view.my_seat and not maria.view.my_seat.plays
