"""The door of a table, without a socket or a clock."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.limits import (
    KNOCKS_BURST,
    KNOCKS_EVERY,
    MAX_ADDRESSES,
    MAX_HANDSHAKES,
    MAX_HANDSHAKES_OF_ADDRESS,
)
from spoof_tui.network.handshakes import Door, Visit

ADDRESSES = [f"10.0.0.{number}" for number in range(9)]

knocks = st.lists(
    st.tuples(st.sampled_from(ADDRESSES), st.floats(0, 0.2), st.booleans()), max_size=150
)
"""Who knocks, after how many seconds, and whether the oldest handshake ends before."""


def let_in(door: Door, address: str, now: float = 0.0) -> int:
    visit = door.knock(address, now)
    assert visit
    return visit.number


@given(knocks)
def test_there_are_never_more_handshakes_than_there_may_be(
    crowd: list[tuple[str, float, bool]],
) -> None:
    door, now = Door(), 0.0
    inside: dict[int, str] = {}
    for address, pause, ends in crowd:
        now += pause
        if ends and inside:
            door.leave(next(iter(inside)))
            del inside[next(iter(inside))]
        if visit := door.knock(address, now):
            if visit.gives_way is not None:
                del inside[visit.gives_way]
            inside[visit.number] = address
        assert list(door.under_way) == list(inside)
        assert len(inside) <= MAX_HANDSHAKES
        assert all(
            list(inside.values()).count(each) <= MAX_HANDSHAKES_OF_ADDRESS for each in ADDRESSES
        )


@given(knocks)
def test_a_new_address_always_gets_in(crowd: list[tuple[str, float, bool]]) -> None:
    door, now = Door(), 0.0
    for address, pause, _ in crowd:
        now += pause
        door.knock(address, now)
    newcomer = let_in(door, "10.0.1.1", now)
    assert newcomer == door.under_way[-1]


@given(st.lists(st.floats(0, 1), max_size=300))
def test_an_address_gets_no_more_than_its_ration(pauses: list[float]) -> None:
    door, now, taken = Door(), 0.0, 0
    for pause in pauses:
        now += pause
        if visit := door.knock("10.0.0.1", now):
            taken += 1
            door.leave(visit.number)
    assert taken <= KNOCKS_BURST + now / KNOCKS_EVERY + 1e-6
    assert taken >= min(len(pauses), KNOCKS_BURST)


def test_a_ration_grows_again() -> None:
    door = Door()
    while door.knock("10.0.0.1", 0.0):
        pass
    assert door.knock("10.0.0.1", KNOCKS_EVERY / 2) is None
    assert door.knock("10.0.0.1", KNOCKS_EVERY * 2)


def test_nine_lobbies_on_one_machine_are_never_refused() -> None:
    door = Door()
    for number in range(9 * 60):
        door.leave(let_in(door, "10.0.0.1", number // 9 * 2.0))


def test_who_asked_too_often_keeps_nobody_else_out() -> None:
    door = Door()
    while door.knock("10.0.0.1", 0.0):
        pass
    assert door.knock("10.0.0.2", 0.0)


def test_the_silent_ones_of_an_address_give_way_to_its_next_one() -> None:
    door = Door()
    mine = [let_in(door, "10.0.0.1") for _ in range(MAX_HANDSHAKES_OF_ADDRESS)]
    others = [let_in(door, "10.0.0.2") for _ in range(2)]
    assert door.knock("10.0.0.1", 0.0) == Visit(others[-1] + 1, gives_way=mine[0])


def test_the_busiest_address_gives_way() -> None:
    door = Door()
    quiet = let_in(door, "10.0.0.1")
    busy = [let_in(door, f"10.0.0.{2 + i % 5}") for i in range(MAX_HANDSHAKES - 3)]
    busiest = [let_in(door, "10.0.0.2") for _ in range(2)]
    visit = door.knock("10.0.0.99", 0.0)
    assert visit and visit.gives_way == busy[0]
    assert quiet in door.under_way and set(busiest) < set(door.under_way)


def test_a_handshake_may_be_over_twice() -> None:
    door = Door()
    number = let_in(door, "10.0.0.1")
    door.leave(number)
    door.leave(number)
    assert door.under_way == ()


@pytest.mark.parametrize("pause", [0.0, KNOCKS_EVERY])
def test_its_memory_is_bounded(pause: float) -> None:
    door = Door()
    for number in range(2 * MAX_ADDRESSES):
        door.knock(f"fe80::{number:x}", number * pause)
    assert len(door._knocks) <= MAX_ADDRESSES
    assert len(door.under_way) <= MAX_HANDSHAKES
