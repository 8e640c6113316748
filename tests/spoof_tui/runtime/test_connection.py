"""Staying connected: dialling, noticing that a link leads nowhere, and dialling again."""

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from protocol.guest.guest import Guest
from protocol.limits import MAX_HELLO_TIMEOUT
from protocol.table.announcements import Away
from protocol.timing import LOST_DELAY, Moment, RoundTrip
from protocol.views import LinkState
from protocol.wire.messages import Farewell, Goodbye, write
from protocol.wire.new_table import Offer
from spoof_tui.clock import now
from spoof_tui.network.links import Owner, Route
from spoof_tui.runtime import connection
from spoof_tui.runtime import session as sessions
from spoof_tui.runtime.connection import FOLLOW_TIMEOUT, MEET_TIMEOUT, _Silence
from spoof_tui.runtime.notices import Ended
from tests.spoof_tui.runtime.local_table import (
    LocalTable,
    Saying,
    Sitter,
    Wire,
    local_table,
    new_key,
    statements,
    until,
)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions that dial again, and look at the clock, at once."""
    monkeypatch.setattr(connection, "MIN_RETRY_DELAY", 0.001)
    monkeypatch.setattr(connection, "MAX_RETRY_DELAY", 0.004)
    monkeypatch.setattr(sessions, "TICK_INTERVAL", 0.005)


async def test_a_silent_host_is_left_and_dialled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    late = 0.0

    def clock() -> Moment:
        moment = now()
        return Moment(moment.monotonic + late, moment.wall)

    async with local_table() as table:
        [ann] = await table.sit("Ann")
        monkeypatch.setattr(sessions, "now", clock)
        late = LOST_DELAY + 1
        await until(lambda: len(ann.wire.dials) == 2 and ann.view.link is LinkState.UP)


def pauses(wire: Wire) -> list[float]:
    return [after - before for before, after in pairwise(wire.dials)]


async def test_a_host_that_cannot_be_reached_is_dialled_with_growing_but_bounded_pauses() -> None:
    async with local_table() as table:
        wire = Wire(table.server.connect)
        wire.refuses = True
        table.seat("Maria", wire=wire)
        # Pauses that went on doubling would take half a minute for as many.
        await until(lambda: len(wire.dials) >= 15)
        assert min(pauses(wire)[2:]) >= 0.003


async def test_a_host_that_hangs_up_at_once_is_not_hammered() -> None:
    async with local_table() as table:
        wire = Wire(Saying(write(Goodbye(Farewell.TOO_MANY))).connect)
        table.seat("Maria", wire=wire)
        await until(lambda: len(wire.dials) >= 4)
        assert min(pauses(wire)) >= 0.0009


async def test_malformed_bytes_of_a_host_end_the_link_not_the_session() -> None:
    async with local_table() as table:
        hosts = iter([Saying(bytes(4)).connect, table.server.connect])
        sitter = table.seat("Maria", wire=Wire(lambda owner: next(hosts)(owner)))
        await until(lambda: sitter.sits)
        assert sitter.told(Ended) == []


async def test_who_has_two_links_for_a_moment_is_not_replaced_by_itself() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        own = ann.session._connection
        await table.server.connect(ann.session)
        assert own.understood(Farewell.REPLACED) is Farewell.SILENT
        await until(lambda: own.has_arrived)
        assert own.understood(Farewell.REPLACED) is Farewell.REPLACED
        assert ann.told(Ended) == []


def test_a_link_is_not_stuck_because_the_one_before_it_was() -> None:
    guest = Guest(new_key())
    guest.link, silence = LinkState.MEETING, _Silence(guest)
    assert [silence.is_stuck(at) for at in (0.0, MEET_TIMEOUT + 1)] == [False, True]
    silence.begin()
    assert not silence.is_stuck(MEET_TIMEOUT + 2)


def test_two_lost_packets_of_a_slow_network_do_not_break_off_the_proof_of_a_code() -> None:
    guest = Guest(new_key())
    guest.link, guest.trip, silence = LinkState.MEETING, RoundTrip(1.0), _Silence(guest)
    lost_twice = 2 + 3 + 6
    assert not any(silence.is_stuck(at) for at in (0.0, lost_twice))
    assert silence.is_stuck(2 * lost_twice)


async def test_closing_ends_a_session_that_is_still_dialling() -> None:
    async def never(owner: Owner) -> None:
        await asyncio.Event().wait()

    async with local_table() as table:
        sitter = table.seat("Ann", wire=Wire(never))
        await until(lambda: sitter.wire.dials)
        sitter.session.close()
        await sitter.over()


async def test_closing_ends_a_session_between_two_attempts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "MIN_RETRY_DELAY", 60.0)
    monkeypatch.setattr(connection, "MAX_RETRY_DELAY", 60.0)
    async with local_table() as table:
        wire = Wire(table.server.connect)
        wire.refuses = True
        sitter = table.seat("Ann", wire=wire)
        await until(lambda: wire.dials)
        sitter.session.close()
        await sitter.over()
        assert len(wire.dials) == 1


class Ways(Route):
    """A way over a new wire each time, that says whether the table would answer anew."""

    def __init__(self, table: LocalTable, patience: float = 10.0) -> None:
        self.wires: list[Wire] = []
        self._connect = table.server.connect
        self._patience = patience
        self.reachable = False
        self.asked = 0
        self.arrivals = 0

    async def __call__(self, owner: Owner) -> None:
        self.wires.append(Wire(self._connect))
        await self.wires[-1](owner)

    def patience(self, trip: RoundTrip) -> float:
        return self._patience

    async def answers(self) -> bool:
        self.asked += 1
        return self.reachable

    def arrived(self) -> None:
        self.arrivals += 1


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sessions that do not bear silence."""
    monkeypatch.setattr(connection, "BESIDE_DELAY", 0.05)
    monkeypatch.setattr(connection, "LOOK_INTERVAL", 0.01)


