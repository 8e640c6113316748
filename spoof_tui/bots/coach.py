"""What the strongest bot thinks of every word that may be said: for practice, and for reviews.

It knows what the player knows: the player's own hand and the words, but no other hand.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

from protocol.errors import LocalError
from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.words import Bid, Ending, Word
from protocol.views import TableView
from spoof_tui.bots.company import Company
from spoof_tui.bots.heads_up import bids_heard
from spoof_tui.bots.judging import legal_words
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import hand_odds, odds_of
from spoof_tui.bots.odds import Odds
from spoof_tui.bots.tournament import view_of_round
from spoof_tui.bots.values import Against, are_tabled, winning_chances

_EVER: Final = 0.005
"""The least share of a word that does not round to 0%."""

_USUAL: Final = 0.5
"""A word that the strongest bot says this many times as often as its most frequent one, or more
often, can be the best."""


@dataclass(frozen=True, slots=True)
class Advice:
    """The judgement of one word."""

    word: Word
    true: float
    """The chance, 0 to 1, that the claim of the word is true, given the odds and what was said."""
    winning: float
    """The chance, 0 to 1, to win the game after this word: exact for two players; with three and
    four an estimate, off by `CHANCE_ERROR`."""
    often: float
    """The chance, 0 to 1, that the strongest bot says this word."""
    is_told: bool = True
    """Whether `winning` is a chance. With five players or more it only tells which word is
    better."""

    @property
    def is_said(self) -> bool:
        """Whether the strongest bot ever says the word, as far as a percentage tells."""
        return self.often >= _EVER


def advise(view: TableView, hand: int) -> tuple[Advice, ...]:
    """Advice on every word that the player may say now, holding `hand`; the best first.

    Words that the strongest bot rarely says come after the usual ones, and those that it never
    says come last, whatever they are estimated to be worth.

    For the bidding game on the player's own turn; raises `LocalError` otherwise.
    """
    if not view.my_turn or view.is_guessing or view.me is None:
        raise LocalError("advice is given on the own turn of the bidding game only")
    often = odds_of(view, hand, Level.HARD)
    if against := Against.of(view, hand):
        bids = bids_heard(view)
        others, winning = against.other(bids), against.words(bids, legal_words(view))
    else:
        company = Company.of(view, hand)
        others, winning = company.others, company.words(legal_words(view), often)
    is_told = are_tabled([seat.coins for seat in view.seats])
    odds = Odds(hand, others, view.most)
    bid = view.standing[1] if view.standing else 0
    found = [
        Advice(word, odds.true(word, bid), worth, often.get(word, 0.0), is_told)
        for word, worth in winning.items()
    ]
    usual = _USUAL * max(each.often for each in found)

    def order(each: Advice) -> tuple[bool, bool, float, float]:
        return each.often < usual, not each.is_said, -each.winning, -each.often

    return tuple(sorted(found, key=order))


CHANCE_ERROR: Final = 0.015
"""Standard error of an estimated chance to win, as measured by playing on the rounds of a hundred
reviewed games (`tests.benchmarks.recounting`)."""

SLIP = 0.02
"""A word that costs less of the chance to win than this counts as being as good as the best."""


class Mistake(Enum):
    """A kind of mistake: what was said, and what would have been better."""

    CALLED = "called"
    """A call, when a bid was better."""
    RAISED = "raised"
    """A bid, when a call was better."""
    HIGH = "high"
    """A bid that was too high."""
    LOW = "low"
    """A bid that was too low."""
    BOLD = "bold"
    """A cliff, a spoof or a zero, when a bid or a call was better."""
    TIMID = "timid"
    """Any word, when a cliff, a spoof or a zero was better."""


@dataclass(frozen=True, slots=True)
class Decision:
    """A word that the player said, compared with the best one."""

    round_number: int
    hand: int
    standing: int
    """The standing bid before the word; 0 if there was none."""
    said: Advice
    best: Advice
    error: float = 0.0
    """Standard error of the cost; 0 with two players, for whom the cost is exact."""

    @property
    def cost(self) -> float:
        """The chance of winning, 0 to 1, that the word gave away compared with the best word; 0 if
        the best word is not known (five players or more)."""
        return self._worse if self.best.is_told else 0.0

    @property
    def _worse(self) -> float:
        return max(self.best.winning - self.said.winning, 0.0)

    @property
    def slip(self) -> Mistake | None:
        """The kind of mistake that the word was; None if it was none."""
        return _slip(self.said.word, self.best.word) if self._worse > SLIP else None


def _slip(said: Word, best: Word) -> Mistake:
    if not isinstance(best, Bid) and best is not Ending.CALL:
        return Mistake.TIMID
    if isinstance(said, Bid):
        if isinstance(best, Bid):
            return Mistake.HIGH if said.number > best.number else Mistake.LOW
        return Mistake.RAISED
    return Mistake.CALLED if said is Ending.CALL else Mistake.BOLD


@dataclass(frozen=True, slots=True)
class HandChoice:
    """A hand that the player chose, compared with the other hands."""

    round_number: int
    hand: int
    odds: tuple[float, ...]
    """The chance that the strongest bot would have held each hand, from 0 coins on."""
    winning: tuple[float, ...]
    """The chance to win with each hand, from 0 coins on; empty if that was not solved."""

    @property
    def cost(self) -> float:
        """The chance of winning, 0 to 1, that this hand gave away compared with the best hand; 0 if
        the best hand was not computed."""
        return max(self.winning) - self.winning[self.hand] if self.winning else 0.0


@dataclass(frozen=True, slots=True)
class Review:
    """A review of one player's words and hands in a game."""

    decisions: tuple[Decision, ...]
    chances: tuple[tuple[float, ...], ...]
    """The chances of all seats to win, at the start and after every round; empty tuples with five
    players or more."""
    hands: tuple[HandChoice, ...] = ()
    proved: frozenset[tuple[int, Word]] = frozenset()
    """The words that a count proved right, each after the number of its round."""

    @property
    def cost(self) -> float:
        """The total chance of winning that all words and hands gave away, so 1 is a whole game."""
        words = sum(each.cost for each in self.decisions)
        return words + sum(each.cost for each in self.hands)

    @property
    def error(self) -> float:
        """Standard error of the cost."""
        return math.hypot(*(each.error for each in self.decisions))

    @property
    def small_cost(self) -> float:
        """The part of the cost from words and hands that are not mistakes on their own."""
        costs = [*(each.cost for each in self.decisions), *(each.cost for each in self.hands)]
        return sum(cost for cost in costs if cost <= SLIP)

    @property
    def slips(self) -> tuple[tuple[Mistake, float, tuple[int, ...]], ...]:
        """Every kind of mistake that was made, with its total cost and the numbers of the rounds,
        the costliest first."""
        made: dict[Mistake, list[Decision]] = {}
        for each in self.decisions:
            if each.slip:
                made.setdefault(each.slip, []).append(each)
        found = [
            (slip, sum(each.cost for each in those), tuple(each.round_number for each in those))
            for slip, those in made.items()
        ]
        return tuple(sorted(found, key=lambda each: -each[1]))


