"""Two clocks, what they reveal about a machine that slept, and how a slow link is treated."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.guest.effects import Hangup
from protocol.timeouts import (
    GONE_DELAY,
    JUMP,
    LEASE,
    LOST_DELAY,
    MAX_DRIFT,
    MAX_GONE_DELAY,
    MAX_UNSTEADY_DELAY,
    SUPPORT_DELAY,
    UNSTEADY_DELAY,
    Clocks,
    Moment,
    RoundTrip,
)
from protocol.wire.messages import Farewell
from tests.protocol.moving import playing


def test_a_guest_that_slept_connects_anew() -> None:
    table = playing()
    client, now = table.clients[0], table.now()
    client.guest.tick(now)
    slept = Moment(now.monotonic + 0.1, now.wall + 600_000)
    assert Hangup(Farewell.SILENT) in client.guest.tick(slept)


def test_as_much_time_has_passed_as_either_clock_says() -> None:
    then = Moment(10.0, 5_000)
    assert Moment(12.0, 5_000).since(then) == 2.0
    assert Moment(10.0, 9_000).since(then) == 4.0


@pytest.mark.parametrize(("slept", "set_back", "is_sure"), [
    (0.0, 0.0, True), (0.0, MAX_DRIFT, True), (MAX_DRIFT, 0.0, True),
    (0.0, MAX_DRIFT + 0.001, False), (0.0, 3600.0, False), (MAX_DRIFT + 0.001, 0.0, False),
    (2.5, 3600.0, False), (2.5, 1.0, False),
])  # fmt: skip
def test_a_lease_ends_when_the_clocks_no_longer_agree_how_long_it_ran(
    slept: float, set_back: float, is_sure: bool
) -> None:
    then = Moment(10.0, 5_000)
    at = Moment(11.0, 6_000 + round(1000 * (slept - set_back)))
    assert at.is_surely_within(LEASE, then) is is_sure
    assert not Moment(then.monotonic + LEASE + 0.1, 8_100).is_surely_within(LEASE, then)


@pytest.mark.parametrize("apart", [0.0, JUMP, -JUMP, JUMP + 0.001, -JUMP - 0.001])
def test_clocks_that_go_apart_tell_of_a_sleep_once(apart: float) -> None:
    clocks = Clocks()
    assert not clocks.jumped(Moment(0.0, 0))
    after = Moment(1.0, 1000 + round(apart * 1000))
    assert clocks.jumped(after) is (abs(apart) > JUMP)
    assert not clocks.jumped(after)


def test_a_host_stops_before_a_seat_may_support_another_with_a_margin_for_slow_clocks() -> None:
    quick, slow = 1.01, 0.99
    assert UNSTEADY_DELAY <= LEASE < SUPPORT_DELAY < LOST_DELAY
    assert LEASE / slow < SUPPORT_DELAY / quick


# Round trips

FAST, SLOW = 0.005, 1.0
INTERVAL, LEAST = 1.0, UNSTEADY_DELAY


def trip(*measured: float) -> RoundTrip:
    known = RoundTrip()
    for seconds in measured:
        known.measured(seconds)
    return known


@given(st.lists(st.floats(0, 30)), st.floats(0, 60), st.integers(0, 9))
def test_no_measured_time_makes_a_limit_shorter_nor_a_silence_much_longer(
    measured: list[float], least: float, trips: int
) -> None:
    known = trip(*measured)
    assert known.limit(least, trips) >= least
    assert LEAST <= known.silence(INTERVAL, LEAST) <= MAX_UNSTEADY_DELAY
    assert UNSTEADY_DELAY <= known.unsteady_delay < LOST_DELAY <= known.lost_delay


def test_a_fast_link_keeps_the_usual_times() -> None:
    for known in (RoundTrip(), trip(FAST), trip(*[FAST] * 100), trip(SLOW, *[FAST] * 100)):
        assert known.limit(1.0, 4) == 1.0
    for known in (RoundTrip(), trip(FAST), trip(*[FAST] * 100)):
        assert known.silence(INTERVAL, LEAST) == LEAST


def test_one_slow_answer_has_every_answer_waited_for_as_long() -> None:
    assert trip(SLOW).limit(1.0, 4) >= 4 * SLOW
    assert trip(*[SLOW] * 100).limit(1.0, 4) == pytest.approx(4 * SLOW)


@pytest.mark.parametrize(
    ("round_trip", "loss"), [(FAST, 0.0), (FAST, 0.2), (0.4, 0.1), (SLOW, 0.0), (SLOW, 0.02)]
)
def test_a_healthy_link_is_not_called_unsteady_in_ten_minutes(
    round_trip: float, loss: float
) -> None:
    chance, known = random.Random(7), RoundTrip(round_trip)
    for _ in range(600):
        late, pause = 0.0, round_trip + 0.2
        while chance.random() < loss:
            late, pause = late + pause, pause * 2
        assert INTERVAL + late < known.silence(INTERVAL, LEAST)
        known.measured(round_trip + late)


def test_a_host_is_taken_for_gone_soon_and_later_where_packets_are_lost_or_slow() -> None:
    assert SUPPORT_DELAY < RoundTrip().gone_delay == GONE_DELAY
    assert RoundTrip(FAST).gone_delay == pytest.approx(GONE_DELAY, rel=0.01)
    assert GONE_DELAY < trip(*[FAST, 1.0] * 20).gone_delay < MAX_GONE_DELAY * 2
    assert trip(*[FAST, FAST, FAST, 0.4] * 40).gone_delay == pytest.approx(MAX_GONE_DELAY, rel=0.2)
    assert trip(*[SLOW] * 100).gone_delay > MAX_GONE_DELAY


def test_a_new_link_has_its_own_pace_and_the_losses_of_the_last_one() -> None:
    after = trip(*[FAST, 1.0] * 20).renewed(FAST)
    assert after.mean == FAST
    assert after.unsteady_delay > RoundTrip(FAST).unsteady_delay == UNSTEADY_DELAY


@pytest.mark.parametrize(
    ("round_trip", "lag"), [(0.0, 0), (0.1, 0), (0.4, 500), (1.0, 1000), (1.3, 1500), (2.1, 2000)]
)
def test_only_a_slow_network_is_told_of(round_trip: float, lag: int) -> None:
    assert trip(round_trip).lag == lag
