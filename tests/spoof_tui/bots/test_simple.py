"""Simple players keep the rules and their plans."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.errors import LocalError
from protocol.rules.options import PRESETS
from protocol.rules.words import Bid, Ending, Word
from spoof_tui.bots.arena import play_game, view_of_round
from spoof_tui.bots.simple import PLANS, SimpleMind
from tests.spoof_tui.bots.arena import bidding
from tests.spoof_tui.bots.schools import guessing

plans = st.sampled_from(sorted(PLANS))


def mind(plan: str, seed: int = 1) -> SimpleMind:
    return SimpleMind(PLANS[plan], random.Random(seed))


def said(plan: str, hand: int, *words: tuple[int, Word]) -> Word:
    """What a plan says with three of nine coins, one of them in hand or more."""
    running = bidding((3, 3, 3), *words)
    assert running.speaker is not None
    word, direction = mind(plan).choose_word(view_of_round(running, running.speaker), hand)
    assert direction is None
    return word


def called(plan: str, hand: int, *calls: int) -> Word:
    running = guessing(3, *calls)
    assert running.speaker is not None
    return mind(plan).choose_word(view_of_round(running, running.speaker), hand)[0]


@given(st.lists(plans, min_size=2, max_size=9), st.integers(0, 99), st.sampled_from([*PRESETS]))
def test_every_word_of_every_plan_is_legal(seated: list[str], seed: int, rules: str) -> None:
    minds = [mind(plan, seed + seat) for seat, plan in enumerate(seated)]
    game = play_game(minds, PRESETS[rules], seed % len(seated), rounds=40)
    assert not any(played.outcome.fined for played in game.rounds)


@pytest.mark.parametrize(
    ("plan", "hand", "opening", "answer"),
    [
        ("small", 1, Bid(1), Bid(4)),
        ("truthful", 2, Bid(2), Ending.CALL),
        ("honest", 2, Bid(5), Bid(5)),
        ("median", 2, Bid(5), Bid(5)),
        ("hold-all", 3, Bid(3), Ending.CALL),
        ("value", 3, Bid(1), Bid(4)),
    ],
)
def test_a_plan_opens_and_answers_a_bid_of_three(
    plan: str, hand: int, opening: Word, answer: Word
) -> None:
    assert said(plan, hand) == opening
    assert said(plan, hand, (0, Bid(3))) == answer


@pytest.mark.parametrize("plan", sorted(set(PLANS) - {"random", "value"}))
def test_a_bid_beyond_its_plan_is_called(plan: str) -> None:
    assert said(plan, 1, (0, Bid(8))) == Ending.CALL


def test_the_best_odds_call_a_bid_that_can_hardly_be_true() -> None:
    assert said("value", 0, (0, Bid(6))) == Ending.CALL


@pytest.mark.parametrize(
    ("plan", "hand", "number"),
    [
        ("small", 1, 1),
        ("truthful", 2, 6),
        ("honest", 2, 5),
        ("median", 2, 5),
        ("hold-all", 3, 6),
        ("value", 0, 3),
    ],
)
def test_a_plan_calls_its_number(plan: str, hand: int, number: int) -> None:
    assert called(plan, hand) == Bid(number)


def test_a_number_that_is_taken_is_replaced_by_the_nearest() -> None:
    assert called("honest", 2, 5) == Bid(4)
    assert called("small", 0, 0) == Bid(1)


@pytest.mark.parametrize(("plan", "hands"), [("small", {0, 1}), ("hold-all", {3})])
def test_some_plans_hold_some_hands_only(plan: str, hands: set[int]) -> None:
    bot, view = mind(plan), view_of_round(bidding((3, 3)), 0, speaking=False)
    assert {bot.choose_hand(view) for _ in range(60)} == hands


def test_who_watches_has_no_plan() -> None:
    from dataclasses import replace

    view = replace(view_of_round(bidding((3, 3)), 0), me=None)
    with pytest.raises(LocalError):
        mind("random").choose_hand(view)
