"""The tables of the game of two: every one is there, and says nothing that is not allowed."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.rules.options import BIDDING_PRESETS, BiddingRules
from protocol.rules.words import Bid
from spoof_tui.bots.heads_up import (
    MAX_WHOLE,
    RoundPlan,
    bids_of,
    mask_of,
    offsets,
    opener_speaks,
    plan_for,
    plan_of,
    solved_preset,
    words_by,
)
from spoof_tui.bots.levels import Level
from tests.spoof_tui.bots.arena import bidding, view_of_round


def coins_of(rules: BiddingRules, level: Level) -> list[tuple[int, int]]:
    """What two may own."""
    owned = range(1, (rules.cap or MAX_WHOLE[level]) + 1)
    return [pair for pair in itertools.product(owned, owned) if sum(pair) <= MAX_WHOLE[level]]


@st.composite
def plans(draw: st.DrawFn) -> tuple[str, RoundPlan]:
    preset = draw(st.sampled_from(sorted(BIDDING_PRESETS)))
    level = draw(st.sampled_from(Level))
    coins = draw(st.sampled_from(coins_of(BIDDING_PRESETS[preset], level)))
    plan = plan_of(BIDDING_PRESETS[preset], level, *coins)
    assert plan is not None
    return preset, plan


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("preset", BIDDING_PRESETS)
def test_there_is_a_table_for_all_coins(preset: str, level: Level) -> None:
    rules = BIDDING_PRESETS[preset]
    for opener, responder in coins_of(rules, level):
        plan = plan_of(rules, level, opener, responder)
        assert plan and len(plan.table) == offsets(opener, responder)[-1]


@given(plans(), st.data())
def test_every_word_with_a_chance_may_be_said(
    told: tuple[str, RoundPlan], data: st.DataObject
) -> None:
    preset, plan = told
    coins = (plan.opener, plan.responder)
    bids = bids_of(data.draw(st.integers(0, (1 << sum(coins)) - 1)))
    said = bidding(coins, *((at % 2, Bid(bid)) for at, bid in enumerate(bids)), rules=preset)
    speaker = len(bids) % 2
    for hand in range(coins[speaker] + 1):
        odds = plan.word_odds(bids, hand)
        assert sum(odds.values()) == pytest.approx(1.0)
        for word in odds:
            said.check(speaker, word)


@given(plans())
def test_the_odds_of_the_hands_sum_up_to_one(told: tuple[str, RoundPlan]) -> None:
    _, plan = told
    for opens, coins in ((True, plan.opener), (False, plan.responder)):
        odds = plan.hand_odds(opens)
        assert len(odds) == coins + 1 and sum(odds) == pytest.approx(1.0)


@given(st.sets(st.integers(1, 12)))
def test_a_position_is_the_set_of_its_bids(bids: set[int]) -> None:
    mask = mask_of(sorted(bids))
    assert bids_of(mask) == tuple(sorted(bids))
    assert opener_speaks(mask) == (len(bids) % 2 == 0)


def test_options_that_do_not_matter_to_two_have_the_table_of_their_preset() -> None:
    assert solved_preset(BiddingRules.parse("milan gloating=free stake=none")) == "milan"
    assert solved_preset(BiddingRules.parse("milan cap=3 zero=first-action")) == "bid-spoof"


def test_other_options_and_more_coins_have_none() -> None:
    assert plan_of(BiddingRules.parse("milan cap=5"), Level.HARD, 3, 3) is None
    assert plan_of(BIDDING_PRESETS["milan"], Level.HARD, MAX_WHOLE[Level.HARD], 1) is None


@pytest.mark.parametrize("rules", ["milan", "milan cap=5", "three-coins cap=4 zero=opening-only"])
@pytest.mark.parametrize("coins", [(6, 6), (2, 11), (4, 3)])
def test_coins_and_options_that_were_not_solved_are_played_by_the_nearest_table(
    rules: str, coins: tuple[int, int]
) -> None:
    top = sum(coins)
    for words in ((), ((0, Bid(3)),), ((0, Bid(top - 1)),), ((0, Bid(top)),)):
        running = bidding(coins, *words, rules=rules)
        view = view_of_round(running, len(words))
        plan = plan_for(view, Level.HARD)
        assert plan
        odds = words_by(plan, view, coins[len(words)])
        assert sum(odds.values()) == pytest.approx(1.0)
        for word in odds:
            running.check(len(words), word)
