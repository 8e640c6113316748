"""The questions of one list of tables that are under way at the same time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from spoof_tui import system
from spoof_tui.network import probing
from spoof_tui.network.addresses import Address
from spoof_tui.network.endpoints import Endpoint, Origin
from spoof_tui.network.links import Owner, dial
from spoof_tui.network.probe import Answer, Failure, ProbeFailed
from spoof_tui.network.probing import MAX_NEW_PROBES, MAX_TRIES, Probes
from tests.spoof_tui.network.greeter import greeting, listening, open_host, until

LIMIT = 20.0
"""Seconds after which something has certainly happened."""


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Questions that count as late at once."""
    for name in ("PROBE_TIMEOUT", "LISTED_TIMEOUT"):
        monkeypatch.setattr(probing, name, 0.01)


class Sluggish:
    """A way that takes its time, until it is told to go on."""

    def __init__(self) -> None:
        self.may_go_on = asyncio.Event()
        self.waiting = 0

    async def __call__(self, owner: Owner, address: Address) -> None:
        self.waiting += 1
        try:
            await self.may_go_on.wait()
            await dial(owner, address)
        finally:
            self.waiting -= 1


@asynccontextmanager
async def asked(way: Sluggish) -> AsyncIterator[tuple[Endpoint, asyncio.Task[Answer]]]:
    """A table behind that way, and the question to it."""
    async with listening(greeting(open_host())) as address:
        endpoint = Endpoint((address,), Origin.GIVEN)
        yield endpoint, asyncio.create_task(Probes(way).ask(endpoint))


async def test_a_table_on_a_slow_way_is_waited_for() -> None:
    way = Sluggish()
    async with asked(way) as (endpoint, question):
        await until(lambda: not endpoint.is_new)
        assert not question.done()
        way.may_go_on.set()
        assert (await question).card


async def test_who_is_slow_holds_up_no_other() -> None:
    way = Sluggish()
    dead = [Address("10.0.0.5", port) for port in range(1, 2 * MAX_NEW_PROBES)]
    probes = Probes(way)
    questions = [asyncio.create_task(probes.ask(Endpoint((each,), Origin.GIVEN))) for each in dead]
    await until(lambda: way.waiting == len(dead))
    for question in questions:
        question.cancel()
    await asyncio.gather(*questions, return_exceptions=True)
    assert way.waiting == 0


async def test_a_slow_one_for_which_something_speaks_is_asked_anew() -> None:
    way = Sluggish()
    async with asked(way) as (endpoint, question):
        await until(lambda: not endpoint.is_new)
        endpoint.wake.set()
        with pytest.raises(ProbeFailed) as failed:
            await question
        assert (failed.value.reason, way.waiting) == (Failure.SILENT, 0)


async def test_a_listed_table_that_is_closed_is_waited_for_until_the_system_tells_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(system, "refusal_delay", lambda: LIMIT)

    async def refused_late(owner: Owner, address: Address) -> None:
        told = asyncio.Event()
        asyncio.get_running_loop().call_later(0.05, told.set)
        await told.wait()
        raise ConnectionRefusedError

    endpoint = Endpoint((Address("10.0.0.5", 7763),), Origin.GIVEN)
    endpoint.answer = Answer(endpoint.in_order[0], None, 1, "test")
    with pytest.raises(ProbeFailed) as failed:
        await Probes(refused_late).ask(endpoint)
    assert failed.value.reason is Failure.REFUSED


async def test_a_table_whose_beacon_stopped_is_tried_again_and_again_before_it_is_given_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    way = Sluggish()
    monkeypatch.setattr(probing, "LISTED_TIMEOUT", 60)
    async with asked(way) as (endpoint, question):
        question.cancel()
        endpoint.answered(Answer(endpoint.addresses[0], None, 1, "1"))
        endpoint.heard = 0.0
        again = asyncio.create_task(Probes(way).ask(endpoint))
        await until(lambda: way.waiting == MAX_TRIES)
        way.may_go_on.set()
        assert (await again).card


@pytest.mark.parametrize(("round_trip", "is_found"), [(0.0, False), (60.0, True)])
async def test_a_listed_table_has_the_time_that_it_took_before(
    round_trip: float, is_found: bool
) -> None:
    way = Sluggish()
    async with asked(way) as (endpoint, question):
        question.cancel()
        endpoint.answered(Answer(endpoint.addresses[0], None, 1, "1", round_trip=round_trip))
        again = asyncio.create_task(Probes(way).ask(endpoint))
        await asyncio.wait({again}, timeout=0.1)
        way.may_go_on.set()
        if is_found:
            assert (await again).card
        else:
            with pytest.raises(ProbeFailed):
                await again
