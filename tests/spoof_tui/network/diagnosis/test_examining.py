"""An examination of this machine: it says of an address what there is."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import replace

import pytest

from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis import examining
from spoof_tui.network.diagnosis.examining import ClockWatch, Request, examine
from spoof_tui.network.diagnosis.observations import Hosting, Observations
from spoof_tui.network.probe import Answer, Failure, ProbeFailed
from spoof_tui.network.reserved_port import ReservedPort
from tests.spoof_tui.network.greeter import greeting, listening, open_host, saying

SOON = Request(within=1.5)


async def look_at(address: Address) -> Observations:
    seen = await examine(replace(SOON, target=address))
    assert seen.target == address
    return seen


async def test_a_table_that_greets_is_an_attempt_without_failure() -> None:
    host = open_host()
    async with listening(greeting(host)) as address:
        seen = await look_at(address)
    attempt = seen.attempts[0]
    assert (attempt.address, attempt.failure) == (address, None)
    assert host.table.id.startswith(attempt.table)
    assert attempt.seconds is not None


@pytest.mark.parametrize(("connected", "least"), [(0.01, 2.7), (1.2, 4 * 1.2)])
async def test_a_table_on_a_slow_network_has_more_time_to_greet(
    connected: float, least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    moments, given = iter([0.0, connected, connected]), list[float]()

    async def connect(address: Address) -> None:
        pass

    async def ask(address: Address, within: float, by: object) -> None:
        given.append(within)
        raise ProbeFailed(address, Failure.SILENT)

    monkeypatch.setattr(examining, "_now", lambda: next(moments))
    monkeypatch.setattr(examining, "_connect", connect)
    monkeypatch.setattr(examining, "probe", ask)
    await examining._attempt(Address("10.0.0.5", 7763), examining.EXAMINATION_TIMEOUT)
    assert least <= given[0] < 2 * least


async def test_a_call_that_was_lost_once_makes_no_network_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moments = iter([0.0, 1.01, 1.01])

    async def connect(address: Address) -> None:
        pass

    async def answer(address: Address, within: float, by: object) -> Answer:
        return Answer(address, None, 1, "test", round_trip=0.02)

    monkeypatch.setattr(examining, "_now", lambda: next(moments))
    monkeypatch.setattr(examining, "_connect", connect)
    monkeypatch.setattr(examining, "probe", answer)
    attempt = await examining._attempt(Address("10.0.0.5", 7763), examining.EXAMINATION_TIMEOUT)
    assert attempt.seconds == 0.02


async def test_what_speaks_otherwise_is_no_table() -> None:
    async with listening(saying(b"HTTP/1.1 200 OK\r\n"), plain=True) as address:
        seen = await look_at(address)
    assert seen.attempts[0].failure is Failure.NO_TABLE


@pytest.mark.parametrize(
    ("said", "is_page"),
    [
        (b"HTTP/1.1 302 Found\r\n", True),
        (b"HTTP/1.0 200 OK\r\n", True),
        (b"HTTP/1.1 511 Network Authentication Required\r\n", True),
        (b"HTTP/1.1 502 Bad Gateway\r\n", False),
        (b"SSH-2.0-OpenSSH_9.2\r\n", False),
    ],
)
async def test_only_a_web_page_in_place_of_nobody_is_a_sign_in_page(
    said: bytes, is_page: bool
) -> None:
    async with listening(saying(said), plain=True) as address:
        end = asyncio.get_running_loop().time() + 20
        assert await examining._has_page(address, end) is is_page


async def test_what_takes_connections_and_says_nothing_is_no_sign_in_page() -> None:
    async with listening(saying(b""), plain=True) as address:
        end = asyncio.get_running_loop().time() + 1
        assert not await examining._has_page(address, end)


async def test_a_port_where_nobody_listens_refuses() -> None:
    reserved = ReservedPort()
    try:
        seen = await look_at(Address("127.0.0.1", reserved.port))
    finally:
        reserved.close()
    assert seen.attempts[0].failure is Failure.REFUSED


async def test_a_name_that_nobody_has_cannot_be_reached() -> None:
    seen = await look_at(Address("nobody.invalid", 7763))
    assert seen.attempts[0].failure in (Failure.UNREACHABLE, Failure.SILENT)


async def test_what_a_host_has_noticed_is_kept() -> None:
    hosting = Hosting(4242, frozenset({"10.0.0.9"}))
    seen = await examine(replace(SOON, hosting=hosting))
    assert seen.hosting == hosting


def test_a_standstill_and_a_clock_that_is_set_are_noticed() -> None:
    walls, steadies = iter([100.0, 3710.0]), iter([10.0, 10.0, 10.05, 20.0, 20.0])

    def next_of(times: Iterator[float]) -> float:
        return next(times)

    watch = ClockWatch(lambda: next_of(walls), lambda: next_of(steadies))
    watch.look()
    watch.look()
    assert round(watch.stalled, 1) == 9.9
    assert watch.moved == 3600.0
