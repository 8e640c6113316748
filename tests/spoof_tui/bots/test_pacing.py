"""Pacing: bounded, longer for hard decisions, none at all for tests."""

import random
from dataclasses import replace
from statistics import mean

from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.game import PlayedRound
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase
from spoof_tui import beats
from spoof_tui.beats import count_seconds
from spoof_tui.bots.pacing import QUICKEST, SLOWEST, patience, think_seconds
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


def counted() -> tuple[PlayedRound, ...]:
    """A first round of three."""
    said = bidding((3, 3, 3), (0, Bid(5)), (1, Ending.CALL))
    hands = {0: 1, 1: 1, 2: 1}
    return (PlayedRound(said, hands, said.count(hands)),)


def test_before_the_first_count_nobody_is_waited_for() -> None:
    assert patience(view_of_round(bidding((3, 3, 3)), 0), 0.0) == 0.0


def test_a_fist_waits_for_the_count_and_the_first_word_for_a_rest_after_it() -> None:
    running = bidding((3, 3, 3))
    speaks = view_of_round(running, 0, counted())
    hides = replace(view_of_round(running, 0, counted(), speaking=False), own_fist_due=True)
    assert patience(hides, 0.0) == count_seconds(3)
    assert patience(speaks, 1.0) == count_seconds(3) + beats.REST - 1.0
    assert patience(speaks, 60.0) == 0.0


def test_who_answers_a_word_waits_for_nobody() -> None:
    assert patience(view_of_round(bidding((3, 3, 3), (0, Bid(2))), 1, counted()), 0.0) == 0.0


def test_nobody_waits_for_a_bot_to_be_ready_for_a_first_game() -> None:
    view = replace(view_of_round(bidding((3, 3, 3)), 0, speaking=False), phase=Phase.GATHERING)
    assert think_seconds(replace(view, game_number=0), random.Random(1)) == 0.0
    assert think_seconds(replace(view, game_number=1), random.Random(1)) >= QUICKEST
