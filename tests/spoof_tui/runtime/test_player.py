"""A player who opens and joins tables, plays, hosts, moves and leaves."""

from __future__ import annotations

import asyncio
import errno
import os
from dataclasses import replace

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import pack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.rules.words import Bid, Ending
from protocol.table.statements import Gesticulate, Gesture, Measure, Say
from protocol.views import FistState, SeatStatus, SeatView, TableView
from protocol.wire.messages import Farewell, OtherVersion
from spoof_tui.bots.characters import MIXED, Character, company
from spoof_tui.bots.levels import Level
from spoof_tui.network.diagnosis.examining import Request
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.network.probe import Failure, ProbeFailed
from spoof_tui.runtime import troubleshooting
from spoof_tui.runtime.new_table import Continuation
from spoof_tui.runtime.notices import (
    AddressesChanged,
    CannotOpen,
    Ended,
    Explained,
    KeyInUse,
    Moved,
    NotAllowed,
    NotKept,
    Opened,
    OpenElsewhere,
    SeatHeld,
    ViewChanged,
)
from spoof_tui.runtime.saved_tables import resumable
from spoof_tui.storage.identity import Holder, Identity
from spoof_tui.telling import absence
from spoof_tui.telling.notices import note
from spoof_tui.telling.table_state import TableState
from spoof_tui.visiting import DOOR_VARIABLE, DoorKind
from tests.helpers.virtual import at, computer, done_on, on, unwritable
from tests.spoof_tui.runtime.greeter import saying
from tests.spoof_tui.runtime.local_table import until
from tests.spoof_tui.runtime.moves import PLAN
from tests.spoof_tui.runtime.people import Person, joined, opened

HELLO = Say(ForeignText("hello"))


def names(person: Person) -> list[str]:
    return [seat.name.raw for seat in person.view.seats]


def fists(view: TableView) -> list[FistState]:
    return [seat.fist for seat in view.seats]


def here(view: TableView) -> list[SeatView]:
    return [seat for seat in view.seats if seat.presence is SeatStatus.HERE]


def gone(view: TableView) -> list[SeatView]:
    return [seat for seat in view.seats if seat.presence is SeatStatus.AWAY]


async def test_a_host_that_goes_on_at_somebody_elses_table_tells_no_more_what_hosts_tell() -> None:
    host, _ = await opened()
    other, where = await opened()
    player, table = host.client.player, other.client.player.table
    assert player.seat and table
    await done_on(host.machine, player.seat.move_away())
    new = Continuation(table.server.host.log[0], (where,))
    await done_on(host.machine, player.arrive(player.keys.own, new))
    await host.sits_among(2)
    assert host.told(Moved) == [Moved(me=False)] and not host.client.known.is_host


# Without a table


async def test_commands_without_a_table_do_nothing() -> None:
    alone = Person("Olha")
    client, seat = alone.client, bytes(32)
    client.ready()
    client.choose(1)
    client.speak(Bid(1))
    client.propose(HELLO)
    client.propose(Gesticulate(Gesture.MITT_FULL))
    client.sit()
    client.agree()
    client.stay_behind()
    client.follow()
    client.use_code("K7M4Q")
    client.add_bots()
    client.decide(Measure.MUTE, seat)
    client.renew_code()
    client.shut()
    client.clear([seat])
    client.turn_door(is_open=True)
    client.come_back()
    client.take_over()
    client.sit_apart()
    await asyncio.sleep(1)
    assert alone.notices == [] and client.known.own_hand is None and client.known.is_shut is None


# Opening and joining


async def test_who_opens_a_table_hosts_it_and_says_where_it_is() -> None:
    host, address = await opened()
    [said] = host.told(Opened)
    assert (said.port, said.code, said.address) == (address.port, None, address.text)
    assert host.client.known.is_host and names(host) == ["Olha"]
    guest = await joined(address)
    await host.sits_among(2)
    assert not guest.client.known.is_host and guest.client.player.address == address


