"""Solving the whole game: the worth of a round depends on the worth of the next ones."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from protocol.rules.options import START_COINS, BiddingRules
from tests.solver.regret import Solver, Strategy, Values, reach_of, values_of
from tests.solver.tree import OPENER, RESPONDER, Array, Coins, Endings, Group, Tree, Worth

Strategies: TypeAlias = Mapping[Coins, Strategy]
"""How rounds are played, by the coins of the opener and of the responder."""

START: Coins = (START_COINS, START_COINS)
"""The first round. Its opening word is kept from telling anything of the hand."""

SHALLOW = 8
"""Coins up to which a game without a cap is computed quickly."""

ALIKE = 0.65
"""How alike the opening word is made with every hand: it reveals less, and a perfect opponent wins
up to a hundredth more."""

GRADIENT = 0.4
"""The worth of one more coin, relative to that of the last one, beyond the coins that are
solved."""

CARELESS = 0.01
"""How often any word is said where a mistake is weighed, so that every position is reached."""

ABSURD = 10.0
"""Nobody says what their own hand makes untrue, as long as there is another word."""

TIMID = 3.0
"""How much a mistaken player overrates the lowest opening bid and a call."""

CLOSE = 1e-5
"""Values that change by less count as settled."""


@dataclass(frozen=True)
class Position:
    """A round that may occur."""

    tree: Tree
    endings: Endings


class Game:
    """Every round of two that may occur by these rules, up to `whole` coins in play."""

    def __init__(self, rules: BiddingRules, whole: int = SHALLOW) -> None:
        most = rules.cap or whole
        owned = range(1, most + 1)
        self.rounds: dict[Coins, Position] = {}
        for coins in itertools.product(owned, owned):
            if sum(coins) <= whole:
                tree = Tree(rules, coins)
                self.rounds[coins] = Position(tree, Endings.of(tree))

    def solve(
        self, passes: int, steps: int, last_steps: int, told: Callable[[str], None] = print
    ) -> tuple[Strategies, Mapping[Coins, float]]:
        """Strategies that are good against each other, and the opener's chance in each round."""
        solvers = {coins: Solver(each.tree) for coins, each in self.rounds.items()}
        worths = dict.fromkeys(self.rounds, 0.5)
        strategies: dict[Coins, Strategy] = {}
        for index in range(passes):
            count, moved = last_steps if index == passes - 1 else steps, 0.0
            for coins, each in self.rounds.items():
                payoffs = each.endings.payoffs(beyond(worths))
                strategies[coins] = solvers[coins].solve(payoffs, count)
                worth = self._worth(coins, strategies[coins], beyond(worths))
                moved, worths[coins] = max(moved, abs(worth - worths[coins])), worth
            told(f"pass {index + 1} of {passes}: no chance changed by more than {moved:.5f}")
        strategies[START] = self._hiding(strategies[START], beyond(worths), last_steps)
        return strategies, worths

    def _hiding(self, found: Strategy, worth: Worth, steps: int) -> Strategy:
        """The same round, but the opening word is more alike with every hand.

        The responder stays as it is: it has to be ready for an opener who does otherwise.
        """
        each = self.rounds[START]
        words = found.words[0, OPENER][0]
        opening = (1 - ALIKE) * words + ALIKE * (found.hands[OPENER] @ words)
        hiding = Solver(each.tree, opening).solve(each.endings.payoffs(worth), steps)
        merged = {
            group: (hiding if group[1] == OPENER else found).words[group] for group in found.words
        }
        return Strategy(merged, (hiding.hands[OPENER], found.hands[RESPONDER]))

    def _worth(self, coins: Coins, strategy: Strategy, worth: Worth) -> float:
        values = self.values(coins, strategy, strategy, worth, OPENER)
        return float(strategy.hands[OPENER] @ values.hands)

    def values(
        self, coins: Coins, other: Strategy, own: Strategy | None, worth: Worth, player: int
    ) -> Values:
        """What `player` can expect of a round against `other`, playing `own` or optimally."""
        each = self.rounds[coins]
        return values_of(each.tree, each.endings.payoffs(worth), other, own, player)

    def chances(
        self,
        other: Strategies,
        own: Strategies | None = None,
        deeper: Mapping[Coins, float] | None = None,
    ) -> tuple[float, float]:
        """How often somebody wins a game from three coins each against `other`, playing `own` or
        (None) whatever is best for who knows `other`: opening it, and not opening it.

        `deeper`: the opener's chance in rounds of more coins than are played here.
        """
        known = dict(deeper or {})
        opening = known | dict.fromkeys(self.rounds, 0.5)
        answering = {coins: 1.0 - chance for coins, chance in known.items()}
        answering |= dict.fromkeys(self.rounds, 0.5)
        moved = 1.0
        while moved > CLOSE:
            moved = 0.0
            for coins in self.rounds:
                ahead, behind = beyond(opening), beyond(answering)
                for player, worths in ((OPENER, opening), (RESPONDER, answering)):
                    mine = own[coins] if own else None
                    now = self._chance(coins, other[coins], mine, player, ahead, behind)
                    moved, worths[coins] = max(moved, abs(now - worths[coins])), now
        return opening[START], answering[START]

    def _chance(
        self,
        coins: Coins,
        other: Strategy,
        own: Strategy | None,
        player: int,
        opening: Worth,
        answering: Worth,
    ) -> float:
        """`opening` and `answering` take the coins of who opens first, and give the same player's
        chance, who opens such a round or answers in it."""
        each = self.rounds[coins]
        if player == OPENER:
            payoffs = each.endings.payoffs_of(opening, lambda o, r: answering(r, o))
        else:
            payoffs = each.endings.payoffs_of(
                lambda o, r: 1.0 - answering(o, r), lambda o, r: 1.0 - opening(r, o)
            )
        hands = values_of(each.tree, payoffs, other, own, player).hands
        return float(own.hands[player] @ hands if own else hands.max())


