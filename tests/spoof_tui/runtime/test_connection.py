"""Staying connected: connecting, noticing that a link leads nowhere, and connecting again."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from itertools import pairwise

import pytest

from protocol.guest.guest import Guest
from protocol.limits import MAX_HELLO_TIMEOUT
from protocol.table.statements import Away
from protocol.timeouts import LOST_DELAY, RoundTrip
from protocol.views import LinkState
from protocol.wire.messages import Farewell, Offer
from spoof_tui.network.links import Owner, Route
from spoof_tui.runtime.connection import (
    BESIDE_DELAY,
    FOLLOW_TIMEOUT,
    LOOK_INTERVAL,
    MAX_RETRY_DELAY,
    MEET_TIMEOUT,
    MIN_RETRY_DELAY,
    _Silence,
)
from spoof_tui.runtime.notices import Ended
from spoof_tui.runtime.session import TICK_INTERVAL
from tests.simulation.substitutes import here
from tests.spoof_tui.network.places import Host
from tests.spoof_tui.runtime.local_table import (
    LocalTable,
    Sitter,
    Wire,
    local_table,
    new_key,
    statements,
    until,
)


def pauses(wire: Wire) -> list[float]:
    return [round(after - before, 2) for before, after in pairwise(wire.dials)]


async def test_a_host_that_cannot_be_reached_is_dialled_with_growing_but_bounded_pauses() -> None:
    async with local_table() as table:
        wire = Wire(table.server.connect)
        wire.refuses = True
        sitter = table.seat("Maria", wire=wire)
        await until(lambda: len(wire.dials) >= 15, 120)
        assert MIN_RETRY_DELAY <= min(pauses(wire)) <= max(pauses(wire)) <= MAX_RETRY_DELAY + 0.1
        assert pauses(wire)[0] < pauses(wire)[-1]
        wire.refuses = False
        await until(lambda: sitter.sits)


async def test_a_silent_host_is_left_and_dialled_anew() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        ann.wire.swallows = ann.wire.is_deaf = True
        begin = here().loop.time()
        await until(lambda: len(ann.wire.dials) == 2, 2 * LOST_DELAY)
        assert LOST_DELAY - 3 < here().loop.time() - begin < LOST_DELAY + 1
        ann.wire.swallows = ann.wire.is_deaf = False
        await until(lambda: ann.view.link is LinkState.UP)


async def test_of_links_that_lead_nowhere_only_the_last_two_are_kept() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        mute = [Host(said=b"") for _ in range(3)]
        for each in mute:
            await each.connect(ann.session)
            await asyncio.sleep(0.1)
        assert [bool(each.lost_) for each in mute] == [True, False, False]


async def test_who_has_two_links_for_a_moment_is_not_replaced_by_itself() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        await table.server.connect(ann.session)
        await asyncio.sleep(5)
        assert ann.told(Ended) == []
        table.seat("Ann", Guest(ann.session.guest._key))
        await ann.over()
        assert ann.told(Ended) == [Ended(Farewell.REPLACED)]


async def test_who_had_two_links_a_moment_ago_is_not_replaced_by_the_one_that_it_gave_up() -> None:
    async with local_table() as table:
        [ann] = await table.sit("Ann")
        connection = ann.session._connection
        assert connection.understood(Farewell.REPLACED) is Farewell.REPLACED
        await Host(said=b"").connect(ann.session)
        await table.server.connect(ann.session)
        await until(lambda: connection.number == 3 and connection.has_arrived)
        assert connection.understood(Farewell.REPLACED) is Farewell.SILENT
        await asyncio.sleep(BESIDE_DELAY)
        assert connection.understood(Farewell.REPLACED) is Farewell.REPLACED


@pytest.mark.parametrize("is_dialling", [True, False], ids=["dialling", "between two attempts"])
async def test_closing_ends_a_session_that_has_no_link(is_dialling: bool) -> None:
    async def never(owner: Owner) -> None:
        await asyncio.Event().wait()

    async with local_table() as table:
        wire = Wire(never)
        wire.refuses = not is_dialling
        sitter = table.seat("Ann", wire=wire)
        await until(lambda: wire.dials)
        sitter.session.close()
        await sitter.over()
        assert len(wire.dials) == 1


# Silence


@pytest.mark.parametrize(
    ("trip", "times", "stuck"),
    [
        (0.0, (0.0, MEET_TIMEOUT, MEET_TIMEOUT + 0.1), 2),
        # Two lost packets of a slow network do not break off the proof of a code.
        (1.0, (0.0, 2 + 3 + 6, 2 * (2 + 3 + 6)), 2),
        (2.0, (0.0, MEET_TIMEOUT + 1, MAX_HELLO_TIMEOUT + 1), 2),
    ],
)
def test_a_host_that_does_not_go_on_greeting_is_stuck_after_a_time_that_the_network_explains(
    trip: float, times: tuple[float, ...], stuck: int
) -> None:
    guest = Guest(new_key())
    guest.link, guest.trip = LinkState.MEETING, RoundTrip(trip) if trip else guest.trip
    silence = _Silence(guest)
    assert [silence.is_stuck(at) for at in times] == [place >= stuck for place in range(3)]
    silence.begin()
    assert not silence.is_stuck(times[-1] + 1), "a link is not stuck because the last one was"


def test_an_offer_holds_a_seat_for_a_while_and_then_only_who_has_agreed_to_it() -> None:
    guest, host = Guest(new_key()), new_key().public
    guest.departure.offer = Offer(host, bytes(32), (guest.key, host), (None, None), 0)
    silence = _Silence(guest)
    assert [silence.is_held(at) for at in (0.0, FOLLOW_TIMEOUT, FOLLOW_TIMEOUT + 1)] == [
        False, False, True
    ]  # fmt: skip
    guest.departure.offer = replace(guest.departure.offer, agreements=(bytes(64), None))
    assert not silence.is_held(FOLLOW_TIMEOUT + 1)


class Ways(Route):
    """A path with a new wire each time, which says whether the table would answer again."""

    def __init__(self, table: LocalTable, patience: float = 600.0) -> None:
        self.wires: list[Wire] = []
        self._connect = table.server.connect
        self._patience = patience
        self.reachable = False
        self.takes = 0.0
        """Seconds until it is known whether the table would answer."""
        self.asked: list[float] = []
        self.arrivals = 0

    async def __call__(self, owner: Owner) -> None:
        self.wires.append(Wire(self._connect))
        await self.wires[-1](owner)

    def patience(self, trip: RoundTrip) -> float:
        return self._patience

    async def answers(self) -> bool:
        self.asked.append(here().loop.time())
        await asyncio.sleep(self.takes)
        return self.reachable

    def arrived(self) -> None:
        self.arrivals += 1


async def silent(table: LocalTable, way: Ways) -> Sitter:
    """A guest at the table to whom nothing comes from now on."""
    maria = table.seat("Maria", way=way)
    await until(lambda: maria.sits)
    way.wires[0].is_deaf = True
    return maria


async def test_a_new_connection_takes_the_place_of_one_that_is_silent() -> None:
    async with local_table() as table:
        way = Ways(table)
        maria = await silent(table, way)
        way.reachable = True
        begin = here().loop.time()
        await until(lambda: way.arrivals >= 2)
        assert BESIDE_DELAY <= here().loop.time() - begin < LOST_DELAY
        await until(lambda: maria.view.link is LinkState.UP)
        await asyncio.sleep(3)
        assert not statements(table, Away), "the seat was never away"
        assert len(list(table.server.host.connections.inside())) == 1


@pytest.mark.parametrize("takes", [0.0, 4.0])
async def test_a_silent_link_is_kept_while_nobody_answers_who_is_asked_once_in_a_while(
    takes: float,
) -> None:
    async with local_table() as table:
        way = Ways(table)
        way.takes = takes
        await silent(table, way)
        await asyncio.sleep(BESIDE_DELAY + 12)
        between = [after - before for before, after in pairwise(way.asked)]
        pause = max(takes, LOOK_INTERVAL)
        assert len(way.wires) == 1 and len(between) > 1
        assert all(pause <= each <= pause + 3 * TICK_INTERVAL for each in between)


async def test_a_seat_that_an_offer_holds_leaves_for_whoever_else_serves_the_table() -> None:
    async with local_table() as table:
        way = Ways(table)
        guest, host = (await silent(table, way)).session.guest, table.server.host
        guest.link = LinkState.MOVING
        guest.departure.offer = Offer(host.key, bytes(32), (guest.key, host.key), (None, None), 0)
        way._connect, way.reachable = Host(said=b"").connect, True
        await until(lambda: len(way.wires) == 2)
        await until(lambda: not host.connections.inside(), 1)


async def test_after_its_patience_a_silent_link_is_given_up() -> None:
    async with local_table() as table:
        way = Ways(table, patience=6.0)
        await silent(table, way)
        await asyncio.sleep(4)
        assert len(way.wires) == 1
        await until(lambda: len(way.wires) > 1, 5)


async def test_a_link_whose_own_address_is_gone_is_dialled_anew_at_once() -> None:
    async with local_table() as table:
        way = Ways(table)
        maria = table.seat("Maria", way=way)
        await until(lambda: maria.sits)
        way.wires[0].has_no_address = True
        await until(lambda: way.arrivals == 2, 2)
