"""The door of a table, without a socket or a clock."""

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

knocks = st.lists(
    st.tuples(st.sampled_from(ADDRESSES), st.floats(0, 0.2), st.booleans()), max_size=150
)
"""Who knocks, after how many seconds, and whether the oldest handshake ends before."""


def let_in(handshakes: Handshakes, address: str, now: float = 0.0) -> int:
    visit = handshakes.knock(address, now)
    assert visit
    return visit.number


@given(knocks)
def test_there_are_never_more_handshakes_than_there_may_be(
    crowd: list[tuple[str, float, bool]],
) -> None:
    handshakes, now = Handshakes(), 0.0
    inside: dict[int, str] = {}
    for address, pause, ends in crowd:
        now += pause
        if ends and inside:
            handshakes.leave(next(iter(inside)))
            del inside[next(iter(inside))]
        if visit := handshakes.knock(address, now):
            if visit.gives_way is not None:
                del inside[visit.gives_way]
            inside[visit.number] = address
        assert list(handshakes.under_way) == list(inside)
        assert len(inside) <= MAX_HANDSHAKES
        assert all(
            list(inside.values()).count(each) <= MAX_HANDSHAKES_OF_ADDRESS for each in ADDRESSES
        )


@given(knocks)
def test_a_new_address_always_gets_in(crowd: list[tuple[str, float, bool]]) -> None:
    handshakes, now = Handshakes(), 0.0
    for address, pause, _ in crowd:
        now += pause
        handshakes.knock(address, now)
    newcomer = let_in(handshakes, "10.0.1.1", now)
    assert newcomer == handshakes.under_way[-1]


@given(st.lists(st.floats(0, 1), max_size=300))
def test_an_address_gets_no_more_than_its_ration(pauses: list[float]) -> None:
    handshakes, now, taken = Handshakes(), 0.0, 0
    for pause in pauses:
        now += pause
        if visit := handshakes.knock("10.0.0.1", now):
            taken += 1
            handshakes.leave(visit.number)
    assert taken <= KNOCKS_BURST + now / KNOCKS_INTERVAL + 1e-6
    assert taken >= min(len(pauses), KNOCKS_BURST)


def test_a_ration_grows_again() -> None:
    handshakes = Handshakes()
    while handshakes.knock("10.0.0.1", 0.0):
        pass
    assert handshakes.knock("10.0.0.1", KNOCKS_INTERVAL / 2) is None
    assert handshakes.knock("10.0.0.1", KNOCKS_INTERVAL * 2)


def test_nine_lobbies_on_one_machine_are_never_refused() -> None:
    handshakes = Handshakes()
    for number in range(9 * 60):
        handshakes.leave(let_in(handshakes, "10.0.0.1", number // 9 * 2.0))


def test_who_asked_too_often_keeps_nobody_else_out() -> None:
    handshakes = Handshakes()
    while handshakes.knock("10.0.0.1", 0.0):
        pass
    assert handshakes.knock("10.0.0.2", 0.0)


def test_the_silent_ones_of_an_address_give_way_to_its_next_one() -> None:
    handshakes = Handshakes()
    mine = [let_in(handshakes, "10.0.0.1") for _ in range(MAX_HANDSHAKES_OF_ADDRESS)]
    others = [let_in(handshakes, "10.0.0.2") for _ in range(2)]
    assert handshakes.knock("10.0.0.1", 0.0) == Handshake(others[-1] + 1, gives_way=mine[0])


def test_the_busiest_address_gives_way() -> None:
    handshakes = Handshakes()
    quiet = let_in(handshakes, "10.0.0.1")
    busy = [let_in(handshakes, f"10.0.0.{2 + i % 5}") for i in range(MAX_HANDSHAKES - 3)]
    busiest = [let_in(handshakes, "10.0.0.2") for _ in range(2)]
    visit = handshakes.knock("10.0.0.99", 0.0)
    assert visit and visit.gives_way == busy[0]
    assert quiet in handshakes.under_way and set(busiest) < set(handshakes.under_way)


def test_a_handshake_may_be_over_twice() -> None:
    handshakes = Handshakes()
    number = let_in(handshakes, "10.0.0.1")
    handshakes.leave(number)
    handshakes.leave(number)
    assert handshakes.under_way == ()


@pytest.mark.parametrize("pause", [0.0, KNOCKS_INTERVAL])
def test_its_memory_is_bounded(pause: float) -> None:
    handshakes = Handshakes()
    for number in range(2 * MAX_ADDRESSES):
        handshakes.knock(f"fe80::{number:x}", number * pause)
    assert len(handshakes._knocks) <= MAX_ADDRESSES
    assert len(handshakes.under_way) <= MAX_HANDSHAKES
