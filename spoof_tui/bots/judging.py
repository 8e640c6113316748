"""What each word is worth to one player: the expected share of all coins after the round.

The worth of an ending word follows from the odds. That of a bid depends on what the next player
makes of it: for each hand that the next player may hold, a call settles the bid, and a raise passes
the risk on. A call is the likelier, the less true the bid looks to the holder of that hand.
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
"""The chance that a bid is true at which another player calls it half of the time."""

CALL_SPREAD: Final = 0.12
"""How much that chance varies between players: the width of the logistic curve."""

FEARED_CALL: Final = 0.6
"""The chance of a call that a player without any foresight expects."""


@dataclass(frozen=True, slots=True)
class Judge:
    """One player's judgement of the words that may be said now: what each is worth."""

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
        """The worth of every legal word, 0 to 1; bids are judged as if the player held `shown`."""
        odds, seen = self.odds(hand), self.odds(shown)
        return {
            word: self.bid(word.number, seen, self.view.direction)
            if isinstance(word, Bid)
            else self.ending(word, odds)
            for word in legal_words(self.view)
        }

    def odds(self, hand: int) -> Odds:
        """The odds of every total for a player who holds `hand`."""
        others = total_of(self.beliefs.except_for(self.me))
        return Odds(hand, flattened(others, self.traits.odds), self.view.most)

    def ending(self, word: Ending, odds: Odds) -> float:
        """The worth of an ending word, 0 to 1; without a standing bid, a call or cliff counts as
        lost."""
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
        """The worth of a bid, 0 to 1, when play goes on in `direction`."""
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
        """The chance that a player who holds `hand`, and for whom the others' total has the chances
        `seen`, calls the bid."""
        if number >= self.view.most:
            return 1.0
        doubt = at_least(seen, number - hand) - CALLED_BELOW
        likely = 1.0 / (1.0 + math.exp(doubt / CALL_SPREAD))
        return _mean(self.traits.foresight, likely, FEARED_CALL)

    def _trouble_elsewhere(self) -> float:
        """The worth of a round that goes on, 0 to 1: one player loses a coin, each with the same
        chance."""
        coins, players = self.beliefs.coins, self.beliefs.players
        return sum(share(coins, self.me, seat, -1) for seat in players) / len(players)


def legal_words(view: TableView) -> list[Word]:
    """The words that may be said now, on the player's turn in the bidding game; endings first."""
    if view.lowest_bid is None:
        return [*view.allowed_endings]
    return [*view.allowed_endings, *map(Bid, range(view.lowest_bid, view.most + 1))]


def possible_calls(view: TableView, hand: int) -> list[int]:
    """The free numbers that a hand makes possible in the guessing game (H6, H7)."""
    most = hand + START_COINS * (sum(1 for seat in view.seats if seat.coins) - 1)
    return [number for number in view.free if hand <= number <= most]


def is_lost(view: TableView, word: Word, hand: int) -> bool:
    """Whether a word that ends the round is wrong whatever the others hold; False for a bid."""
    if not isinstance(word, Ending):
        return False
    others = [seat for index, seat in enumerate(view.seats) if index != own_seat(view)]
    # A fist that counts as empty is open before the others (G3).
    least = hand + sum(seat.hand or 0 for seat in others)
    most = hand + sum(seat.coins if seat.hand is None else seat.hand for seat in others)
    bid = view.standing[1] if view.standing else 0
    is_possible = {
        Ending.CALL: least < bid,
        Ending.CLIFF: least <= bid <= most,
        Ending.SPOOF: most == view.most,
        Ending.ZERO: least == 0,
    }
    return not is_possible[word]


def own_seat(view: TableView) -> int:
    """The index of the viewer's seat; raises `LocalError` for a view without one."""
    if view.me is None:
        raise LocalError("a bot that only watches has nothing to choose")
    return view.me


def _mean(chance: float, then: float, otherwise: float) -> float:
    """The expected value of `then` with this chance, and of `otherwise` without it."""
    return chance * then + (1.0 - chance) * otherwise


_Choice = TypeVar("_Choice")


def soft_odds(worths: Sequence[float], scale: float) -> list[float]:
    """The chance of each choice (softmax): one worth `scale` less than another is chosen e times
    less often."""
    best = max(worths)
    weights = [math.exp((worth - best) / scale) for worth in worths]
    whole = sum(weights)
    return [weight / whole for weight in weights]


def any_hand(coins: int, rng: random.Random) -> int:
    """A random hand of 0 to `coins`, all equally likely."""
    return rng.randint(0, coins)


def softly(
    choices: Sequence[_Choice], worths: Sequence[float], scale: float, rng: random.Random
) -> _Choice:
    """One of the choices, drawn at random with the chances `soft_odds(worths, scale)`."""
    return rng.choices(choices, soft_odds(worths, scale))[0]
