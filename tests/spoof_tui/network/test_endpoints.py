"""When an endpoint is asked, and when it is given up."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.network.addresses import Address
from spoof_tui.network.beacon import BEACON_TIMEOUT, beacon_timeout
from spoof_tui.network.discovery import MIN_ASK_INTERVAL
from spoof_tui.network.endpoints import (
    CROWD_INTERVAL,
    LISTED_INTERVAL,
    MAX_ENDPOINTS,
    MAX_HEARD_MISSES,
    MAX_OF_HOST,
    SILENT_INTERVAL,
    SPARE_INTERVAL,
    UNHEARD_INTERVAL,
    Endpoint,
    Origin,
    give_way,
    has_room,
)
from spoof_tui.network.probe import Answer, Failure
from spoof_tui.network.probing import LISTED_TIMEOUT

PIER = Address("10.0.0.5", 7763)
ANSWER = Answer(PIER, None, 1, "1")
NOW = 1000.0


def endpoint(origin: Origin = Origin.BEACON, address: Address = PIER) -> Endpoint:
    return Endpoint((address,), origin)


def listed(asked: float, heard: float | None = None) -> Endpoint:
    """An endpoint that is a row of the list."""
    made = endpoint()
    made.answered(ANSWER)
    made.is_row, made.asked = True, asked
    made.heard = made.heard if heard is None else heard
    return made


def dead(address: Address, heard: float) -> Endpoint:
    made = endpoint(address=address)
    made.asked, made.heard = NOW, heard
    made.missed(Failure.SILENT, NOW)
    return made


def test_a_beacon_puts_the_next_question_off() -> None:
    assert listed(NOW).due == NOW + UNHEARD_INTERVAL
    assert listed(NOW, heard=NOW + 0.5).due == NOW + 0.5 + BEACON_TIMEOUT
    assert listed(NOW, heard=NOW + 5).due == NOW + LISTED_INTERVAL


def test_a_spare_address_is_asked_seldom_but_when_its_beacon_stops() -> None:
    spare = listed(NOW)
    spare.is_row = False
    assert spare.due == NOW + SPARE_INTERVAL
    spare.heard = NOW
    assert spare.due == NOW + BEACON_TIMEOUT
    spare.asked = NOW + BEACON_TIMEOUT + 1
    assert spare.due == spare.asked + SPARE_INTERVAL


def test_of_many_tables_each_is_asked_in_its_turn_whether_it_is_heard_or_not() -> None:
    for heard in (None, NOW + 1000):
        one = listed(NOW, heard)
        one.crowd = 300
        assert one.due == NOW + 300 * CROWD_INTERVAL


def test_a_beacon_that_stops_is_asked_about_out_of_turn_in_any_crowd() -> None:
    for is_row in (True, False):
        one = listed(NOW, heard=NOW + 5)
        one.crowd, one.is_row = 300, is_row
        assert one.due == NOW + 5 + beacon_timeout(300) < NOW + 300 * CROWD_INTERVAL


@given(st.integers(1, 2 * MAX_ENDPOINTS))
def test_a_list_asks_no_more_often_than_one_of_a_few_tables(crowd: int) -> None:
    one = listed(NOW)
    one.crowd = crowd
    assert crowd / (one.due - NOW) <= 1 / CROWD_INTERVAL


def test_a_dead_table_is_listed_for_less_than_three_seconds() -> None:
    with_beacon = max(UNHEARD_INTERVAL, BEACON_TIMEOUT) + LISTED_TIMEOUT
    without_beacon = UNHEARD_INTERVAL + LISTED_TIMEOUT + MIN_ASK_INTERVAL + LISTED_TIMEOUT
    assert max(with_beacon, without_beacon) < 2.8


def test_silence_makes_the_pauses_longer_up_to_an_end() -> None:
    quiet = endpoint()
    quiet.asked = NOW
    pauses = []
    for _ in range(6):
        quiet.missed(Failure.SILENT, NOW)
        pauses.append(quiet.due - NOW)
    assert pauses[0] == SILENT_INTERVAL
    assert all(after in (before, 2 * before) for before, after in pairwise(pauses))
    assert pauses[-1] == 24
    quiet.missed(Failure.REFUSED, NOW)
    assert quiet.due == NOW + SILENT_INTERVAL


@pytest.mark.parametrize(
    ("heard", "reason", "is_listed"),
    [
        (None, Failure.REFUSED, False),
        (None, Failure.SILENT, True),
        (NOW, Failure.SILENT, True),
        (NOW - 2 * BEACON_TIMEOUT, Failure.SILENT, False),
        (NOW - 2 * BEACON_TIMEOUT, Failure.BUSY, True),
    ],
)
def test_the_first_missing_answer(heard: float | None, reason: Failure, is_listed: bool) -> None:
    table = listed(NOW, heard)
    table.missed(reason, NOW)
    assert (table.answer is not None) is is_listed


def test_a_table_that_is_heard_stays_through_some_missing_answers_and_not_through_a_refusal() -> (
    None
):
    table = listed(NOW, heard=NOW)
    for _ in range(MAX_HEARD_MISSES):
        table.missed(Failure.SILENT, NOW)
        assert table.answer
    table.missed(Failure.SILENT, NOW)
    assert table.answer is None
    refusing = listed(NOW, heard=NOW)
    refusing.missed(Failure.REFUSED, NOW)
    assert refusing.answer is None


def test_a_doubt_is_a_missing_answer() -> None:
    table = listed(NOW)
    table.doubt()
    assert table.wake.is_set()
    table.missed(Failure.SILENT, NOW)
    assert table.answer is None


def test_only_a_beacon_can_be_over() -> None:
    for origin in Origin:
        made = endpoint(origin)
        made.asked = NOW
        assert made.is_over(NOW) is (origin is Origin.BEACON)
    assert not listed(NOW).is_over(NOW + 1000)
    assert not endpoint().is_over(NOW)


def test_one_machine_has_only_so_many_beacons() -> None:
    same = [dead(Address("10.0.0.5", port), float(port)) for port in range(1, MAX_OF_HOST + 1)]
    assert not has_room(same, "10.0.0.5")
    assert has_room(same, "10.0.0.6")
    assert give_way([dead(Address("10.0.0.6", 1), 0.0), *same], "10.0.0.5") is same[0]


def test_who_was_never_asked_or_answers_gives_no_way() -> None:
    addresses = [Address(f"10.0.{number // 256}.{number % 256}", 1)
                 for number in range(MAX_ENDPOINTS)]  # fmt: skip
    full = [endpoint(address=each) for each in addresses]
    full[0] = listed(NOW)
    assert not has_room(full, "10.1.1.1")
    assert give_way(full, "10.1.1.1") is None
    full[7] = dead(addresses[7], NOW)
    assert give_way(full, "10.1.1.1") is full[7]
