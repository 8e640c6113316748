"""Two clocks, and what they tell of a machine that slept."""

from __future__ import annotations

import pytest

from protocol.guest.effects import Hangup
from protocol.timing import JUMP, LEASE, LOST_DELAY, SUPPORT_DELAY, UNSTEADY_DELAY, Clocks, Moment
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


@pytest.mark.parametrize("apart", [0.0, JUMP, -JUMP, JUMP + 0.001, -JUMP - 0.001])
def test_clocks_that_go_apart_tell_of_a_sleep_once(apart: float) -> None:
    clocks = Clocks()
    assert not clocks.jumped(Moment(0.0, 0))
    after = Moment(1.0, 1000 + round(apart * 1000))
    assert clocks.jumped(after) is (abs(apart) > JUMP)
    assert not clocks.jumped(after)


def test_a_host_stops_before_a_seat_may_support_another() -> None:
    assert UNSTEADY_DELAY <= LEASE < SUPPORT_DELAY < LOST_DELAY
