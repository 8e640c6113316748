"""What a word is worth against one opponent: the chance to win the game if both go on by the table
of `hard`.

The belief about the opponent's hand follows from the words of the round by Bayes' rule: how often
would each hand have said that?
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType

from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BIDDING_PRESETS, BiddingRules, Rules
from protocol.rules.words import Bid, Direction, Ending, Word, speaking_order
from protocol.views import TableView
from spoof_tui.bots.heads_up import (
    RoundPlan,
    chances_of,
    nearest_preset,
    packed,
    plan_for,
    solved_preset,
)
from spoof_tui.bots.levels import Level
from spoof_tui.bots.odds import Distribution, normalised

STEEPNESS = 2.9
"""With five players or more, the exponent by which more coins mean a better chance to win: the best
fit (maximum likelihood) to 260 games of the strongest bots among themselves."""

OWNED = MappingProxyType({3: 5, 4: 4})
"""For the numbers of players for whom `tests.solver.chances` fills `FILE`, the most coins that
anybody owns there."""

FILE = "chances.zip"

RARE = 1e-3
"""The lowest chance that any choice of the opponent is assumed to have."""


@dataclass(frozen=True)
class Against:
    """A round of the last two players, as one of them sees it, for which there is an exact solved
    table."""

    preset: str
    plan: RoundPlan
    opens: bool
    """Whether the player opens the round."""
    hand: int
    """The coins in the player's own fist."""
    _outcomes: dict[tuple[int, bool, Ending, int], float] = field(default_factory=dict)

    @classmethod
    def of(cls, view: TableView, hand: int) -> Against | None:
        """The round that `view` shows, for its viewer, who holds `hand`; None if no exact table was
        solved for it."""
        plan = plan_for(view, Level.HARD)
        preset = solved_preset(view.rules) if plan else None  # type: ignore[arg-type]
        if plan is None or preset is None or not plan.is_exact:
            return None
        return cls(preset, plan, view.starter == view.me, hand)

    def words(self, bids: Sequence[int], allowed: Sequence[Word]) -> Mapping[Word, float]:
        """The chance to win after each of these words, said now."""
        other = self.other(bids)
        return {word: self._after(tuple(bids), word, other) for word in allowed}

    def of_hand(self) -> float:
        """The chance to win with this hand when the round begins."""
        other = self.other(())
        return self._to_speak((), other) if self.opens else self._answered((), other)

    def other(self, bids: Sequence[int]) -> Distribution:
        """The distribution of the opponent's hand after these bids."""
        hands = list(self.plan.hand_odds(not self.opens))
        for at in range(1 if self.opens else 0, len(bids), 2):
            for hand in range(len(hands)):
                said = self.plan.word_odds(bids[:at], hand).get(Bid(bids[at]), 0.0)
                hands[hand] *= max(said, RARE)
        return normalised(max(chance, RARE**3) for chance in hands)

    def _after(self, bids: tuple[int, ...], word: Word, other: Distribution) -> float:
        """The chance to win after the player has said `word`."""
        if isinstance(word, Ending):
            return self._counted(bids, word, other, mine=True)
        return self._answered((*bids, word.number), other)

    def _answered(self, said: tuple[int, ...], other: Distribution) -> float:
        """The chance to win when the opponent speaks next, after these bids."""
        worth = 0.0
        answers: dict[Word, list[float]] = {}
        for hand, chance in enumerate(other):
            for answer, odds in self.plan.word_odds(said, hand).items():
                answers.setdefault(answer, [0.0] * len(other))[hand] = chance * odds
        for answer, hands in answers.items():
            weight = sum(hands)
            if not weight:
                continue
            belief = tuple(each / weight for each in hands)
            if isinstance(answer, Ending):
                worth += weight * self._counted(said, answer, belief, mine=False)
            else:
                worth += weight * self._to_speak((*said, answer.number), belief)
        return worth

    def _to_speak(self, bids: tuple[int, ...], other: Distribution) -> float:
        words = self.plan.word_odds(bids, self.hand)
        return sum(odds * self._after(bids, word, other) for word, odds in words.items())

    def _counted(
        self, bids: tuple[int, ...], word: Ending, other: Distribution, mine: bool
    ) -> float:
        bid = bids[-1] if bids else 0
        return sum(
            chance * self._ended(bid, mine, word, self.hand + hand)
            for hand, chance in enumerate(other)
        )

    def _ended(self, bid: int, mine: bool, word: Ending, total: int) -> float:
        """The chance to win after a round was counted: `bid` was the standing bid of the player who
        did not end it (0 for none), and `mine` tells whether this player said the ending word."""
        key = (bid, mine, word, total)
        if key not in self._outcomes:
            self._outcomes[key] = self._count(bid, mine, word, total)
        return self._outcomes[key]

    def _count(self, bid: int, mine: bool, word: Ending, total: int) -> float:
        opener, responder = self.plan.opener, self.plan.responder
        me = 0 if self.opens else 1
        ender = me if mine else 1 - me
        words: list[tuple[int, Word]] = [(1 - ender, Bid(bid))] if bid else []
        rules = BIDDING_PRESETS[self.preset]
        said = BiddingRound(rules, (opener, responder), 0, words=(*words, (ender, word)))
        held = min(total, opener)
        outcome = said.count({0: held, 1: total - held})
        if outcome.next_starter is None:
            return float(outcome.coins[me] > 0)
        return chance_of(
            self.preset, outcome.coins[me], outcome.coins[1 - me], outcome.next_starter == me
        )