def review(rounds: Sequence[PlayedRound], seat: int) -> Review:
    """Review the words and hands of the player in `seat` in the rounds of a bidding game, of which
    there is at least one."""
    decisions: list[Decision] = []
    hands: list[HandChoice] = []
    for index, played in enumerate(rounds):
        past = tuple(rounds[:index])
        decisions += _decisions(played, seat, past)
        hands += _hands(played, seat, past)
    first, rules = rounds[0].words, rounds[0].words.rules
    counts = [(each.outcome.coins, each.outcome.next_starter) for each in rounds]
    chances = [
        winning_chances(rules, coins, starter) if are_tabled(coins) else ()
        for coins, starter in [(first.coins, first.starter), *counts]
    ]
    proved = [(at, word) for at, each in enumerate(rounds, 1) for word in _proved(each)]
    return Review(tuple(decisions), tuple(chances), tuple(hands), frozenset(proved))


def _hands(played: PlayedRound, seat: int, past: tuple[PlayedRound, ...]) -> list[HandChoice]:
    said, hand = played.words, played.hands.get(seat)
    if not isinstance(said, BiddingRound) or hand is None:
        return []
    begun = BiddingRound(said.rules, said.coins, said.starter)
    view = view_of_round(begun, seat, past)
    each = [Against.of(view, held) for held in range(said.coins[seat] + 1)]
    winning = tuple(one.of_hand() for one in each if one)
    return [HandChoice(len(past) + 1, hand, tuple(hand_odds(view, Level.HARD)), winning)]


def _decisions(played: PlayedRound, seat: int, past: tuple[PlayedRound, ...]) -> list[Decision]:
    said, hand = played.words, played.hands.get(seat)
    if not isinstance(said, BiddingRound) or hand is None:
        return []
    found = []
    for at, (speaker, word) in enumerate(said.words):
        if speaker != seat:
            continue
        # The opening bid also chooses the direction, which is not judged here.
        before = BiddingRound(said.rules, said.coins, said.starter, said.direction, said.words[:at])
        view = view_of_round(before, seat, past)
        advice = advise(view, hand)
        mine = next((each for each in advice if each.word == word), None)
        if mine is not None:
            standing = before.standing[1] if before.standing else 0
            is_estimate = mine.is_told and Against.of(view, hand) is None
            error = CHANCE_ERROR if is_estimate else 0.0
            found.append(Decision(len(past) + 1, hand, standing, mine, advice[0], error))
    return found


def _proved(played: PlayedRound) -> tuple[Word, ...]:
    """The word that the count proved right: the ending word, or the bid that was called."""
    said, outcome = played.words, played.outcome
    if not isinstance(said, BiddingRound) or outcome.total is None or said.ending is None:
        return ()
    if outcome.verdict.ender_is_right:
        return (said.ending,)
    return (Bid(said.standing[1]),) if said.ending is Ending.CALL and said.standing else ()
