"""What is examined unasked, and when."""

from __future__ import annotations

import asyncio

import pytest

from spoof_tui.network.addresses import Address
from spoof_tui.network.diagnosis.examining import Request
from spoof_tui.network.diagnosis.findings import Code, Finding, Severity
from spoof_tui.runtime import troubleshooting
from spoof_tui.runtime.troubleshooting import EXPLAIN_DELAY, Diagnosis, Findings, Troubleshooter

SILENT = (Finding(Code.HOST_SILENT, Severity.PROBLEM),)
ADDRESS = Address("10.0.0.1", 7763)
MISSED = Request(ADDRESS)


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[Request]:
    """The examinations; each finds the same, at once."""
    requests: list[Request] = []

    async def find_out(request: Request) -> Findings:
        requests.append(request)
        return SILENT

    monkeypatch.setattr(troubleshooting, "find_out", find_out)
    return requests


async def test_what_is_missed_for_long_is_explained_until_it_is_there(asked: list[Request]) -> None:
    told: list[Findings] = []
    missed: Request | None = None
    running = asyncio.create_task(Troubleshooter(lambda: missed, told.append).run())
    await asyncio.sleep(2 * EXPLAIN_DELAY)
    missed = MISSED
    await asyncio.sleep(EXPLAIN_DELAY - 1)
    assert asked == [], "for a moment it may be missing"
    await asyncio.sleep(3)
    assert (asked, told) == ([MISSED], [SILENT])
    missed = Request(suspects=(ADDRESS,))
    await asyncio.sleep(2)
    assert asked[1:] == [missed], "what is missed otherwise is looked into at once"
    missed = None
    await asyncio.sleep(2)
    assert told[-1] == () and len(asked) == 2
    running.cancel()


async def test_an_address_is_explained_after_a_while_or_once_it_is_known_not_to_be_reached(
    asked: list[Request],
) -> None:
    told: list[Findings] = []
    Diagnosis(ADDRESS, told.append).cancel()
    late = Diagnosis(ADDRESS, told.append)
    await asyncio.sleep(0)
    assert asked == []
    await Diagnosis(ADDRESS, told.append).finish()
    assert (told, asked) == ([SILENT], [MISSED])
    await asyncio.sleep(EXPLAIN_DELAY + 1)
    assert (told, asked) == ([SILENT] * 2, [MISSED] * 2)
    await late.finish()
    assert len(told) == 2
