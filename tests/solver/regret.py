"""Solving one round by regret matching (CFR+ of Tammelin), vectorised over positions and hands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from spoof_tui.bots.heads_up import ENDINGS
from tests.solver.tree import OPENER, RESPONDER, Array, Group, Payoffs, Tree

TREMBLE = 0.002
"""How often the opponent is assumed to say a random word, so that mistakes are answered well
too."""


@dataclass(frozen=True)
class Strategy:
    """How both play a round."""

    words: Mapping[Group, Array]
    """Position, hand of the speaker, word: its chance."""
    hands: tuple[Array, Array]
    """The chance of every hand, of the opener and of the responder."""

    def trembling(self, tree: Tree, tremble: float) -> Strategy:
        """The same odds, with a small chance of every choice."""
        words = {
            group: (1 - tremble) * odds + tremble * _even(tree, group)
            for group, odds in self.words.items()
        }
        opener, responder = ((1 - tremble) * hand + tremble / len(hand) for hand in self.hands)
        return Strategy(words, (opener, responder))


Reach: TypeAlias = Mapping[Group, tuple[Array, Array]]
"""Position, hand: the chance that a player holds it and says what leads there, of both."""


def reach_of(tree: Tree, strategy: Strategy) -> Reach:
    """How likely each player reaches each position, as far as it is up to that player."""
    reach = {
        group: tuple(np.zeros((len(masks), coins + 1)) for coins in tree.coins)
        for group, masks in tree.masks.items()
    }
    for player in (OPENER, RESPONDER):
        reach[0, OPENER][player][:] = strategy.hands[player]
    for group in tree.groups:
        speaker, listener = group[1], 1 - group[1]
        for index, bid in enumerate(tree.bids(group)):
            there, place = reach[bid, listener], tree.children[group, bid]
            there[listener][place] = reach[group][listener]
            there[speaker][place] = reach[group][speaker] * strategy.words[group][:, :, index]
    return {group: (pair[0], pair[1]) for group, pair in reach.items()}


@dataclass(frozen=True)
class Values:
    """One player's expectations, each weighted by the chance that the other plays to it."""

    words: Mapping[Group, Array]
    """Position, hand, word; of the player's own positions."""
    positions: Mapping[Group, Array]
    """Position, hand."""

    @property
    def hands(self) -> Array:
        """The player's chance to win with each hand."""
        hands: Array = self.positions[0, OPENER][0]
        return hands


def values_of(
    tree: Tree,
    payoffs: Payoffs,
    other: Strategy,
    own: Strategy | None,
    player: int,
    reach: Reach | None = None,
) -> Values:
    """What `player` can expect against `other`, playing `own`; None: optimally.

    `reach` is that of `other`, if known.
    """
    reach = reach or reach_of(tree, other)
    words: dict[Group, Array] = {}
    positions: dict[Group, Array] = {}
    for group in reversed(tree.groups):
        ends = payoffs[group] if player == OPENER else 1.0 - payoffs[group].transpose(0, 2, 1)
        theirs = reach[group][1 - player]
        if group[1] != player:
            positions[group] = _heard(tree, group, positions, ends, theirs, other)
            continue
        each = [positions[bid, 1 - player][tree.children[group, bid]] for bid in tree.bids(group)]
        each += [theirs @ ends[index].T for index in range(len(ENDINGS))]
        words[group] = np.stack(each, axis=2)
        if own is None:
            positions[group] = np.where(tree.legal[group], words[group], -1.0).max(axis=2)
        else:
            positions[group] = (own.words[group] * words[group]).sum(axis=2)
    return Values(words, positions)


def _heard(
    tree: Tree,
    group: Group,
    positions: Mapping[Group, Array],
    ends: Array,
    theirs: Array,
    other: Strategy,
) -> Array:
    bids = tree.bids(group)
    said = other.words[group]
    heard = sum(
        (theirs * said[:, :, len(bids) + index]) @ ends[index].T for index in range(len(ENDINGS))
    )
    higher = sum(positions[bid, 1 - group[1]][tree.children[group, bid]] for bid in bids)
    return np.asarray(heard + higher)


class Solver:
    """The regrets of both players in one round."""

    def __init__(self, tree: Tree, opening: Array | None = None) -> None:
        """`opening`: the odds of the opening words, by hand; None: to be found."""
        self.tree = tree
        self._opening = opening
        self._steps = 0
        self._regrets = {
            group: np.zeros((len(masks), tree.coins[group[1]] + 1, tree.legal[group].shape[2]))
            for group, masks in tree.masks.items()
        }
        self._sums = {group: np.zeros_like(regrets) for group, regrets in self._regrets.items()}
        self._hand_regrets = tuple(np.zeros(coins + 1) for coins in tree.coins)
        self._hand_sums = tuple(np.zeros(coins + 1) for coins in tree.coins)

    def solve(self, payoffs: Payoffs, steps: int) -> Strategy:
        """The mean strategy of this many steps, later ones weighted more."""
        self._steps = 0
        for sums in (*self._sums.values(), *self._hand_sums):
            sums[:] = 0.0
        for _ in range(steps):
            self._step(payoffs)
        return self._strategy(self._sums, self._hand_sums)

    def _step(self, payoffs: Payoffs) -> None:
        self._steps += 1
        for player in (OPENER, RESPONDER):
            now = self._strategy(self._regrets, self._hand_regrets)
            trembling = now.trembling(self.tree, TREMBLE)
            reach = reach_of(self.tree, trembling)
            values = values_of(self.tree, payoffs, trembling, now, player, reach)
            for group, each in values.words.items():
                gains = each - values.positions[group][:, :, None]
                regrets = self._regrets[group]
                regrets += gains
                np.maximum(regrets, 0.0, out=regrets)
                weight = reach[group][player][:, :, None]
                self._sums[group] += self._steps * weight * now.words[group]
            hands = now.hands[player]
            hand_regrets = self._hand_regrets[player]
            hand_regrets += values.hands - hands @ values.hands
            np.maximum(hand_regrets, 0.0, out=hand_regrets)
            self._hand_sums[player][:] += self._steps * hands

    def _strategy(self, words: Mapping[Group, Array], hands: tuple[Array, ...]) -> Strategy:
        matched = {group: _matched(self.tree, group, each) for group, each in words.items()}
        if self._opening is not None:
            matched[0, OPENER] = np.broadcast_to(self._opening, matched[0, OPENER].shape)
        opener, responder = (
            each / each.sum() if each.sum() else np.full(len(each), 1 / len(each)) for each in hands
        )
        return Strategy(matched, (opener, responder))


def _matched(tree: Tree, group: Group, weights: Array) -> Array:
    legal = np.where(tree.legal[group], weights, 0.0)
    whole = legal.sum(axis=2, keepdims=True)
    return np.where(whole > 0, legal / np.where(whole > 0, whole, 1.0), _even(tree, group))


def _even(tree: Tree, group: Group) -> Array:
    legal = tree.legal[group]
    return np.asarray(legal / legal.sum(axis=2, keepdims=True))
