"""What a round did, and who comes after whom."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import LocalError
from protocol.rules.outcome import RoundOutcome, Verdict, next_in, speaking_order
from protocol.rules.words import Direction

owned = st.lists(st.integers(0, 3), min_size=1, max_size=9).filter(any)


@given(owned, st.sampled_from(Direction), st.data())
def test_the_order_of_speaking_visits_everybody_who_is_in_once(
    coins: list[int], direction: Direction, draw: st.DataObject
) -> None:
    first = draw.draw(st.sampled_from([seat for seat, own in enumerate(coins) if own]))
    order = speaking_order(coins, first, direction)
    assert sorted(order) == [seat for seat, own in enumerate(coins) if own]
    assert next_in(coins, order[-1], direction) == first == order[0]


def test_nobody_follows_where_nobody_is_in() -> None:
    with pytest.raises(LocalError):
        next_in([0, 0], 0, Direction.CLOCKWISE)


@pytest.mark.parametrize(("next_starter", "winner"), [(1, None), (None, 2)])
def test_the_only_seat_left_has_won(next_starter: int | None, winner: int | None) -> None:
    outcome = RoundOutcome(Verdict.VOID, 0, None, {}, (0, 0, 3), (), next_starter)
    assert outcome.winner == winner


def test_a_right_claim_is_told_from_a_wrong_one() -> None:
    right = {verdict.code for verdict in Verdict if verdict.ender_is_right}
    assert right == {"call-bid-false", "cliff-right", "cliff-at-cap", "spoof-right", "zero-right"}
