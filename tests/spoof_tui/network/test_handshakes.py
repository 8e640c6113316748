"""Which handshakes a table begins, without a socket or a clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.limits import (
    KNOCKS_BURST,
    KNOCKS_INTERVAL,
    MAX_ADDRESSES,
    MAX_HANDSHAKES,
    MAX_HANDSHAKES_OF_ADDRESS,
)
from spoof_tui.network.handshakes import Handshake, Handshakes

ADDRESSES = [f"10.0.0.{number}" for number in range(9)]

connections = st.lists(
    st.tuples(st.sampled_from(ADDRESSES), st.floats(0, 0.2), st.booleans()), max_size=150
)
"""Who connects, after how many seconds, and whether the oldest handshake ends before."""


def begun(handshakes: Handshakes, address: str, now: float = 0.0) -> int:
    handshake = handshakes.accept(address, now)
    assert handshake
    return handshake.number


@given(connections)
def test_there_are_never_more_handshakes_than_there_may_be(
    crowd: list[tuple[str, float, bool]],
) -> None:
    handshakes, now = Handshakes(), 0.0
    inside: dict[int, str] = {}
    for address, pause, ends in crowd:
        now += pause
        if ends and inside:
            handshakes.end(next(iter(inside)))
            del inside[next(iter(inside))]
        if handshake := handshakes.accept(address, now):
            if handshake.evicts is not None:
                del inside[handshake.evicts]
            inside[handshake.number] = address
        assert list(handshakes.under_way) == list(inside)
        assert len(inside) <= MAX_HANDSHAKES
        assert all(
            list(inside.values()).count(each) <= MAX_HANDSHAKES_OF_ADDRESS for each in ADDRESSES
        )


@given(connections)
def test_a_new_address_always_gets_in(crowd: list[tuple[str, float, bool]]) -> None:
    handshakes, now = Handshakes(), 0.0
    for address, pause, _ in crowd:
        now += pause
        handshakes.accept(address, now)
    newcomer = begun(handshakes, "10.0.1.1", now)
    assert newcomer == handshakes.under_way[-1]


@given(st.lists(st.floats(0, 1), max_size=300))
def test_an_address_gets_no_more_than_its_share(pauses: list[float]) -> None:
    handshakes, now, taken = Handshakes(), 0.0, 0
    for pause in pauses:
        now += pause
        if handshake := handshakes.accept("10.0.0.1", now):
            taken += 1
            handshakes.end(handshake.number)
    assert taken <= KNOCKS_BURST + now / KNOCKS_INTERVAL + 1e-6
    assert taken >= min(len(pauses), KNOCKS_BURST)


def test_a_share_grows_again() -> None:
    handshakes = Handshakes()
    while handshakes.accept("10.0.0.1", 0.0):
        pass
    assert handshakes.accept("10.0.0.1", KNOCKS_INTERVAL / 2) is None
    assert handshakes.accept("10.0.0.1", KNOCKS_INTERVAL * 2)


def test_nine_lobbies_on_one_machine_are_never_refused() -> None:
    handshakes = Handshakes()
    for number in range(9 * 60):
        handshakes.end(begun(handshakes, "10.0.0.1", number // 9 * 2.0))


def test_who_asked_too_often_keeps_nobody_else_out() -> None:
    handshakes = Handshakes()
    while handshakes.accept("10.0.0.1", 0.0):
        pass
    assert handshakes.accept("10.0.0.2", 0.0)


def test_the_silent_ones_of_an_address_give_way_to_its_next_one() -> None:
    handshakes = Handshakes()
    mine = [begun(handshakes, "10.0.0.1") for _ in range(MAX_HANDSHAKES_OF_ADDRESS)]
    others = [begun(handshakes, "10.0.0.2") for _ in range(2)]
    assert handshakes.accept("10.0.0.1", 0.0) == Handshake(others[-1] + 1, evicts=mine[0])


def test_the_busiest_address_gives_way() -> None:
    handshakes = Handshakes()
    quiet = begun(handshakes, "10.0.0.1")
    busy = [begun(handshakes, f"10.0.0.{2 + i % 5}") for i in range(MAX_HANDSHAKES - 3)]
    busiest = [begun(handshakes, "10.0.0.2") for _ in range(2)]
    handshake = handshakes.accept("10.0.0.99", 0.0)
    assert handshake and handshake.evicts == busy[0]
    assert quiet in handshakes.under_way and set(busiest) < set(handshakes.under_way)


def test_a_handshake_may_be_over_twice() -> None:
    handshakes = Handshakes()
    number = begun(handshakes, "10.0.0.1")
    handshakes.end(number)
    handshakes.end(number)
    assert handshakes.under_way == ()


@pytest.mark.parametrize("pause", [0.0, KNOCKS_INTERVAL])
def test_its_memory_is_bounded(pause: float) -> None:
    handshakes = Handshakes()
    for number in range(2 * MAX_ADDRESSES):
        handshakes.accept(f"fe80::{number:x}", number * pause)
    assert len(handshakes._rates) <= MAX_ADDRESSES
    assert len(handshakes.under_way) <= MAX_HANDSHAKES
