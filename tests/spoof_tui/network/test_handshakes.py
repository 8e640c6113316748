"""Which handshakes a table begins, without a socket or a clock."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from protocol.limits import (
    KNOCKS_BURST,
    KNOCKS_INTERVAL,
    MAX_HANDSHAKES,
    MAX_HANDSHAKES_OF_ADDRESS,
)
from spoof_tui.network.table_server import Handshakes, NewHandshake

ADDRESSES = [f"10.0.0.{number}" for number in range(9)]

connections = st.lists(
    st.tuples(st.sampled_from(ADDRESSES), st.floats(0, 0.2), st.booleans()), max_size=150
)
"""Which client connects, after how many seconds, and whether the oldest handshake ends before."""


def begun(handshakes: Handshakes, address: str, now: float = 0.0) -> int:
    handshake = handshakes.accept(address, now)
    assert handshake
    return handshake.number


@given(connections)
def test_never_more_are_under_way_than_may_be_and_a_new_address_always_gets_in(
    crowd: list[tuple[str, float, bool]],
) -> None:
    handshakes, now = Handshakes(), 0.0
    inside: dict[int, str] = {}
    for address, pause, ends in crowd:
        now += pause
        if ends and inside:
            over = next(iter(inside))
            del inside[over]
            for _ in range(2):  # it may be over twice
                handshakes.end(over)
        if handshake := handshakes.accept(address, now):
            if handshake.evicts is not None:
                del inside[handshake.evicts]
            inside[handshake.number] = address
        assert handshakes.under_way == tuple(inside)
        assert len(inside) <= MAX_HANDSHAKES
        assert all(
            [*inside.values()].count(each) <= MAX_HANDSHAKES_OF_ADDRESS for each in ADDRESSES
        )
    assert begun(handshakes, "10.0.1.1", now) == handshakes.under_way[-1]


@given(st.lists(st.floats(0, 1), max_size=300))
def test_an_address_gets_no_more_than_its_share(pauses: list[float]) -> None:
    handshakes, now, taken = Handshakes(), 0.0, 0
    for pause in pauses:
        now += pause
        if handshake := handshakes.accept("10.0.0.1", now):
            taken += 1
            handshakes.end(handshake.number)
    assert min(len(pauses), KNOCKS_BURST) <= taken <= KNOCKS_BURST + now / KNOCKS_INTERVAL + 1e-6


def test_the_busiest_address_gives_way() -> None:
    handshakes = Handshakes()
    quiet = begun(handshakes, "10.0.0.1")
    busy = [begun(handshakes, f"10.0.0.{2 + i % 5}") for i in range(MAX_HANDSHAKES - 3)]
    busiest = [begun(handshakes, "10.0.0.2") for _ in range(2)]
    assert handshakes.accept("10.0.0.99", 0.0) == NewHandshake(busiest[-1] + 1, evicts=busy[0])
    assert quiet in handshakes.under_way and set(busiest) < set(handshakes.under_way)


def test_a_new_address_stays_among_hundreds_that_gave_way_before() -> None:
    handshakes, now = Handshakes(), 0.0
    flood = itertools.cycle([f"10.0.{number // 250}.{number % 250}" for number in range(500)])
    for _ in range(1000):
        begun(handshakes, next(flood), now)
    friend = begun(handshakes, "a friend", now)
    for _ in range(5000):
        now += 0.01
        begun(handshakes, next(flood), now)
    assert friend in handshakes.under_way