def winning_chances(rules: Rules, coins: Sequence[int], starter: int | None) -> tuple[float, ...]:
    """The chance of each seat to win when `starter` opens a round with these coins, if all play
    well.

    For two players they come from the solved tables, for three and four from tables of self-play.
    With more players they are no real chances, and only tell who is better off: coins to the power
    of `STEEPNESS`, scaled to add up to 1, whoever opens.
    """
    if isinstance(rules, BiddingRules) and starter is not None and are_tabled(coins):
        preset = solved_preset(rules) or nearest_preset(rules)
        order = speaking_order(coins, starter, Direction.CLOCKWISE)
        found = dict(zip(order, _tabled(preset, tuple(coins[s] for s in order)), strict=True))
        return tuple(found.get(seat, 0.0) for seat in range(len(coins)))
    return normalised(own**STEEPNESS for own in coins)


def are_tabled(coins: Sequence[int]) -> bool:
    """Whether real chances to win are known for these coins: those of at most four players."""
    return sum(map(bool, coins)) <= max(OWNED)


def _tabled(preset: str, coins: tuple[int, ...]) -> tuple[float, ...]:
    """The chances to win with these coins, from the opener clockwise.

    With more coins than there are tables for, those for the most coins in the tables.
    """
    if len(coins) == 2:
        opens = chance_of(preset, *coins, True)
        return opens, 1.0 - opens
    tabled = _self_play(preset)
    while coins not in tabled:
        coins = tuple(min(own, max(coins) - 1) for own in coins)
    return tabled[coins]


@cache
def _self_play(preset: str) -> dict[tuple[int, ...], tuple[float, ...]]:
    """The chances of three and four players to win, by their coins, both from the opener
    clockwise."""
    rows = [line.split() for line in packed(preset, FILE).decode().splitlines()]
    halves = [(row[: len(row) // 2], row[len(row) // 2 :]) for row in rows]
    return {tuple(map(int, coins)): normalised(map(float, won)) for coins, won in halves}


@cache
def chance_of(preset: str, own: int, other: int, opens: bool) -> float:
    """A player's chance to win when a round begins with these coins; `opens` tells whether the
    player opens it.

    If there are more coins than were solved for, it is the chance with the most coins that were.
    """
    chances = chances_of(preset)
    while (own, other) not in chances or (other, own) not in chances:
        own, other = (own - 1, other) if own >= other else (own, other - 1)
    return chances[own, other] if opens else 1.0 - chances[other, own]


def share(coins: Sequence[int], seat: int, changed: int | None = None, by: int = 0) -> float:
    """The share of all coins that `seat` owns after the seat `changed` has won or lost `by`
    coins."""
    own = coins[seat] + (by if changed == seat else 0)
    whole = sum(coins) + (by if changed is not None else 0)
    return own / whole


def share_alone(coins: Sequence[int], seat: int) -> float:
    """The share of all coins that `seat` owns after everybody else has lost a coin (R10)."""
    others = sum(count - 1 for other, count in enumerate(coins) if count and other != seat)
    return coins[seat] / (coins[seat] + others)


def mean_coin(coins: Sequence[int]) -> float:
    """The share of all coins that one coin is: the unit for differences in worth."""
    return 1.0 / sum(coins)
