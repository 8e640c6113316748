"""The odds against counting every case by hand or by machine."""

from collections import Counter
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.bots.odds import (
    NOTHING,
    Odds,
    at_least,
    even,
    even_total,
    exactly,
    flattened,
    tilted,
    total_of,
)

coins = st.lists(st.integers(1, 4), min_size=0, max_size=4)


def test_two_hands_of_three_add_up_like_two_dice_with_four_faces() -> None:
    assert [16 * chance for chance in even_total((3, 3))] == [1, 2, 3, 4, 3, 2, 1]


@given(coins)
def test_a_total_is_as_likely_as_the_share_of_all_cases_that_give_it(owned: list[int]) -> None:
    cases = list(product(*(range(count + 1) for count in owned)))
    counted = Counter(sum(case) for case in cases)
    expected = [counted[number] / len(cases) for number in range(sum(owned) + 1)]
    assert even_total(tuple(owned)) == pytest.approx(expected)


@given(coins, st.integers(-2, 20))
def test_at_least_is_the_sum_of_all_totals_from_there_on(owned: list[int], number: int) -> None:
    total = even_total(tuple(owned))
    expected = sum(exactly(total, each) for each in range(max(number, 0), 20))
    assert at_least(total, number) == pytest.approx(expected)


def test_no_hands_at_all_are_certainly_nothing() -> None:
    assert total_of([]) == NOTHING
    assert at_least(NOTHING, 0) == 1.0
    assert at_least(NOTHING, 1) == 0.0


def test_the_own_hand_shifts_the_odds() -> None:
    odds = Odds(hand=2, others=even(3), most=6)
    assert odds.at_least(2) == 1.0
    assert odds.at_least(5) == pytest.approx(1 / 4)
    assert odds.exactly(4) == pytest.approx(1 / 4)
    assert odds.exactly(1) == odds.exactly(6) == 0.0


def test_everything_needs_a_full_hand_and_nothing_an_empty_one() -> None:
    assert Odds(3, even(3), 6).everything == pytest.approx(1 / 4)
    assert Odds(2, even(3), 6).everything == 0.0
    assert Odds(0, even(3), 6).nothing == pytest.approx(1 / 4)
    assert Odds(1, even(3), 6).nothing == 0.0


@given(coins, st.floats(0, 1))
def test_a_flattened_total_is_still_a_distribution(owned: list[int], weight: float) -> None:
    total = flattened(even_total(tuple(owned)), weight)
    assert sum(total) == pytest.approx(1.0)
    assert min(total) >= 0.0


def test_trust_of_one_changes_nothing_and_of_none_leaves_all_totals_alike() -> None:
    total = even_total((3, 3))
    assert flattened(total, 1.0) == total
    assert flattened(total, 0.0) == pytest.approx([1 / 7] * 7)


def test_a_bid_tilts_the_hand_by_bayes_rule() -> None:
    # One coin each; the bidder says 1. With hand 1 that is certain, with hand 0 it is 1/2 true.
    # Half trusted: the weights are 1/2 (1/2 + 1/2) and 1/2 (1/4 + 1/2), so 4/7 and 3/7.
    assert tilted(even(1), 1, even(1), trust=0.5) == pytest.approx((3 / 7, 4 / 7))


@given(st.integers(1, 4), st.integers(1, 12), st.floats(0.05, 0.95))
def test_a_bid_never_makes_a_fuller_hand_less_likely(owned: int, bid: int, trust: float) -> None:
    hand = tilted(even(owned), bid, even_total((2, 3)), trust)
    assert sum(hand) == pytest.approx(1.0)
    assert list(hand) == sorted(hand)
    assert hand[0] > 0.0


def test_a_bid_that_is_not_trusted_or_that_no_hand_can_reach_changes_nothing() -> None:
    assert tilted(even(3), 5, even(3), trust=0.0) == pytest.approx(even(3))
    assert tilted(even(3), 9, even(3), trust=1.0) == even(3)
