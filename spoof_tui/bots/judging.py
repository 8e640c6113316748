"""What each word is worth to one player: the expected share of all coins after the round.

Ending words are settled by the odds at once. A bid is worth what the next player makes of it: for
each hand that the next player may hold, a call settles the bid, and a raise passes the trouble on.
The chance of a call rises as the bid looks less true from that hand.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from protocol.errors import LocalError
from protocol.rules.options import START_COINS, BiddingRules
from protocol.rules.words import Bid, Direction, Ending, Word, next_in
from protocol.views import TableView
from spoof_tui.bots.levels import Traits
from spoof_tui.bots.odds import (
    Beliefs,
    Distribution,
    Odds,
    at_least,
    convolved,
    flattened,
    read_table,
    total_of,
)
from spoof_tui.bots.values import share, share_alone

CALLED_BELOW: Final = 0.5
"""Chance of being true at which another player is as likely to call a bid as not."""

CALL_SPREAD: Final = 0.12
"""How far that varies between players: the width of the logistic curve."""

FEARED_CALL: Final = 0.6
"""The chance of a call that a player expects who foresees nothing."""


@dataclass(frozen=True, slots=True)
class Judge:
    """One player's judgement of the words that may be said now."""

    view: TableView
    """The table, with this player's turn."""
    traits: Traits
    beliefs: Beliefs
    me: int
    """This player's seat."""

    @classmethod
    def of(cls, view: TableView, traits: Traits, me: int) -> Judge:
        """The judgement of the player in seat `me` with `traits`."""
        return cls(view, traits, read_table(view, traits), me)

    def worths(self, hand: int, shown: int) -> dict[Word, float]:
        """What every legal word is worth; bids are judged as if `shown` were the hand."""
        odds, seen = self.odds(hand), self.odds(shown)
        return {
            word: self.bid(word.number, seen, self.view.direction)
            if isinstance(word, Bid)
            else self.ending(word, odds)
            for word in legal_words(self.view)
        }

    def odds(self, hand: int) -> Odds:
        """What holding `hand` says about the total."""
        others = total_of(self.beliefs.except_for(self.me))
        return Odds(hand, flattened(others, self.traits.odds), self.view.most)

    def ending(self, word: Ending, odds: Odds) -> float:
        """What an ending word is worth; call and cliff need a standing bid."""
        coins, me = self.beliefs.coins, self.me
        lost = share(coins, me, me, -1)
        if word is Ending.SPOOF:
            return _mean(odds.everything, share(coins, me), lost)
        if word is Ending.ZERO:
            return _mean(odds.nothing, share_alone(coins, me), lost)
        if self.view.standing is None:
            return lost
        bidder, bid = self.view.standing
        if word is Ending.CALL:
            return _mean(odds.at_least(bid), lost, share(coins, me, bidder, -1))
        return _mean(odds.exactly(bid), self._cliff_prize(), lost)

    def _cliff_prize(self) -> float:
        coins, me, rules = self.beliefs.coins, self.me, self.view.rules
        cap = rules.cap if isinstance(rules, BiddingRules) else None
        capped = cap is not None and coins[me] >= cap
        return share(coins, me, me, 0 if capped else 1)

    def bid(self, number: int, odds: Odds, direction: Direction) -> float:
        """What a bid is worth when play goes in `direction`."""
        beliefs, me = self.beliefs, self.me
        answerer = next_in(beliefs.coins, me, direction)
        won, lost = share(beliefs.coins, me, answerer, -1), share(beliefs.coins, me, me, -1)
        passed_on = self._trouble_elsewhere()
        rest = total_of(beliefs.except_for(me, answerer))
        real = flattened(rest, self.traits.odds)
        seen = convolved(rest, beliefs.after_bid(me, number, self.traits.reading))
        worth = 0.0
        for hand, chance in enumerate(beliefs.hands[answerer]):
            called = self._called(number, seen, hand)
            settled = _mean(at_least(real, number - odds.hand - hand), won, lost)
            worth += chance * _mean(called, settled, passed_on)
        return worth

    def _called(self, number: int, seen: Distribution, hand: int) -> float:
        """The chance that a player with `hand`, who believes `seen` of the others, calls a bid."""
        if number >= self.view.most:
            return 1.0
        doubt = at_least(seen, number - hand) - CALLED_BELOW
        likely = 1.0 / (1.0 + math.exp(doubt / CALL_SPREAD))
        return _mean(self.traits.foresight, likely, FEARED_CALL)

    def _trouble_elsewhere(self) -> float:
        """The worth of a round that goes on: somebody loses a coin in it, each player
        equally likely."""
        coins, players = self.beliefs.coins, self.beliefs.players
        return sum(share(coins, self.me, seat, -1) for seat in players) / len(players)


def legal_words(view: TableView) -> list[Word]:
    """The words that may be said now, on the player's turn in the bidding game; endings first."""
    endings: list[Word] = [option.word for option in view.options if option.forbidden is None]
    if view.lowest_bid is None:
        return endings
    return [*endings, *map(Bid, range(view.lowest_bid, view.most + 1))]


def possible_calls(view: TableView, hand: int) -> list[int]:
    """The free numbers that a hand makes possible in the guessing game (H6, H7)."""
    most = hand + START_COINS * (sum(1 for seat in view.seats if seat.coins) - 1)
    return [number for number in view.free if hand <= number <= most]


def own_seat(view: TableView) -> int:
    """The seat of the player whose view it is; raises `LocalError` if they only watch."""
    if view.me is None:
        raise LocalError("a bot that only watches has nothing to choose")
    return view.me


def _mean(chance: float, then: float, otherwise: float) -> float:
    """The expected worth of something that happens with `chance`."""
    return chance * then + (1.0 - chance) * otherwise


_Choice = TypeVar("_Choice")


def soft_odds(worths: Sequence[float], scale: float) -> list[float]:
    """The chance of each choice: one worth `scale` less than another is e times rarer (softmax)."""
    best = max(worths)
    weights = [math.exp((worth - best) / scale) for worth in worths]
    whole = sum(weights)
    return [weight / whole for weight in weights]


def any_hand(coins: int, rng: random.Random) -> int:
    """Any hand, all equally likely."""
    return rng.randint(0, coins)


def softly(
    choices: Sequence[_Choice], worths: Sequence[float], scale: float, rng: random.Random
) -> _Choice:
    """One of the choices, by `soft_odds`."""
    return rng.choices(choices, soft_odds(worths, scale))[0]
