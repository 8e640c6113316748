"""The clocks of this machine."""

import time

import pytest

from spoof_tui.clock import now


def test_people_read_milliseconds_since_1970(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "time_ns", lambda: 1_795_000_000_123_999_999)
    assert now().wall == 1_795_000_000_123


def test_a_wall_clock_that_is_set_back_does_not_turn_back_intervals(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = now()
    monkeypatch.setattr(time, "time_ns", lambda: 0)
    second = now()
    assert second.wall < first.wall
    assert second.monotonic >= first.monotonic