async def test_a_host_whose_address_changes_is_told_where_the_others_find_it_now() -> None:
    host, address = await opened()
    host.machine.address = "192.168.7.9"
    host.client.propose(HELLO)
    assert await host.wait_for(AddressesChanged) == AddressesChanged(
        f"192.168.7.9:{address.port}", None
    )
    host.client.propose(HELLO)
    await asyncio.sleep(1)
    assert len(host.told(AddressesChanged)) == 1


async def test_while_nobody_comes_to_an_own_table_its_host_hears_why(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    silent = (Finding(Code.HOST_SILENT, Severity.PROBLEM),)

    async def find_out(request: Request) -> tuple[Finding, ...]:
        return silent if request.hosting else ()

    monkeypatch.setattr(troubleshooting, "find_out", find_out)
    host, address = await opened()
    assert (await host.wait_for(Explained)).findings == silent
    await joined(address)
    assert (await host.wait_for(Explained, 2)).findings == ()


async def test_of_a_practice_table_nobody_is_told_where_it_is() -> None:
    host = Person("Olha")
    host.client.open(replace(PLAN, public=False, locked=True), 2, Level.EASY)
    await host.sits_among(3)
    assert host.told(Opened) == [Opened(None, None, None)]
    assert len(set(names(host))) == 3, "its own bots need no code"


async def test_a_port_that_is_taken_is_said() -> None:
    host, address = await opened()
    with on(host.machine):
        other = Person("Olha", host)
        other.client.open(replace(PLAN, port=address.port))
    error = (await other.wait_for(CannotOpen)).error
    assert isinstance(error, OSError) and error.errno == errno.EADDRINUSE
    assert not other.client.known.is_host


async def test_who_opens_a_table_to_play_at_once_is_ready_without_a_key() -> None:
    host = Person("Ann")
    host.client.open(replace(PLAN, start_when=3), 2, Level.EASY, ready=True)
    await host.sees(lambda view: view.own_fist_due)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (None, Failure.REFUSED),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", Failure.NO_TABLE),
        (frame(pack(("greeting", 99, "9.9", "?", 1))), (99, "9.9")),
    ],
    ids=["nobody", "no table", "another version"],
)
async def test_what_is_no_table_cannot_be_joined_and_why(said: bytes | None, why: object) -> None:
    there = computer()
    address = at(there, 9) if said is None else await saying(there, said)
    guest = Person("Maria")
    guest.client.join(address)
    error = (await guest.wait_for(CannotOpen)).error
    if isinstance(error, OtherVersion):
        assert (error.protocol, error.program) == why
    else:
        assert isinstance(error, ProbeFailed) and error.reason is why


@pytest.mark.parametrize("kind", [DoorKind.HOST, DoorKind.OWN])
async def test_who_came_through_a_door_says_so_and_serves_nothing_that_ends_with_the_host(
    monkeypatch: pytest.MonkeyPatch, kind: DoorKind
) -> None:
    host, address = await opened()
    monkeypatch.setenv(DOOR_VARIABLE, kind.value)
    guest = await joined(address)
    await host.sits_among(2)
    for each in (host, guest):
        assert [seat.through_door for seat in each.view.seats] == [False, True]
    await asyncio.sleep(3)
    assert len(host.client.known.heirs) == (1 if kind is DoorKind.OWN else 0)
    await done_on(guest.machine, guest.client.player.close_at_once())
    view = await host.sees(lambda view: view.seats[1].presence is not SeatStatus.HERE)
    assert view.seats[1].presence is SeatStatus.AWAY, "the seat waits for whoever comes back"


@pytest.mark.parametrize("opens", [True, False])
async def test_who_leaves_while_opening_or_joining_does_not_sit_down_later(opens: bool) -> None:
    host, address = await opened()
    hasty = Person("Hasty")
    if opens:
        hasty.client.open(replace(PLAN, port=7000), bots=2)
    else:
        hasty.client.join(address)
    await hasty.leave()
    await asyncio.sleep(5)
    assert hasty.notices == [] and names(host) == ["Olha"]
    late = Person("Late")
    late.client.join(at(hasty.machine, 7000))
    assert isinstance((await late.wait_for(CannotOpen)).error, ProbeFailed)


