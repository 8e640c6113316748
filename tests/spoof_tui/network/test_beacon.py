"""Tables and lobbies that notice each other by datagrams."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import protocol
from protocol.limits import MAX_ADDRESSES
from protocol.wire.messages import Card
from spoof_tui.network import beacon
from spoof_tui.network.addresses import Address
from spoof_tui.network.beacon import (
    BEACON_INTERVAL,
    CROWD_RATE,
    MAX_ANSWERS,
    MAX_ASKERS,
    MAX_BEACONS,
    MAX_BEACONS_OF_HOST,
    MAX_CROWD,
    MAX_INTRODUCTIONS,
    SIZE,
    TABLE_BYTES,
    Beacon,
    BeaconKind,
    BeaconListener,
    BeaconSender,
    beacon_interval,
    beacon_timeout,
)
from spoof_tui.network.introduction import MAX_TRIP, Introduction
from tests.protocol.greetings import CARD
from tests.spoof_tui.network.greeter import until

PAGE = Path(protocol.__file__).parent / "README.md"

TABLE = bytes(range(32))
HERE = Beacon(BeaconKind.HERE, 7763, TABLE[:TABLE_BYTES])
QUESTION = Beacon(BeaconKind.QUESTION).write()

NUMBERS = st.integers(1, 0xFFFF)
TABLES = st.binary(min_size=TABLE_BYTES, max_size=TABLE_BYTES)
BEACONS = st.one_of(
    st.builds(Beacon, st.just(BeaconKind.QUESTION), st.just(0), TABLES, NUMBERS),
    st.builds(
        Beacon, st.sampled_from([BeaconKind.HERE, BeaconKind.GONE]), NUMBERS, TABLES, NUMBERS
    ),
)


# The datagram


@given(BEACONS)
def test_a_beacon_is_read_as_it_was_written(sent: Beacon) -> None:
    assert Beacon.read(sent.write()) == sent


@given(st.one_of(st.binary(max_size=40), st.binary(min_size=SIZE, max_size=SIZE)))
def test_any_bytes_are_a_beacon_or_none(data: bytes) -> None:
    read = Beacon.read(data)
    assert read is None or read.write() == data


@given(BEACONS, st.integers(0, SIZE * 8 - 1))
def test_no_bit_is_without_a_meaning(sent: Beacon, bit: int) -> None:
    data = bytearray(sent.write())
    data[bit // 8] ^= 1 << bit % 8
    assert Beacon.read(bytes(data)) != sent


@given(BEACONS)
def test_a_beacon_with_more_or_less_is_none(sent: Beacon) -> None:
    assert Beacon.read(sent.write() + b"\0") is None
    assert Beacon.read(sent.write()[:-1]) is None


def test_the_bytes_are_those_of_the_page() -> None:
    here = Beacon(BeaconKind.HERE, 7763, TABLE[:TABLE_BYTES])
    told = here.write().hex(" ")
    assert told == "53 50 4f 46 21 00 02 1e 53 00 01 02 03 04 05 06 07"
    assert f"    {told}  " in PAGE.read_text("utf-8")


@pytest.mark.parametrize(
    ("kind", "port", "table"),
    [
        (BeaconKind.HERE, 0, bytes(8)),
        (BeaconKind.QUESTION, 1, bytes(8)),
        (BeaconKind.HERE, 65536, bytes(8)),
        (BeaconKind.HERE, 1, bytes(7)),
    ],
)
def test_what_cannot_be_is_not_written(kind: BeaconKind, port: int, table: bytes) -> None:
    with pytest.raises(ValueError, match="Beacon"):
        Beacon(kind, port, table)


# Without a network


class Replies:
    """The way back to somebody."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []

    def __call__(self, data: bytes) -> None:
        self.sent.append(data)


async def test_a_question_is_answered_and_with_no_more_bytes() -> None:
    reply = Replies()
    BeaconSender(TABLE, 7763)._heard(QUESTION, "10.0.0.5", reply)
    assert reply.sent == [HERE.write()]
    assert len(reply.sent[0]) <= len(QUESTION)


@pytest.mark.parametrize("data", [b"", HERE.write(), b"SPOF?", QUESTION + b"\0"])
async def test_nothing_else_is_answered(data: bytes) -> None:
    reply = Replies()
    BeaconSender(TABLE, 7763)._heard(data, "10.0.0.5", reply)
    assert reply.sent == []


