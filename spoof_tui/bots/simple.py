"""Simple players: small fixed plans that anybody can read, as yardsticks for the others.

None of them remembers or reads anybody; to all of them every hand of the others is as likely.
Each plan is a hand, a word for the bidding game and a number for the guessing game:

    random     any hand; any word that is legal; any number that its hand makes possible
    small      0 or 1 coin; the lowest bid up to half of all coins, then call; the lowest number
    truthful   any hand; bids its own hand, and calls what is as high; its hand times the players
    honest     any hand; bids its hand and half of the others' coins, else calls; that number
    value      any hand; the word with the best odds, as if every bid were called; the likeliest
    median     any hand; the highest bid that is likelier true than not, else calls; the median
    hold-all   all its coins; bids them, and calls what is as high; the likeliest number

Where a number is taken or impossible, the nearest one is called that is neither.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from protocol.errors import LocalError
from protocol.rules.options import START_COINS
from protocol.rules.words import Bid, Direction, Ending, Word
from protocol.views import TableView
from spoof_tui.bots.judging import any_hand, legal_words
from spoof_tui.bots.odds import Odds, rest_of

DIGITS: Final = 9
"""What words are worth is compared to so many decimals, so that equal ones are equal."""

ROUNDING: Final = 10.0**-DIGITS
"""Chances that differ by less are the same."""


@dataclass(frozen=True, slots=True)
class Spot:
    """What a plan decides by."""

    view: TableView
    """The table, with this player's turn."""
    me: int
    hand: int
    rng: random.Random

    @property
    def coins(self) -> tuple[int, ...]:
        """The coins of everybody."""
        return tuple(seat.coins for seat in self.view.seats)

    @property
    def odds(self) -> Odds:
        """The odds of every total, with every hand of the others as likely."""
        return Odds(self.hand, rest_of(self.coins, self.me), self.view.most)

    @property
    def players(self) -> int:
        """How many are in."""
        return sum(1 for coins in self.coins if coins)

    @property
    def estimate(self) -> int:
        """The own hand and half of the others' coins, rounded down."""
        return self.hand + (self.view.most - self.coins[self.me]) // 2

    @property
    def median(self) -> int:
        """The highest number that is likelier reached than not."""
        odds, most = self.odds, self.view.most
        return max(number for number in range(most + 1) if odds.at_least(number) > 0.5 + ROUNDING)

    @property
    def likeliest(self) -> int:
        """The likeliest of the totals that nobody has called; of equal ones the lowest."""
        odds = self.odds
        return max(self.callable, key=odds.exactly)

    @property
    def callable(self) -> list[int]:
        """The free numbers that the hand makes possible (H6, H7)."""
        most = self.hand + START_COINS * (self.players - 1)
        return [number for number in self.view.free if self.hand <= number <= most]

    def bid_or_call(self, number: int) -> Word:
        """This bid, if it may be made; else a call, or the lowest bid where there is none."""
        lowest = self.view.lowest_bid
        if lowest is None or (number < lowest and self.view.standing):
            return Ending.CALL
        return Bid(min(max(number, lowest), self.view.most))


@dataclass(frozen=True, slots=True)
class Plan:
    """A hand, a word, and a number for the guessing game."""

    hand: Callable[[int, random.Random], int]
    """Coins to hold, given the coins owned."""
    word: Callable[[Spot], Word]
    """What to say in the bidding game."""
    number: Callable[[Spot], int]
    """What to call in the guessing game; the nearest number that may be called is."""


class SimpleMind:
    """A player by a fixed plan."""

    def __init__(self, plan: Plan, rng: random.Random) -> None:
        self._plan = plan
        self._rng = rng

    def choose_hand(self, view: TableView) -> int:
        """Coins for the fist."""
        return self._plan.hand(view.seats[_own_seat(view)].coins, self._rng)

    def choose_word(self, view: TableView, hand: int) -> tuple[Word, Direction | None]:
        """A legal word; no plan turns the direction. Needs its own turn."""
        spot = Spot(view, _own_seat(view), hand, self._rng)
        if not view.is_guessing:
            return self._plan.word(spot), None
        wanted = self._plan.number(spot)
        return Bid(min(spot.callable, key=lambda number: abs(number - wanted))), None


def _own_seat(view: TableView) -> int:
    if view.me is None:
        raise LocalError("who only watches has nothing to choose")
    return view.me


def _small_hand(coins: int, rng: random.Random) -> int:
    return rng.randint(0, min(coins, 1))


def _all_coins(coins: int, rng: random.Random) -> int:
    del rng
    return coins


def _any_word(spot: Spot) -> Word:
    return spot.rng.choice(legal_words(spot.view))


def _lowest_word(spot: Spot) -> Word:
    lowest = spot.view.lowest_bid or 0
    return spot.bid_or_call(lowest if 2 * lowest <= spot.view.most else 0)


def _best_word(spot: Spot) -> Word:
    """The word with the best expected change of its own lead, as if every bid were called.

    Of equal ones the ending word, else the lowest bid.
    """
    return max(legal_words(spot.view), key=lambda word: round(_worth(spot, word), DIGITS))


def _worth(spot: Spot, word: Word) -> float:
    """Own coins won, and the mean of those that the others lose, to be expected of a word."""
    odds, standing = spot.odds, spot.view.standing
    another = 1.0 / (spot.players - 1)
    if isinstance(word, Bid):
        right = odds.at_least(word.number)
        return right * another - (1.0 - right)
    if word is Ending.SPOOF:
        return odds.everything - 1.0
    if word is Ending.ZERO:
        return 2.0 * odds.nothing - 1.0
    assert standing is not None
    if word is Ending.CALL:
        true = odds.at_least(standing[1])
        return (1.0 - true) * another - true
    return 2.0 * odds.exactly(standing[1]) - 1.0


PLANS: Final[Mapping[str, Plan]] = MappingProxyType(
    {
        "random": Plan(any_hand, _any_word, lambda spot: spot.rng.choice(spot.callable)),
        "small": Plan(_small_hand, _lowest_word, lambda spot: 0),
        "truthful": Plan(
            any_hand,
            lambda spot: spot.bid_or_call(spot.hand),
            lambda spot: spot.hand * spot.players,
        ),
        "honest": Plan(
            any_hand, lambda spot: spot.bid_or_call(spot.estimate), lambda spot: spot.estimate
        ),
        "value": Plan(any_hand, _best_word, lambda spot: spot.likeliest),
        "median": Plan(
            any_hand, lambda spot: spot.bid_or_call(spot.median), lambda spot: spot.median
        ),
        "hold-all": Plan(
            _all_coins, lambda spot: spot.bid_or_call(spot.hand), lambda spot: spot.likeliest
        ),
    }
)
"""Every simple player by its name on the command line."""
