"""Two clocks, and what they tell of a machine that slept."""

from __future__ import annotations

from protocol.guest.guest import (
    Hangup,
)
from protocol.timing import Moment
from protocol.wire.messages import Farewell
from tests.protocol.moving import playing


def test_a_guest_that_slept_connects_anew() -> None:
    table = playing()
    client, now = table.clients[0], table.now()
    client.guest.tick(now)
    slept = Moment(now.monotonic + 0.1, now.wall + 600_000)
    assert Hangup(Farewell.SILENT) in client.guest.tick(slept)
