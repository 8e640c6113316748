"""Guests who say where their table is."""

from __future__ import annotations

import asyncio
from typing import Any

from spoof_tui.network.addresses import Address, is_public
from spoof_tui.network.beacon import SIZE, Beacon, BeaconKind
from spoof_tui.network.pointing import (
    MAX_POINTS,
    MAX_TOLD,
    MAX_TOLD_BY_HOST,
    TOLD_INTERVAL,
    Hearsay,
    Pointer,
    leading_to,
    pointed,
)
from tests.spoof_tui.network.air import Air
from tests.spoof_tui.network.cases import cases

WHERE = Address("10.0.0.7", 4242)
QUESTION = Beacon(BeaconKind.QUESTION)
POINTERS = BeaconKind.THERE, BeaconKind.FOUND


@cases("told")
async def test_an_address_is_told_that_means_the_same_elsewhere_and_followed_in_a_private_network(
    case: dict[str, Any], air: Air
) -> None:
    where, is_told = Address(case["host"], case["port"]), case["is_told"]
    assert is_public(where.host) is is_told
    assert Hearsay().leads("10.0.0.5", where, 0.0) is case["is_followed"]
    task = asyncio.create_task(Pointer(lambda: where).run())
    await asyncio.sleep(0.1)
    answers = [leading_to(where, kind) for kind in POINTERS] if is_told else []
    for _ in range(2):
        told = [each for _ in range(2 * MAX_POINTS) for each in air.hears(QUESTION, "10.0.0.5")]
        assert told == answers * MAX_POINTS
        await asyncio.sleep(1.01)
    for data in (leading_to(WHERE, BeaconKind.THERE), b""):
        assert air.hears(data, "10.0.0.5") == []
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    assert not air.ears


def test_a_pointer_is_as_short_as_a_question() -> None:
    for kind in POINTERS:
        data = leading_to(WHERE, kind)
        beacon = Beacon.read(data)
        assert beacon and beacon.kind is kind and pointed(beacon) == WHERE
        assert len(data) == SIZE == len(QUESTION.write())


def test_a_liar_leads_to_a_few_places_and_many_liars_to_not_many_more() -> None:
    heard = Hearsay()

    def led(at: float) -> list[int]:
        return [
            sum(
                heard.leads(f"10.0.1.{teller}", Address(f"10.2.{teller}.{place}", 7763), at)
                for place in range(2 * MAX_TOLD_BY_HOST)
            )
            for teller in range(40)
        ]

    first = led(0.0)
    assert (max(first), sum(first)) == (MAX_TOLD_BY_HOST, MAX_TOLD)
    # A dozen liars leave room for an honest one.
    assert MAX_TOLD // MAX_TOLD_BY_HOST > 12
    assert not any(led(TOLD_INTERVAL - 0.1)) and led(TOLD_INTERVAL) == first
