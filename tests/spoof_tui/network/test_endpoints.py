"""When an endpoint is asked, and when it is given up."""

from typing import Any

import pytest

from spoof_tui.network.addresses import Address
from spoof_tui.network.endpoints import (
    MAX_ENDPOINTS,
    MAX_OF_HOST,
    SECOND_CHANCE_DELAY,
    Endpoint,
    FoundBy,
    give_way,
    has_room,
)
from spoof_tui.network.probe import Failure, FoundTable
from tests.spoof_tui.network.cases import cases

PIER = Address("10.0.0.5", 7763)
ANSWER = FoundTable(PIER, None, 1, "1")
NOW = 1000.0


def endpoint(origin: FoundBy = FoundBy.BEACON, address: Address = PIER) -> Endpoint:
    return Endpoint((address,), origin)


def listed(heard: float | None = None, crowd: int = 1, is_row: bool = True) -> Endpoint:
    """An endpoint that answers, and whose beacon will be heard in this many seconds."""
    made = endpoint()
    made.answered(ANSWER)
    made.is_row, made.asked, made.crowd = is_row, NOW, crowd
    made.heard = made.heard if heard is None else NOW + heard
    return made


def dead(address: Address, heard: float) -> Endpoint:
    made = endpoint(address=address)
    made.asked, made.heard = NOW, heard
    made.missed(Failure.SILENT, NOW)
    return made


@cases("due")
def test_when_a_table_that_answers_is_asked_again(case: dict[str, Any]) -> None:
    table = listed(case["heard"], case["crowd"], case["is_row"])
    assert table.due == pytest.approx(NOW + case["seconds"])


@cases("misses")
def test_after_how_many_missing_answers_a_table_is_given_up(case: dict[str, Any]) -> None:
    table, misses = listed(case["heard"]), case["misses"]
    for _ in range((misses or 20) - 1):
        table.missed(Failure[case["reason"]], NOW)
        assert table.answer
        assert misses is None or table.due == NOW + SECOND_CHANCE_DELAY
    table.missed(Failure[case["reason"]], NOW)
    assert bool(table.answer) is (misses is None)
    assert table.is_heard(NOW) is False or misses is None


def test_one_machine_has_only_so_many_beacons() -> None:
    same = [dead(Address("10.0.0.5", port), float(port)) for port in range(1, MAX_OF_HOST + 1)]
    assert has_room(same[1:], "10.0.0.5") and not has_room(same, "10.0.0.5")
    assert has_room(same, "10.0.0.6")
    assert give_way([dead(Address("10.0.0.6", 1), 0.0), *same], "10.0.0.5") is same[0]


def test_who_was_never_asked_or_answers_gives_no_way() -> None:
    addresses = [Address(f"10.0.{number // 256}.{number % 256}", 1)
                 for number in range(MAX_ENDPOINTS)]  # fmt: skip
    full = [endpoint(address=each) for each in addresses]
    full[0] = listed()
    assert has_room(full[1:], "10.1.1.1") and not has_room(full, "10.1.1.1")
    assert give_way(full, "10.1.1.1") is None
    full[7] = dead(addresses[7], NOW)
    assert give_way(full, "10.1.1.1") is full[7]
