"""Leaving an own table: the role first, then the seat, and never for long."""

from __future__ import annotations

import asyncio

import pytest

from spoof_tui.runtime.departure import HAND_OVER_TIMEOUT, LAST_HAND_OVER_TIMEOUT, Departure


@pytest.mark.parametrize(
    ("given_after", "moved_after", "hurried_after", "takes"),
    [
        pytest.param(0.0, 1.5, None, 1.5, id="until the table has moved"),
        pytest.param(0.0, None, None, HAND_OVER_TIMEOUT, id="nobody takes the role"),
        pytest.param(None, None, None, 0.0, id="the role cannot be given away"),
        pytest.param(0.0, None, 0.5, 0.5 + LAST_HAND_OVER_TIMEOUT, id="the program must go"),
        pytest.param(60.0, None, 0.0, LAST_HAND_OVER_TIMEOUT, id="nor waits for any disk then"),
    ],
)
async def test_who_leaves_waits_for_the_next_host_and_never_for_long(
    given_after: float | None, moved_after: float | None, hurried_after: float | None, takes: float
) -> None:
    async def give() -> bool:
        await asyncio.sleep(given_after or 0.0)
        return given_after is not None

    loop, departure = asyncio.get_running_loop(), Departure()
    # An earlier move is not taken for this one.
    departure.moved()
    if moved_after is not None:
        loop.call_later(moved_after, departure.moved)
    if hurried_after is not None:
        loop.call_later(hurried_after, departure.hurry)
    begin, before = loop.time(), asyncio.all_tasks()
    await departure.move(give())
    assert loop.time() - begin == pytest.approx(takes, abs=0.05)
    assert asyncio.all_tasks() == before
