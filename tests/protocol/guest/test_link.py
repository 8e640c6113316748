"""What a participant knows about the other end of its link."""

from __future__ import annotations

from protocol.guest.link import HostLink
from protocol.timeouts import (
    LOST_DELAY,
    MAX_UNSTEADY_DELAY,
    UNSTEADY_DELAY,
    Moment,
    RoundTrip,
)
from protocol.wire.handshake import GuestHandshake
from tests.protocol.greetings import GREETING


def link(*, greeted: bool = True) -> HostLink:
    handshake = GuestHandshake(b"channel", b"k" * 32)
    if greeted:
        handshake.greet(GREETING)
    return HostLink(handshake, heard=0, asked=0, pinged=0)


def pinged(*moments: float, round_trip: float = 0.01) -> HostLink:
    """A link over which the host's pings came at these moments."""
    found = link()
    found.trip = RoundTrip(round_trip)
    for number, moment in enumerate(moments, 1):
        found.take_ping(number, Moment(moment, 0))
        found.heard = moment
    return found


def test_a_host_whose_pings_come_in_time_is_unsteady_after_the_usual_silence() -> None:
    steady = pinged(*range(20))
    assert not steady.is_unsteady(Moment(19 + UNSTEADY_DELAY, 0))
    assert steady.is_unsteady(Moment(19 + UNSTEADY_DELAY + 0.1, 0))


def test_where_pings_were_late_before_a_silence_means_less() -> None:
    moments = [moment for second in range(0, 40, 4) for moment in (second, second + 3, second + 3)]
    late = pinged(*moments)
    assert not late.is_unsteady(Moment(39 + UNSTEADY_DELAY + 1, 0))
    assert late.is_unsteady(Moment(39 + MAX_UNSTEADY_DELAY + 1, 0))


def test_what_comes_before_the_first_ping_is_not_late() -> None:
    assert pinged(100.0).trip.mean == 0.01


def test_a_link_is_lost_after_a_long_silence_that_a_slow_way_makes_longer() -> None:
    assert not pinged(0).is_lost(Moment(LOST_DELAY, 0))
    assert pinged(0).is_lost(Moment(LOST_DELAY + 0.1, 0))
    assert not pinged(0, round_trip=2.0).is_lost(Moment(LOST_DELAY + 0.1, 0))
