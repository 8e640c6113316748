"""The dice of a bot: a choice that leans to the best, and is certain of nothing."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.bots.dice import softly

ROLLS = 20_000


def counts(worths: list[float], scale: float) -> list[int]:
    """How often each of the choices falls."""
    rng = random.Random(1)
    rolls = [softly(range(len(worths)), worths, scale, rng) for _ in range(ROLLS)]
    return [rolls.count(choice) for choice in range(len(worths))]


def test_what_is_worth_a_scale_less_is_chosen_e_times_less_often() -> None:
    best, less = counts([5.0, 3.0], scale=2.0)
    assert best / less == pytest.approx(2.718, rel=0.05)


def test_what_is_worth_the_same_is_chosen_as_often() -> None:
    one, other = counts([-4.0, -4.0], scale=0.1)
    assert one / other == pytest.approx(1, rel=0.05)


def test_only_differences_of_worth_count() -> None:
    assert counts([1.0, 2.0, 4.0], 1.0) == counts([11.0, 12.0, 14.0], 1.0)


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=9), st.floats(0.01, 10), st.integers())
def test_worths_however_far_apart_give_one_of_the_choices(
    worths: list[float], scale: float, seed: int
) -> None:
    choices = [f"choice {number}" for number in range(len(worths))]
    assert softly(choices, worths, scale, random.Random(seed)) in choices


@given(st.integers(0, 8), st.integers())
def test_what_is_worth_far_more_than_all_others_is_chosen(best: int, seed: int) -> None:
    worths = [1000.0 if choice == best else 0.0 for choice in range(9)]
    assert softly(range(9), worths, 1.0, random.Random(seed)) == best
