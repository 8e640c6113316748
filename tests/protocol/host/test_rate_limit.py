"""Rations: a burst at once, then so much in a time, in bounded memory."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from protocol.host.rate_limit import Bucket, Crowd, RateLimits, ReturnLimits
from protocol.limits import (
    MAX_ADDRESSES,
    RETURNS_BURST,
    RETURNS_OF_ADDRESS_BURST,
    RETURNS_OF_ALL_BURST,
)

gaps = st.lists(st.floats(0, 10), max_size=50)


def test_one_more_comes_after_its_time_and_not_before() -> None:
    bucket = Bucket(1, 2.0)
    assert bucket.take(0.0)
    assert not bucket.take(1.9)
    assert bucket.take(2.0)


def test_waiting_gives_no_more_than_the_burst() -> None:
    bucket = Bucket(2, 1.0)
    bucket.take(0.0)
    assert [bucket.take(1000.0) for _ in range(3)] == [True, True, False]


@given(gaps)
def test_in_any_time_no_more_is_taken_than_the_burst_and_what_came_since(
    steps: list[float],
) -> None:
    bucket, now, taken = Bucket(5, 0.5), 0.0, 0
    for step in steps:
        now += step
        taken += bucket.take(now)
        assert taken <= 5 + now / 0.5 + 1e-6


@given(gaps)
def test_a_clock_that_goes_back_gives_nothing(steps: list[float]) -> None:
    bucket = Bucket(1, 1.0)
    assert bucket.take(100.0)
    assert not any(bucket.take(100.0 - step) for step in steps)


def test_askers_do_not_take_from_each_other() -> None:
    rations = RateLimits(1, 1.0)
    assert rations.take("a", 0.0) and rations.take("b", 0.0)
    assert not rations.take("a", 0.0)


def test_no_more_askers_are_remembered_than_stated() -> None:
    rations = RateLimits(2, 1.0, most=10)
    for asker in range(1000):
        rations.take(asker, 0.0)
        assert len(rations) <= 10


def test_who_has_been_quiet_is_forgotten_before_who_asks_too_much() -> None:
    rations = RateLimits(1, 1.0, most=2)
    rations.take("quiet", 0.0)
    rations.take("loud", 5.0)
    rations.take("new", 5.0)
    assert not rations.take("loud", 5.0)


def test_whoever_goes_on_asking_is_not_forgotten() -> None:
    rations = RateLimits(1, 1.0, most=2)
    assert rations.take("loud", 0.0)
    for other in range(9):
        assert rations.take(other, 0.0)
        assert not rations.take("loud", 0.0)


# Coming in


def test_one_address_does_not_use_up_what_others_return_by() -> None:
    returns = ReturnLimits()
    keys = [number.to_bytes(32, "big") for number in range(400)]
    let_in = [returns.take(key, "10.0.0.1", 0.0) for key in keys]
    assert sum(let_in) == RETURNS_OF_ADDRESS_BURST
    assert returns.take(keys[0], "10.0.0.2", 0.0)


def test_all_addresses_together_have_a_bound() -> None:
    returns = ReturnLimits()
    askers = [(number.to_bytes(32, "big"), f"10.0.0.{number % 200}") for number in range(400)]
    assert sum(returns.take(key, address, 0.0) for key, address in askers) == RETURNS_OF_ALL_BURST
    assert returns.take(bytes(32), None, 0.0)


def test_an_address_that_comes_for_the_first_time_finds_what_a_crowd_has_left() -> None:
    returns, keys = ReturnLimits(), itertools.count()

    def take(address: str, now: float) -> bool:
        return returns.take(next(keys).to_bytes(32, "big"), address, now)

    crowd = [f"10.0.{number // 250}.{number % 250}" for number in range(500)]
    for now in range(10):
        let_in = [take(address, float(now)) for address in crowd]
        assert not let_in[-1]
    assert take("a friend", 9.0)


def test_a_key_that_returns_too_often_takes_nothing_of_its_address() -> None:
    returns = ReturnLimits()
    assert sum(returns.take(b"k" * 32, "10.0.0.1", 0.0) for _ in range(400)) == RETURNS_BURST
    assert returns.take(b"l" * 32, "10.0.0.1", 0.0)


# Giving way


def come(there: list[str], address: str, crowd: Crowd) -> None:
    """One more connection where there is room for eight."""
    if len(there) == 8:
        there.remove(crowd.gives_way(there))
    there.append(address)


def test_among_addresses_that_gave_way_before_a_new_one_stays() -> None:
    crowd, there = Crowd(), list[str]()
    flood = itertools.cycle([f"10.0.{number // 250}.{number % 250}" for number in range(500)])
    for _ in range(1000):
        come(there, next(flood), crowd)
    come(there, "a friend", crowd)
    for _ in range(5000):
        come(there, next(flood), crowd)
    assert there[0] == "a friend"


def test_the_busiest_address_gives_way_whoever_did_before() -> None:
    crowd, there = Crowd(), list[str]()
    for number in range(500):
        come(there, f"10.0.0.{number % 16}", crowd)
    for address in ("loud", "loud"):
        come(there, address, crowd)
    assert crowd.gives_way(there) == "loud"


def test_of_addresses_that_never_gave_way_the_first_to_come_does() -> None:
    assert [Crowd().gives_way(there) for there in ("abc", "cab", "bcc")] == ["a", "c", "c"]
    crowd = Crowd()
    for number in range(2 * MAX_ADDRESSES):
        crowd.gives_way([str(number)])
    last = str(2 * MAX_ADDRESSES - 1)
    assert crowd.gives_way(["0", last]) == last, "the first ones are forgotten"
