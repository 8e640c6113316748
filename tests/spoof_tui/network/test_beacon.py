"""Tables and lobbies that notice each other by datagrams."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import protocol
from spoof_tui.network.addresses import Address
from spoof_tui.network.beacon import (
    BEACON_INTERVAL,
    MAX_ANSWERS,
    MAX_ASKERS,
    MAX_BEACONS,
    MAX_BEACONS_OF_HOST,
    SIZE,
    TABLE_BYTES,
    Beacon,
    BeaconKind,
    BeaconListener,
    BeaconSender,
)
from tests.helpers.vectors import Case, each_case
from tests.spoof_tui.network.air import Air

PAGE = Path(protocol.__file__).parent / "DISCOVERY.md"

TABLE = bytes(range(32))
HERE = Beacon(BeaconKind.HERE, 7763, TABLE[:TABLE_BYTES])
GONE = Beacon(BeaconKind.GONE, 7763, TABLE[:TABLE_BYTES])
QUESTION = Beacon(BeaconKind.QUESTION).write()

NUMBERS = st.integers(1, 0xFFFF)
TABLES = st.binary(min_size=TABLE_BYTES, max_size=TABLE_BYTES)
BEACONS = st.builds(Beacon, st.just(BeaconKind.QUESTION), st.just(0), TABLES, NUMBERS) | st.builds(
    Beacon,
    st.sampled_from([each for each in BeaconKind if each is not BeaconKind.QUESTION]),
    NUMBERS,
    TABLES,
    NUMBERS,
)


# The datagram


@given(BEACONS, st.integers(0, SIZE - 1), st.integers(0, 255))
def test_any_bytes_are_a_beacon_or_none(sent: Beacon, place: int, byte: int) -> None:
    data = bytearray(sent.write())
    data[place] = byte
    read = Beacon.read(bytes(data))
    assert read is None or read.write() == data


def test_the_bytes_are_those_of_the_page() -> None:
    assert f"    {HERE.write().hex(' ')}  " in PAGE.read_text("utf-8")


@each_case("beacons")
def test_a_datagram_says_what_its_case_says_or_is_ignored(case: Case) -> None:
    read = Beacon.read(bytes.fromhex(case["hex"]))
    if case.get("ignored"):
        assert read is None
        return
    assert read is not None and read.write().hex() == case["hex"]
    told = (read.kind.value.decode(), read.protocol, read.port, read.table.hex())
    assert told == (case["kind"], case["version"], case["port"], case["table"])


@contextlib.asynccontextmanager
async def running(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    task = asyncio.create_task(work)
    await asyncio.sleep(0.01)
    yield
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


# A table's end


async def test_a_table_tells_that_it_is_here_until_it_says_goodbye_twice(air: Air) -> None:
    async with running(BeaconSender(TABLE, 7763).run()):
        await asyncio.sleep(5.0)
    times = air.times(HERE.write())
    expected = [turn * BEACON_INTERVAL for turn in range(len(times))]
    assert times == pytest.approx(expected, abs=0.05) and len(times) == 11
    assert air.beacons[-2:] == [GONE, GONE]
    assert len(air.sent) == len(times) + 2 and not air.ears


async def test_a_question_is_answered_with_no_more_bytes_and_nothing_else_is(air: Air) -> None:
    async with running(BeaconSender(TABLE, 7763).run()):
        assert air.hears(QUESTION, "10.0.0.5") == [HERE.write()]
        assert len(HERE.write()) <= len(QUESTION)
        for data in (b"", HERE.write(), b"SPOF?", QUESTION + b"\0"):
            assert air.hears(data, "10.0.0.5") == []


async def test_who_asks_all_the_time_is_answered_so_often_and_no_more(air: Air) -> None:
    async with running(BeaconSender(TABLE, 7763).run()):
        for _ in range(3):
            told = [each for _ in range(99) for each in air.hears(QUESTION, "10.0.0.5")]
            assert told == [HERE.write()] * MAX_ANSWERS
            await asyncio.sleep(1.01)


async def test_a_table_notes_who_has_asked_for_tables_and_when_first(air: Air) -> None:
    sender = BeaconSender(TABLE, 7763)
    async with running(sender.run()):
        for number in range(MAX_ASKERS + 9):
            air.hears(QUESTION, f"10.0.0.{number}")
        air.hears(HERE, "10.1.0.1")
        before = dict(sender.askers)
        await asyncio.sleep(1.0)
        air.hears(QUESTION, "10.0.0.0")
        assert sender.askers == before
        assert list(before) == [f"10.0.0.{number}" for number in range(MAX_ASKERS)]


# A lobby's end


@dataclass
class Heard:
    """What a listener reported."""

    seen: list[tuple[Address, Beacon]] = field(default_factory=list)

    def listening(self) -> contextlib.AbstractAsyncContextManager[None]:
        return running(BeaconListener(lambda *told: self.seen.append(told)).run())


def of_table(number: int) -> Beacon:
    return Beacon(BeaconKind.HERE, 7763, number.to_bytes(TABLE_BYTES, "big"))


async def test_what_comes_by_two_ways_at_once_is_heard_once(air: Air) -> None:
    heard = Heard()
    async with heard.listening():
        for pause in (0.01, BEACON_INTERVAL, BEACON_INTERVAL):
            air.hears(HERE, "10.0.0.5")
            await asyncio.sleep(pause)
    assert len(heard.seen) == 2


async def test_a_flood_from_one_machine_leaves_room_for_another(air: Air) -> None:
    heard = Heard()
    async with heard.listening():
        for second in range(3):
            for number in range(2 * MAX_BEACONS):
                air.hears(of_table(number), "10.0.0.5")
            air.hears(of_table(second), "10.0.0.6")
            assert len(heard.seen) == (second + 1) * (MAX_BEACONS_OF_HOST + 1)
            await asyncio.sleep(1.01)


async def test_a_flood_from_everywhere_has_an_end(air: Air) -> None:
    heard = Heard()
    async with heard.listening():
        for second in range(3):
            for number in range(2 * MAX_BEACONS):
                air.hears(HERE, f"10.{second}.{number // 256}.{number % 256}")
            assert len(heard.seen) == (second + 1) * MAX_BEACONS
            await asyncio.sleep(1.01)
