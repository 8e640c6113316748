"""The tables of the game of two: all are there, and say only what is allowed."""

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
    plan_for,
    plan_of,
    words_by,
)
from spoof_tui.bots.levels import Level
from tests.solver.tree import bids_of
from tests.spoof_tui.bots.arena import bidding, view_of_round


def coins_of(rules: BiddingRules, level: Level) -> list[tuple[int, int]]:
    """The coins that two may own."""
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