async def test_a_watcher_sees_the_table_and_sits_down_when_it_likes() -> None:
    _, address = await opened()
    watcher = Person("Bo")
    watcher.client.join(address, sits=False)
    await watcher.sees(lambda view: view.my_seat is None)
    watcher.client.sit()
    await watcher.sits_among(2)


# Bots


async def test_one_more_bot_sits_down_when_a_host_asks_and_nobody_else() -> None:
    host, address = await opened()
    host.client.add_bots()
    await host.sits_among(2)
    guest = await joined(address)
    guest.client.add_bots()
    guest.client.propose(HELLO)
    await host.sees(lambda view: view.talk)
    await asyncio.sleep(2)
    assert len(host.view.seats) == 3


# Playing


async def test_a_refusal_is_a_notice() -> None:
    host, _ = await opened()
    host.client.speak(Bid(1))
    assert str((await host.wait_for(NotAllowed)).error) == "There is no game running. (G2)"
    host.client.decide(Measure.MUTE, host.view.seats[0].key)
    assert (await host.wait_for(NotAllowed, 2)).error.reason is Reason.OWN_SEAT


# Leaving


async def test_leaving_frees_the_seat_and_closing_the_own_table_ends_it_for_everybody() -> None:
    host, address = await opened(bots=1)
    guest = await joined(address)
    await host.sits_among(3)
    gone = await joined(address, "Ivan")
    await host.sits_among(4)
    await gone.leave()
    await host.sits_among(3)
    for _ in range(2):
        await host.leave()
    assert (await guest.wait_for(Ended)).why is Farewell.CLOSED
    await guest.leave()
    await asyncio.sleep(1)
    for person in (host, guest, gone):
        assert not asyncio.all_tasks(person.machine.loop), "nothing is left behind"


async def test_a_host_gives_its_table_away_and_leaves() -> None:
    host, address = await opened()
    guest = await joined(address)
    key = guest.view.my_seat
    assert key
    await until(lambda: key.key in host.client.known.heirs)
    with on(host.machine):
        [saved] = resumable()
    await host.leave(heir=key.key)
    assert (await guest.wait_for(Moved)).me and guest.client.known.is_host
    assert guest.told(Opened)[0].address and not guest.told(Ended)
    again = Person("Olha", host)
    again.client.resume(saved)
    assert (await again.wait_for(OpenElsewhere)).host.raw == "Maria"
    await again.sits_among(2)
    assert not again.client.known.is_host and again.client.player.card


# The disk


@pytest.mark.parametrize("is_host", [True, False])
async def test_where_nothing_can_be_written_it_is_said_and_one_sits_down(is_host: bool) -> None:
    _, address = await opened()
    other = Person("Maria")
    with unwritable():
        if is_host:
            other.client.open(PLAN)
        else:
            other.client.join(address)
        assert await other.wait_for(NotKept) == NotKept(is_host=is_host)
        await other.sees(lambda view: view.my_seat)


async def test_a_saved_table_goes_on_with_its_log() -> None:
    host, _ = await opened()
    host.client.propose(HELLO)
    await host.sees(lambda view: view.talk)
    with on(host.machine):
        [saved] = resumable()
    await host.leave()
    again = Person("Olha", host)
    again.client.resume(saved)
    await again.sits_among(1)
    assert again.client.known.is_host and again.view.talk


