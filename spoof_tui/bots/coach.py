"""What the strongest bot thinks of every word that may be said: for practice, and for looking back.

It knows what the player knows, who holds one hand and heard the words: never another's hand.
"""

from __future__ import annotations

from dataclasses import dataclass

from protocol.errors import LocalError
from protocol.rules.words import Bid, Ending, Word
from protocol.views import TableView
from spoof_tui.bots.heads_up import bids_heard
from spoof_tui.bots.judging import legal_words
from spoof_tui.bots.levels import Level
from spoof_tui.bots.odds import Odds
from spoof_tui.bots.player import judge_of, judged_odds
from spoof_tui.bots.values import Against, nearer


@dataclass(frozen=True, slots=True)
class Advice:
    """What there is to say of one word."""

    word: Word
    true: float
    """The chance that what it claims is true, by the odds and by what was said."""
    winning: float
    """The chance to win the game after it: solved for two players; with more, an estimate by what
    the word is expected to bring of all coins."""
    often: float
    """How often the strongest bot says it."""


def advise(view: TableView, hand: int) -> tuple[Advice, ...]:
    """Every word that the player may say now, holding `hand`; the best first.

    For the bidding game, and the player's own turn; raises `LocalError` otherwise.
    """
    if not view.my_turn or view.is_guessing or view.me is None:
        raise LocalError("advice is given on the own turn of the bidding game only")
    judge = judge_of(view, Level.HARD.traits, view.me)
    odds = judge.odds(hand)
    if against := Against.of(view, hand):
        bids = bids_heard(view)
        often, winning = against.plan.word_odds(bids, hand), against.words(bids, legal_words(view))
    else:
        often, coins = judged_odds(judge, hand), judge.beliefs.coins
        winning = {
            word: nearer(coins, view.me, worth * view.most - coins[view.me])
            for word, worth in judge.worths(hand, hand).items()
        }
    bid = view.standing[1] if view.standing else 0
    found = [
        Advice(word, _true(word, odds, bid), worth, often.get(word, 0.0))
        for word, worth in winning.items()
    ]
    return tuple(sorted(found, key=lambda each: (-each.winning, -each.often)))


def _true(word: Word, odds: Odds, standing: int) -> float:
    if isinstance(word, Bid):
        return odds.at_least(word.number)
    if word is Ending.CALL:
        return 1.0 - odds.at_least(standing)
    if word is Ending.CLIFF:
        return odds.exactly(standing)
    return odds.everything if word is Ending.SPOOF else odds.nothing
