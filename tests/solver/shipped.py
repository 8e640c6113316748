"""The shipped bots as strategies."""

from __future__ import annotations

import numpy as np

from protocol.rules.options import BIDDING_PRESETS
from protocol.rules.words import Bid
from spoof_tui.bots.heads_up import ENDINGS, RoundPlan, plan_for, plan_of, words_by
from spoof_tui.bots.levels import Level
from spoof_tui.bots.tournament import view_of_round
from tests.solver.game import Game, Strategies
from tests.solver.regret import Strategy
from tests.solver.tables import read
from tests.solver.tree import OPENER, RESPONDER, Array, Group, Tree, round_at


def strategies(game: Game, preset: str, level: Level) -> Strategies:
    """How a level plays every round of two."""
    found = {}
    for coins, each in game.rounds.items():
        plan = plan_of(BIDDING_PRESETS[preset], level, *coins)
        found[coins] = read(each.tree, plan) if plan else _nearest(each.tree, level)
    return found


def _nearest(tree: Tree, level: Level) -> Strategy:
    """How a level plays a round that it has no table for."""
    plan = plan_for(view_of_round(round_at(tree.rules, tree.coins, 0), OPENER), level)
    assert plan
    hands = [np.zeros(coins + 1) for coins in tree.coins]
    for player, odds in ((OPENER, plan.hand_odds(True)), (RESPONDER, plan.hand_odds(False))):
        hands[player][: len(odds)] = odds
    words = {
        group: np.array([_said(tree, group, plan, int(mask)) for mask in masks])
        for group, masks in tree.masks.items()
    }
    return Strategy(words, (hands[OPENER], hands[RESPONDER]))


def _said(tree: Tree, group: Group, plan: RoundPlan, mask: int) -> Array:
    """Hand, word: its chance."""
    speaker, bids = group[1], len(tree.bids(group))
    view = view_of_round(round_at(tree.rules, tree.coins, mask), speaker)
    odds = np.zeros((tree.coins[speaker] + 1, bids + len(ENDINGS)))
    for hand, row in enumerate(odds):
        for word, chance in words_by(plan, view, hand).items():
            at = word.number - group[0] - 1 if isinstance(word, Bid) else bids + ENDINGS.index(word)
            row[at] = chance
    return odds
