"""A word among three and more is worth what all hands and all that may follow make it worth."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import prod

import pytest

from protocol.rules.bidding import BiddingRound
from protocol.rules.words import Bid, Ending, Word
from spoof_tui.bots.coach import CHANCE_ERROR
from spoof_tui.bots.company import Company
from spoof_tui.bots.judging import legal_words
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import hand_odds, odds_of
from spoof_tui.bots.tournament import view_of_round
from spoof_tui.bots.values import winning_chances
from tests.spoof_tui.bots.arena import bidding


def usual(running: BiddingRound, seat: int) -> list[float]:
    begun = BiddingRound(running.rules, running.coins, running.starter)
    return list(hand_odds(view_of_round(begun, seat), Level.HARD))


def said_by(running: BiddingRound, hand: int) -> Mapping[Word, float]:
    assert running.speaker is not None
    return odds_of(view_of_round(running, running.speaker), hand, Level.HARD)


def played_out(running: BiddingRound, hands: tuple[int, ...], me: int) -> float:
    """The chance to win when everybody holds this: every word that hard may say is followed."""
    speaker = running.speaker
    if speaker is None:
        after = running.count(dict(enumerate(hands)))
        return winning_chances(running.rules, after.coins, after.next_starter)[me]
    return sum(
        odds * played_out(running.say(speaker, word), hands, me)
        for word, odds in said_by(running, hands[speaker]).items()
    )


@pytest.mark.parametrize(
    ("coins", "bids"), [((1, 1, 1), ()), ((1, 1, 1), (1,)), ((2, 1, 1), (1,)), ((1, 1, 1, 1), (1,))]
)
@pytest.mark.parametrize("hand", [0, 1])
def test_it_is_worth_what_playing_out_every_deal_makes_it(
    coins: tuple[int, ...], bids: tuple[int, ...], hand: int
) -> None:
    running = bidding(coins)
    weights = dict.fromkeys(product(*(range(own + 1) for own in coins)), 1.0)
    me = len(bids)
    for hands in weights:
        weights[hands] = prod(usual(running, seat)[held] for seat, held in enumerate(hands))
    for seat, number in enumerate(bids):
        for hands in weights:
            weights[hands] *= said_by(running, hands[seat]).get(Bid(number), 0.0)
        running = running.say(seat, Bid(number))
    weights = {hands: weight for hands, weight in weights.items() if hands[me] == hand}
    view = view_of_round(running, me)
    found = Company.of(view, hand).words(legal_words(view), said_by(running, hand))
    for word, chance in found.items():
        after = running.say(me, word)
        sure = sum(weight * played_out(after, hands, me) for hands, weight in weights.items())
        assert chance == pytest.approx(sure / sum(weights.values()), abs=2 * CHANCE_ERROR), word


def test_a_word_that_the_strongest_bot_never_says_tells_nothing() -> None:
    begun = bidding((3, 3, 3))
    heard = Company.of(view_of_round(bidding((3, 3, 3), (0, Bid(9))), 1), 1)
    assert said_by(begun, 0).get(Bid(9), 0.0) < 1e-6
    assert heard.hands[0] == pytest.approx(usual(begun, 0), abs=0.01)
    assert heard.hands[1] == (0.0, 1.0, 0.0, 0.0)


def test_an_ending_word_is_counted() -> None:
    running = bidding((1, 1, 1), (0, Bid(3)))
    company = Company.of(view_of_round(running, 1), 0)
    [called] = company.words([Ending.CALL], {}).values()
    assert called == winning_chances(running.rules, (0, 1, 1), 1)[1], "three there are not"