def seat_by(table: LocalTable, way: Ways, guest: Guest | None = None) -> Sitter:
    return table.seat("Maria", guest, way=way)


@pytest.mark.usefixtures("hasty")
async def test_a_new_connection_takes_the_place_of_one_that_is_silent() -> None:
    async with local_table() as table:
        # Nothing comes from this host but answers: it does not ping.
        way = Ways(table)
        maria = seat_by(table, way)
        await until(lambda: maria.sits)
        way.reachable = True
        await until(lambda: way.arrivals >= 2)
        assert maria.view.link is LinkState.UP
        assert not statements(table, Away), "the seat was never away"


@pytest.mark.usefixtures("hasty")
async def test_a_silent_link_is_kept_while_nobody_else_answers() -> None:
    async with local_table() as table:
        way = Ways(table)
        maria = seat_by(table, way)
        await until(lambda: maria.sits)
        await until(lambda: way.asked > 3)
        assert way.arrivals == 1 and len(way.wires) == 1


async def test_of_a_silent_link_somebody_is_looked_for_once_in_a_while_and_by_one_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sessions, "TICK_INTERVAL", 0.001)
    clock = Clock(monkeypatch)
    async with local_table() as table:
        way = SlowWays(table)
        maria = seat_by(table, way)
        await until(lambda: maria.sits)
        clock.ahead += connection.BESIDE_DELAY + 0.1
        await ticks(way)
        assert way.asked == 1
        clock.ahead += connection.LOOK_INTERVAL
        await ticks(way)
        assert way.asked == 1, "the first one is still looking"
        way.answered.set()
        await ticks(way)
        assert way.asked == 1, "somebody was looked for a moment ago"
        clock.ahead += connection.LOOK_INTERVAL
        await ticks(way)
        assert way.asked == 2


class Clock:
    """What time it is for sessions: it goes on only when it is told to."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0.0
        self._start = now()
        monkeypatch.setattr(sessions, "now", self)

    def __call__(self) -> Moment:
        wall = self._start.wall + int(self.ahead * 1000)
        return Moment(self._start.monotonic + self.ahead, wall)


class SlowWays(Ways):
    """Nobody answers before `answered` is set, and nobody then."""

    def __init__(self, table: LocalTable) -> None:
        super().__init__(table)
        self.answered = asyncio.Event()
        self.ticks = 0

    def tick(self) -> None:
        self.ticks += 1

    async def answers(self) -> bool:
        self.asked += 1
        await self.answered.wait()
        return False


async def ticks(way: SlowWays) -> None:
    """Wait until the session has looked at the clock a few times."""
    seen = way.ticks
    await until(lambda: way.ticks > seen + 5)


@pytest.mark.usefixtures("hasty")
async def test_after_its_patience_a_silent_link_is_given_up() -> None:
    async with local_table() as table:
        way = Ways(table, patience=0.1)
        maria = seat_by(table, way)
        await until(lambda: maria.sits)
        await until(lambda: len(way.wires) > 1)


@pytest.mark.usefixtures("hasty")
async def test_a_link_whose_own_address_is_gone_is_dialled_anew_at_once() -> None:
    async with local_table() as table:
        way = Ways(table)
        maria = seat_by(table, way)
        await until(lambda: maria.sits)
        way.wires[0].is_stranded = lambda: True  # type: ignore[method-assign]
        await until(lambda: way.arrivals == 2)


async def test_a_host_that_does_not_send_the_log_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "MEET_TIMEOUT", 0.05)
    async with local_table() as table:
        wire = Wire(table.server.connect)
        wire.swallows = True
        table.seat("Maria", wire=wire)
        await until(lambda: len(wire.dials) > 2)


async def test_redialling_leaves_the_link_and_comes_back() -> None:
    async with local_table() as table:
        [maria] = await table.sit("Maria")
        maria.session.redial()
        await until(lambda: len(maria.wire.dials) == 2 and maria.view.link is LinkState.UP)


def test_a_host_on_a_slow_network_has_more_time_to_send_its_log() -> None:
    guest = Guest(new_key())
    guest.link, guest.trip, silence = LinkState.MEETING, RoundTrip(2.0), _Silence(guest)
    late = (0.0, MEET_TIMEOUT + 1, MAX_HELLO_TIMEOUT + 1)
    assert [silence.is_stuck(at) for at in late] == [False, False, True]


def test_an_offer_holds_a_seat_for_a_while_and_then_only_who_has_agreed_to_it() -> None:
    guest, host = Guest(new_key()), new_key().public
    guest.departure.offer = Offer(host, bytes(32), (guest.key, host), (None, None), 0)
    silence = _Silence(guest)
    assert [silence.is_held(at) for at in (0.0, FOLLOW_TIMEOUT, FOLLOW_TIMEOUT + 1)] == [
        False, False, True
    ]  # fmt: skip
    guest.departure.offer = replace(guest.departure.offer, agreements=(bytes(64), None))
    assert not silence.is_held(FOLLOW_TIMEOUT + 1)
