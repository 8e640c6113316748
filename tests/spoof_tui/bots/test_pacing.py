"""Pacing: bounded, longer for hard decisions, none at all for tests."""

import random
from statistics import mean

from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.words import Bid
from spoof_tui.bots.pacing import QUICKEST, SLOWEST, think_seconds
from tests.spoof_tui.bots.arena import bidding, view_of_round


def average(bid: int) -> float:
    view, rng = view_of_round(bidding((3, 3, 3), (0, Bid(bid))), 1), random.Random(1)
    return mean(think_seconds(view, rng) for _ in range(100))


@given(st.integers(1, 8), st.integers())
def test_a_bot_takes_between_the_quickest_and_the_slowest(bid: int, seed: int) -> None:
    view = view_of_round(bidding((3, 3, 3), (0, Bid(bid))), 1)
    assert QUICKEST <= think_seconds(view, random.Random(seed)) <= SLOWEST


def test_a_doubtful_bid_takes_longer_than_a_sure_one() -> None:
    assert average(5) > average(1)
    assert average(5) > average(9)


def test_without_pace_a_bot_moves_at_once() -> None:
    view = view_of_round(bidding((3, 3, 3)), 0)
    assert think_seconds(view, random.Random(1), pace=0.0) == 0.0


def test_a_fist_takes_a_moment_too() -> None:
    view = view_of_round(bidding((3, 3, 3)), 0, speaking=False)
    assert QUICKEST <= think_seconds(view, random.Random(1)) <= SLOWEST
