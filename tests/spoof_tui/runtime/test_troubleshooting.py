"""What is looked into on its own, and when."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator

import pytest

from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.examining import Request
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.network.diagnosis.observations import Hosting
from spoof_tui.runtime import troubleshooting
from spoof_tui.runtime.troubleshooting import Explanation, Findings, Troubleshooter
from tests.spoof_tui.runtime.local_table import until

SILENT = (Finding(Code.HOST_SILENT, Severity.PROBLEM),)
ADDRESS = Address("10.0.0.1", 7763)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """What was looked into; each time the same is found, at once."""
    requests: list[Request] = []

    async def find_out(request: Request) -> Findings:
        requests.append(request)
        return SILENT

    monkeypatch.setattr(troubleshooting, "find_out", find_out)
    monkeypatch.setattr(troubleshooting, "EXPLAIN_DELAY", 0.001)
    monkeypatch.setattr(troubleshooting, "LOOK_INTERVAL", 0.001)
    return requests


@contextlib.asynccontextmanager
async def running(troubleshooter: Troubleshooter) -> AsyncIterator[None]:
    task = asyncio.create_task(troubleshooter.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def test_what_is_missed_is_explained_until_it_is_there(asked: list[Request]) -> None:
    told: list[Findings] = []
    missed: Request | None = Request(ADDRESS)
    async with running(Troubleshooter(lambda: missed, told.append)):
        await until(lambda: told == [SILENT])
        missed = None
        await until(lambda: told == [SILENT, ()])
    assert asked == [Request(ADDRESS)]


async def test_nothing_is_looked_into_while_nothing_is_missed(asked: list[Request]) -> None:
    looks = 0

    def look() -> None:
        nonlocal looks
        looks += 1

    async with running(Troubleshooter(look, lambda found: None)):
        await until(lambda: looks > 20)
    assert asked == []


async def test_what_guests_have_found_is_told_before_it_is_looked_into(
    monkeypatch: pytest.MonkeyPatch, asked: list[Request]
) -> None:
    monkeypatch.setattr(troubleshooting, "EXPLAIN_DELAY", 3600)
    told: list[Findings] = []
    missed = Request(hosting=Hosting(7763, apart=(("Ben", "Cem"),)))
    async with running(Troubleshooter(lambda: missed, told.append)):
        await until(lambda: bool(told))
    assert ([each.code for each in told[0]], asked) == ([Code.GUESTS_APART], [])


async def test_what_is_missed_otherwise_is_looked_into_at_once(asked: list[Request]) -> None:
    missed = Request(ADDRESS)
    async with running(Troubleshooter(lambda: missed, lambda found: None)):
        await until(lambda: len(asked) == 1)
        missed = Request(suspects=(ADDRESS,))
        await until(lambda: len(asked) == 2)
    assert asked[-1].suspects == (ADDRESS,)


async def test_an_address_that_is_not_reached_is_explained_at_once(
    monkeypatch: pytest.MonkeyPatch, asked: list[Request]
) -> None:
    monkeypatch.setattr(troubleshooting, "EXPLAIN_DELAY", 3600)
    told: list[Findings] = []
    await Explanation(ADDRESS, told.append).finish()
    assert (told, asked) == ([SILENT], [Request(ADDRESS)])


async def test_an_address_that_is_reached_needs_no_explanation(asked: list[Request]) -> None:
    explanation = Explanation(ADDRESS, lambda found: None)
    explanation.cancel()
    await asyncio.gather(explanation._task, return_exceptions=True)
    assert asked == []