class Clock:
    """The time of the beacons, which stands still unless it is set."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(beacon, "_now", clock)
    return clock


async def test_who_asks_all_the_time_is_answered_so_often_and_no_more(clock: Clock) -> None:
    reply, sender = Replies(), BeaconSender(TABLE, 7763)
    for second in range(3):
        clock.now = float(second)
        for _ in range(10 * MAX_ANSWERS):
            sender._heard(QUESTION, "10.0.0.5", reply)
        assert len(reply.sent) == (second + 1) * MAX_ANSWERS


async def test_who_asks_by_a_number_is_introduced_to_the_table_with_it(clock: Clock) -> None:
    told: list[bytes] = []
    sender = BeaconSender(CARD.table, 7763)
    sender._broadcast.send = told.append  # type: ignore[assignment, method-assign]
    question = Beacon(BeaconKind.QUESTION, table=b"nonce678").write()
    sender._heard(question, "10.0.0.5", Replies())
    assert told == []
    sender.card = CARD
    for data in (QUESTION, *[question] * 9):
        sender._heard(data, "10.0.0.5", Replies())
    assert told == [Introduction(7763, b"nonce678", CARD).write()] * MAX_INTRODUCTIONS


async def test_an_introduction_tells_how_long_the_way_is_to_who_has_asked(clock: Clock) -> None:
    heard: list[tuple[Address, Card, float | None]] = []
    listener = BeaconListener(Sightings(), lambda *told: heard.append(told))
    question = Beacon.read(listener._question())
    clock.now = 1.5
    for nonce in (question.table if question else b"", b"somebody"):
        listener._heard(Introduction(7763, nonce, CARD).write(), "10.0.0.5", Replies())
    where = Address("10.0.0.5", 7763)
    assert heard == [(where, CARD, 1.5), (where, CARD, None)]
    assert listener._question() == QUESTION


async def test_an_introduction_that_comes_late_is_of_nobody_who_has_asked(clock: Clock) -> None:
    heard: list[float | None] = []
    listener = BeaconListener(Sightings(), lambda _where, _card, trip: heard.append(trip))
    question = Beacon.read(listener._question())
    assert question
    for clock.now in (MAX_TRIP, MAX_TRIP + 1, 25.0):
        told = Introduction(7763, question.table, CARD).write()
        listener._heard(told, "10.0.0.5", Replies())
    assert heard == [MAX_TRIP, None, None]


class Sightings:
    """What a listener saw."""

    def __init__(self) -> None:
        self.all: list[tuple[Address, Beacon]] = []

    def __call__(self, address: Address, seen: Beacon) -> None:
        self.all.append((address, seen))

    def has(self, kind: BeaconKind, table: bytes) -> Callable[[], bool]:
        wanted = (kind, table[:TABLE_BYTES])
        return lambda: wanted in [(seen.kind, seen.table) for _, seen in self.all]


async def test_the_table_is_where_its_beacon_came_from() -> None:
    sightings = Sightings()
    BeaconListener(sightings)._heard(HERE.write(), "fe80::1%eth0", Replies())
    assert sightings.all == [(Address("fe80::1%eth0", 7763), HERE)]


async def test_a_question_is_no_sighting() -> None:
    sightings = Sightings()
    BeaconListener(sightings)._heard(QUESTION, "10.0.0.5", Replies())
    assert sightings.all == []


async def test_what_comes_by_two_ways_at_once_is_heard_once(clock: Clock) -> None:
    sightings = Sightings()
    listener = BeaconListener(sightings)
    for moment in (0.0, 0.01, BEACON_INTERVAL):
        clock.now = moment
        listener._heard(HERE.write(), "10.0.0.5", Replies())
    assert len(sightings.all) == 2


@pytest.mark.parametrize("tables", [1, 12, 30, MAX_CROWD, 2 * MAX_CROWD])
async def test_in_a_crowd_each_table_sends_fewer_beacons(tables: int, clock: Clock) -> None:
    sender = BeaconSender(TABLE, 7763)
    for number in range(tables - 1):
        sender._heard(of_table(number), "10.0.0.5", Replies())
    sender._heard(HERE.write(), "10.0.0.5", Replies())
    assert sender._crowd() == min(tables, MAX_CROWD + 1)
    interval = beacon_interval(sender._crowd())
    assert BEACON_INTERVAL <= interval <= MAX_CROWD / CROWD_RATE < beacon_timeout(MAX_CROWD)
    assert min(tables, MAX_CROWD) / interval <= CROWD_RATE
    clock.now = 2 * beacon_timeout(tables)
    assert sender._crowd() == 1


def of_table(number: int) -> bytes:
    return Beacon(BeaconKind.HERE, 7763, number.to_bytes(TABLE_BYTES, "big")).write()


@pytest.mark.usefixtures("clock")
async def test_a_flood_from_one_machine_leaves_room_for_another() -> None:
    sightings = Sightings()
    listener = BeaconListener(sightings)
    for number in range(2 * MAX_BEACONS):
        listener._heard(of_table(number), "10.0.0.5", Replies())
    listener._heard(HERE.write(), "10.0.0.6", Replies())
    assert len(sightings.all) == MAX_BEACONS_OF_HOST + 1


@pytest.mark.usefixtures("clock")
async def test_a_flood_from_everywhere_has_an_end() -> None:
    sightings = Sightings()
    listener = BeaconListener(sightings)
    for number in range(2 * MAX_BEACONS):
        host = f"10.0.{number // 256}.{number % 256}"
        listener._heard(HERE.write(), host, Replies())
    assert len(sightings.all) == MAX_BEACONS
    assert len(listener._of_one) <= MAX_ADDRESSES


async def test_the_ration_is_that_of_a_second(clock: Clock) -> None:
    sightings = Sightings()
    listener = BeaconListener(sightings)
    for second in range(3):
        clock.now = float(second)
        for number in range(MAX_BEACONS):
            listener._heard(of_table(number), "10.0.0.5", Replies())
        assert len(sightings.all) == (second + 1) * MAX_BEACONS_OF_HOST


# Over the links of this machine; others may be at play on them


@contextlib.asynccontextmanager
async def running(work: asyncio.Task[None]) -> AsyncIterator[None]:
    try:
        yield
    finally:
        work.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await work


@contextlib.asynccontextmanager
async def watching() -> AsyncIterator[Sightings]:
    sightings = Sightings()
    async with running(asyncio.create_task(BeaconListener(sightings).run())):
        yield sightings


def table() -> bytes:
    """A table that nobody else on this machine has."""
    return secrets.token_bytes(32)


async def test_a_table_is_seen_until_it_says_goodbye() -> None:
    identity = table()
    async with watching() as sightings:
        async with running(asyncio.create_task(BeaconSender(identity, 40123).run())):
            await until(sightings.has(BeaconKind.HERE, identity))
            assert all(
                seen.port == 40123
                for _, seen in sightings.all
                if seen.table == identity[:TABLE_BYTES]
            )
        await until(sightings.has(BeaconKind.GONE, identity))


async def test_who_comes_later_asks_and_need_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    identity = table()
    monkeypatch.setattr(beacon, "BEACON_INTERVAL", 60.0)
    monkeypatch.setattr(beacon, "LOOK_INTERVAL", 60.0)
    async with (
        watching() as first,
        running(asyncio.create_task(BeaconSender(identity, 40123).run())),
    ):
        await until(first.has(BeaconKind.HERE, identity))
        async with watching() as second:
            assert await until(second.has(BeaconKind.HERE, identity)) < 2


async def test_everybody_on_one_machine_hears() -> None:
    identity = table()
    async with (
        watching() as one,
        watching() as other,
        running(asyncio.create_task(BeaconSender(identity, 40123).run())),
    ):
        await until(one.has(BeaconKind.HERE, identity))
        await until(other.has(BeaconKind.HERE, identity))


@pytest.mark.parametrize("turns", range(12))
async def test_it_may_be_put_out_at_any_time(turns: int) -> None:
    for work in (BeaconSender(table(), 40123).run(), BeaconListener(Sightings()).run()):
        async with running(asyncio.create_task(work)):
            for _ in range(turns):
                await asyncio.sleep(0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_a_table_notes_who_has_asked_for_tables() -> None:
    sender = BeaconSender(bytes(32), 7763)
    question, here = Beacon(BeaconKind.QUESTION), Beacon(BeaconKind.HERE, 7763)
    for number in range(MAX_ASKERS + 9):
        sender._heard(question.write(), f"10.0.0.{number}", lambda _: None)
    sender._heard(here.write(), "10.1.0.1", lambda _: None)
    first = sender.askers["10.0.0.0"]
    sender._heard(question.write(), "10.0.0.0", lambda _: None)
    assert len(sender.askers) == MAX_ASKERS and "10.1.0.1" not in sender.askers
    assert sender.askers["10.0.0.0"] == first