async def test_of_who_is_not_back_at_a_reopened_table_no_time_is_told() -> None:
    host, address = await opened()
    ben, cleo = await joined(address, "Ben"), await joined(address, "Cleo")
    for person in (host, ben, cleo):
        await person.sits_among(3)
        person.client.ready()
    await host.sees(lambda view: view.own_fist_due)
    with on(host.machine):
        [saved] = resumable()
    for person in (host, ben, cleo):
        person.machine.stop()
    await asyncio.sleep(40)
    host.machine.start()
    ben.machine.start()
    again, back = Person("Olha", host), Person("Ben", ben)
    again.client.resume(saved)
    back.client.resume(replace(saved, seat=SigningKey(ben.identity.seed).public))
    third = SigningKey(cleo.identity.seed).public
    for person in (again, back):
        await person.sees(lambda view: [seat.key for seat in gone(view)] == [third])
        state = TableState()
        for notice in person.notices:
            if isinstance(notice, ViewChanged):
                state.receive(notice.view)
            else:
                note(notice, state)
        assert state.unseen == {third} and state.view is not None
        (told,) = absence.waiting_words(state.view, state.now, state.unseen)
        assert told.startswith("Cleo is not back yet. In ")
    cleo.machine.start()
    third_again = Person("Cleo", cleo)
    third_again.client.resume(replace(saved, seat=third))
    state.receive(await back.sees(lambda view: not gone(view)))
    assert not state.unseen


@pytest.mark.parametrize("who", [(), company(MIXED)])
async def test_the_bots_of_a_table_are_back_after_a_crash_and_open_what_they_had_hidden(
    who: tuple[Character, ...],
) -> None:
    host = Person("Olha")
    host.client.open(PLAN, 2, Level.HARD, company=who)
    await host.sits_among(3)
    host.client.ready()
    await host.sees(lambda view: fists(view).count(FistState.IN) == 2)
    seats = [(seat.key, seat.name) for seat in host.view.seats]
    with on(host.machine):
        [saved] = resumable()
    host.machine.stop()
    host.machine.start()
    again = Person("Olha", host)
    again.client.resume(saved)
    await again.sees(lambda view: len(here(view)) == 3 and view.own_fist_due)
    assert [(seat.key, seat.name) for seat in again.view.seats] == seats
    again.client.choose(1)

    def is_over() -> bool:
        view = again.view
        if view.my_turn:
            again.client.speak(Ending.CALL if view.standing else Bid(1))
        return bool(view.past)

    await until(is_over, 60)
    again.client.add_bots()
    await again.sits_among(4)
    assert len(set(names(again))) == 4, "one more is somebody else"


async def test_a_seat_at_a_table_of_somebody_else_is_taken_again() -> None:
    host, address = await opened()
    guest = await joined(address)
    await guest.leave()
    again = Person("Maria", guest)
    with on(host.machine):
        [saved] = resumable()
    again.client.resume(replace(saved, seat=SigningKey(guest.identity.seed).public))
    await again.sits_among(2)
    assert not again.client.known.is_host


@pytest.mark.parametrize("holder", [Holder(os.getpid(), "pts/1"), None])
async def test_a_saved_table_whose_key_another_window_has_is_offered_for_a_takeover(
    monkeypatch: pytest.MonkeyPatch, holder: Holder | None
) -> None:
    host, _ = await opened()
    with on(host.machine):
        [saved] = resumable()
    monkeypatch.setattr(Identity, "of", lambda key: None)
    monkeypatch.setattr(Identity, "holder", lambda key: holder)
    other = Person("Olha")
    other.client.resume(saved)
    if holder is None:
        assert isinstance((await other.wait_for(CannotOpen)).error, KeyInUse)
        return
    assert await other.wait_for(SeatHeld) == SeatHeld(holder, is_other_free=False)


# Keeping order


async def test_the_host_removes_bans_and_locks() -> None:
    host, address = await opened()
    guest = await joined(address)
    await host.sits_among(2)
    host.client.decide(Measure.REMOVE, host.view.seats[1].key)
    await guest.sees(lambda view: view.my_seat is None)
    guest.client.sit()
    await host.sits_among(2)
    stranger = host.view.seats[1].key
    await until(lambda: host.client.known.strangers == (stranger,))
    host.client.clear([stranger])
    assert (await guest.wait_for(Ended)).why is Farewell.BARRED
    await until(lambda: host.client.known.is_shut is True)
    host.client.shut()
    await until(lambda: host.client.known.is_shut is False)
