"""Where a game stands before a round."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.notation.position import Position

TAGS = ("S", "D", "M")


def test_a_game_begins_with_everybody_who_owns_coins() -> None:
    position = Position.first(TAGS, (3, 0, 2), 2)
    assert position.players == (0, 2)
    assert position.seats == {"S": 0, "D": 1, "M": 2}
    assert (position.opener, position.is_first) == (2, True)


@pytest.mark.parametrize("opener", [None, 1])
def test_nobody_has_to_open_who_is_not_known_or_owns_nothing(opener: int | None) -> None:
    assert Position.first(TAGS, (3, 0, 2), opener).opener is None


def test_after_a_round_it_is_not_the_first_any_more() -> None:
    position = Position.first(TAGS, (1, 2, 3), 0).after((0, 3, 3), 1)
    assert (position.players, position.opener, position.is_first) == ((1, 2), 1, False)
    assert position.tags == TAGS


@given(st.tuples(*[st.integers(0, 4)] * 3))
def test_only_who_owns_coins_is_in(coins: tuple[int, ...]) -> None:
    position = Position.first(TAGS, coins, None)
    for seat, tag in enumerate(TAGS):
        assert position.seat_in(tag) == (seat if coins[seat] else None)
        assert (seat in position.players) == bool(coins[seat])


@given(st.tuples(*[st.integers(0, 2)] * 3))
def test_the_last_one_left_is_the_only_one_in(coins: tuple[int, ...]) -> None:
    position = Position.first(TAGS, coins, None)
    owners = [tag for tag, own in zip(TAGS, coins, strict=True) if own]
    assert position.last_left == (owners[0] if len(owners) == 1 else None)


def test_a_tag_of_nobody_has_no_seat() -> None:
    assert Position.first(TAGS, (3, 3, 3), 0).seat_in("X") is None
