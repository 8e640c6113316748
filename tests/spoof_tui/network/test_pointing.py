"""Guests who tell where their table is."""

from __future__ import annotations

import asyncio

import pytest

from spoof_tui.network import pointing
from spoof_tui.network.addresses import Address, is_public
from spoof_tui.network.beacon import SIZE, Beacon, BeaconKind
from spoof_tui.network.pointing import (
    MAX_POINTS,
    MAX_TOLD,
    MAX_TOLD_BY_HOST,
    MIN_TOLD_PORT,
    TOLD_INTERVAL,
    Hearsay,
    Pointer,
    ask_where,
    passed_on,
    pointed,
    pointer,
)

WHERE = Address("10.0.0.7", 4242)
QUESTION = Beacon(BeaconKind.QUESTION).write()


@pytest.mark.parametrize(
    ("host", "is_good"),
    [
        ("10.0.0.7", True),
        ("127.0.0.1", False),
        ("0.0.0.0", False),
        ("239.1.1.1", False),
        ("fe80::1", False),
        ("annas-laptop", False),
    ],
)
def test_only_an_address_that_means_the_same_elsewhere_is_told(host: str, is_good: bool) -> None:
    assert is_public(host) is is_good


def test_a_pointer_is_as_short_as_a_question() -> None:
    for data, kind in ((pointer(WHERE), BeaconKind.THERE), (passed_on(WHERE), BeaconKind.FOUND)):
        beacon = Beacon.read(data)
        assert beacon and beacon.kind is kind and pointed(beacon) == WHERE
        assert len(data) == SIZE == len(QUESTION)


@pytest.mark.parametrize("where", [WHERE, None, Address("fe80::1%eth0", 1)])
async def test_a_guest_tells_where_its_table_is_if_that_can_be_said(
    where: Address | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pointing, "_now", lambda: 1.0)
    told: list[bytes] = []
    guest = Pointer(lambda: where)
    for data in (b"", pointer(WHERE), *[QUESTION] * 2 * MAX_POINTS):
        guest._heard(data, "10.0.0.5", told.append)
    both = [pointer(WHERE), passed_on(WHERE)]
    assert told == (both * MAX_POINTS if where == WHERE else [])


async def test_only_the_one_who_was_asked_is_heard() -> None:
    found: asyncio.Future[Address] = asyncio.get_running_loop().create_future()
    pointing._told("10.0.0.5", found, pointer(WHERE), ("10.0.0.6", 7763), print)
    pointing._told("10.0.0.5", found, QUESTION, ("10.0.0.5", 7763), print)
    assert not found.done()
    pointing._told("10.0.0.5", found, pointer(WHERE), ("10.0.0.5", 7763), print)
    assert await found == WHERE


async def test_this_machine_is_not_asked() -> None:
    assert await ask_where("127.0.0.1") is None


@pytest.mark.parametrize("host", ["8.8.8.8", "127.0.0.1", "192.0.2.1", "100.64.0.1"])
def test_nobody_is_led_out_of_a_private_network(host: str) -> None:
    assert not Hearsay().leads("10.0.0.5", Address(host, 7763), 0.0)


def test_nobody_is_led_to_another_service() -> None:
    assert not Hearsay().leads("10.0.0.5", Address("10.0.0.7", MIN_TOLD_PORT - 1), 0.0)


def test_a_liar_leads_to_a_few_places_and_many_liars_to_not_many_more() -> None:
    heard = Hearsay()

    def led(at: float) -> list[int]:
        tellers = {teller: f"10.0.1.{teller}" for teller in range(40)}
        return [
            sum(
                heard.leads(host, Address(f"10.2.{teller}.{place}", 7763), at)
                for place in range(2 * MAX_TOLD_BY_HOST)
            )
            for teller, host in tellers.items()
        ]

    first = led(0.0)
    assert (max(first), sum(first)) == (MAX_TOLD_BY_HOST, MAX_TOLD)
    assert not any(led(TOLD_INTERVAL / 2)) and led(TOLD_INTERVAL) == first


def test_eight_who_lie_leave_room_for_one_who_does_not() -> None:
    heard = Hearsay()
    for teller in range(8):
        for place in range(2 * MAX_TOLD_BY_HOST):
            heard.leads(f"10.0.1.{teller}", Address(f"10.2.{teller}.{place}", 7763), 0.0)
    assert heard.leads("10.0.0.5", WHERE, 0.0)