def beyond(worths: Mapping[Coins, float]) -> Worth:
    """The worth of a round, including ones with more coins than are solved: one more coin helps its
    owner, but less than the last one did."""

    def worth(opener: int, responder: int) -> float:
        known = worths.get((opener, responder))
        if known is not None:
            return known
        if (opener - 1, responder) in worths:
            last = worths[opener - 1, responder]
            step = last - worths.get((opener - 2, responder), last)
        else:
            last = worths[opener, responder - 1]
            step = last - worths.get((opener, responder - 2), last)
        return min(max(last + GRADIENT * step, 0.0), 1.0)

    return worth


def mistaken(
    game: Game, strategies: Strategies, worths: Mapping[Coins, float], part: float, whim: float
) -> Strategies:
    """How a player plays who makes a mistake in this part of all choices: then, of two words, the
    one that costs `whim` of the chance to win more is said e times less often.

    A mistake is mostly a timid one: who opens low and calls early is beaten by whoever bids
    honestly, and not by whoever only waits for bids to call.
    """
    found = {}
    for coins, each in game.rounds.items():
        now = strategies[coins].trembling(each.tree, CARELESS)
        sides = [game.values(coins, now, now, beyond(worths), player) for player in (0, 1)]
        found[coins] = _mistaken(each.tree, strategies[coins], now, sides, part, whim)
    return found


def _mistaken(
    tree: Tree, best: Strategy, now: Strategy, sides: list[Values], part: float, whim: float
) -> Strategy:
    reach = reach_of(tree, now)
    words = {}
    for group, odds in best.words.items():
        speaker = group[1]
        chance = reach[group][1 - speaker].sum(axis=1)[:, None, None]
        each = sides[speaker].words[group] / chance - ABSURD * ~_may_be_right(tree, group)
        each[:, :, len(tree.bids(group)) if group[0] else 0] += TIMID
        each = np.where(tree.legal[group], each, -np.inf)
        words[group] = (1 - part) * odds + part * _softmax(each, whim)
    opener, responder = (
        (1 - part) * best.hands[player] + part * _softmax(sides[player].hands, whim)
        for player in (OPENER, RESPONDER)
    )
    return Strategy(words, (opener, responder))


def _may_be_right(tree: Tree, group: Group) -> npt.NDArray[np.bool_]:
    """Hand, word: whether a player with that hand can be right; a bid always can."""
    bid, speaker = group
    own, other = tree.coins[speaker], tree.coins[1 - speaker]
    endings = [
        [hand < bid, hand <= bid <= hand + other, hand == own, hand == 0] for hand in range(own + 1)
    ]
    return np.array([[*(True for _ in tree.bids(group)), *each] for each in endings])


def _softmax(worths: Array, whim: float) -> Array:
    weights = np.exp((worths - worths.max(axis=-1, keepdims=True)) / whim)
    return np.asarray(weights / weights.sum(axis=-1, keepdims=True))
