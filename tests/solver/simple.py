"""The simple players of two as strategies, so that their wins are computed and not played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from spoof_tui.bots.heads_up import ENDINGS
from tests.solver.game import Game, Strategies
from tests.solver.regret import Strategy
from tests.solver.tree import Array, Group, Tree

WAITS: Final = "nothing, bid 1, call"

WANTED: Final[Mapping[str, Callable[[int, int], int]]] = MappingProxyType(
    {
        "truthful": lambda hand, others: hand,
        "honest": lambda hand, others: hand + others // 2,
        WAITS: lambda hand, others: 0,
    }
)
"""Bidders of their own hand, of that and half of the other's coins, and of 1 only."""


def simple(game: Game, name: str) -> Strategies:
    """How a simple player plays every round of two."""
    return {coins: _of(each.tree, name) for coins, each in game.rounds.items()}


def _of(tree: Tree, name: str) -> Strategy:
    first, second = (_hands(coins, name) for coins in tree.coins)
    words = {group: _words(tree, group, WANTED[name]) for group in tree.groups}
    return Strategy(words, (first, second))


def _hands(coins: int, name: str) -> Array:
    if name == WAITS:
        nothing: Array = np.eye(1, coins + 1)[0]
        return nothing
    return np.full(coins + 1, 1.0 / (coins + 1))


def _words(tree: Tree, group: Group, wanted: Callable[[int, int], int]) -> Array:
    """Position, hand, word: a bid of the wanted number, or a call of a higher one."""
    standing, speaker = group
    own, other = tree.coins[speaker], tree.coins[1 - speaker]
    bids = list(tree.bids(group))
    odds = np.zeros((len(tree.masks[group]), own + 1, len(bids) + len(ENDINGS)))
    for hand in range(own + 1):
        number = max(wanted(hand, other), 0 if standing else 1)
        odds[:, hand, bids.index(number) if number in bids else len(bids)] = 1.0
    return odds
