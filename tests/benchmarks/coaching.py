"""What the coach says of first words in company, beside rounds that hard plays on from there."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator, Sequence
from typing import Final

from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BIDDING_PRESETS
from protocol.rules.words import Word
from spoof_tui.bots.coach import Advice, advise
from spoof_tui.bots.levels import Level
from spoof_tui.bots.player import BotMind, hand_odds
from spoof_tui.bots.tournament import view_of_round
from spoof_tui.bots.values import winning_chances
from tests.benchmarks.figures import Chance

POSITIONS: Final = ((3, 3, 3), (2, 1, 2), (1, 1, 1, 1), (3, 3, 3, 3), (2, 2, 2, 2, 2))
"""Coins of everybody; the first one opens."""

LOSS: Final = 0.01
"""How much of a game the best word of the coach loses at most, in the mean of all hands."""

OFF: Final = 0.02
"""How far its chance to win is off at most, in the mean of the words that hard says."""

USUAL: Final = 0.05
"""How often hard says a word that is compared."""


def coached(rounds: int) -> Iterator[Chance]:
    """The figures of every position, by so many rounds played after every word."""
    for coins in POSITIONS:
        name = ",".join(map(str, coins))
        begun = BiddingRound(BIDDING_PRESETS["milan"], coins, 0)
        view = view_of_round(begun, 0)
        lost = off = error = 0.0
        for hand, chance in enumerate(hand_odds(view, Level.HARD)):
            advice = advise(view, hand)
            usual = [each for each in advice if each.often >= USUAL or each is advice[0]]
            # The same dice for every word: what they have in common falls out of a difference.
            won = [_brought(begun, hand, each.word, rounds) for each in usual]
            means = [statistics.fmean(each) for each in won]
            best = max(range(len(means)), key=means.__getitem__)
            apart = [a - b for a, b in zip(won[best], won[0], strict=True)]
            lost += chance * (means[best] - means[0])
            error += chance * statistics.stdev(apart) / rounds**0.5
            off += chance * _off(usual, means)
        yield Chance(f"the coach's first word with {name} loses", lost, error, LOSS)
        spread = statistics.stdev(won[0]) / rounds**0.5
        yield Chance(f"the coach's chance to win with {name} is off by", off, spread, OFF)


def _off(advice: Sequence[Advice], means: Sequence[float]) -> float:
    """How far the chances are off, each word as often as hard says it."""
    whole = sum(each.often for each in advice)
    off = [abs(each.winning - mean) for each, mean in zip(advice, means, strict=True)]
    return sum(each.often * by for each, by in zip(advice, off, strict=True)) / whole


def _brought(begun: BiddingRound, hand: int, word: Word, rounds: int) -> list[float]:
    """The opener's chance to win after each of so many rounds."""
    found = []
    for number in range(rounds):
        minds = [BotMind(Level.HARD, random.Random(f"{number} {s}")) for s in begun.players]
        hands = {s: minds[s].choose_hand(view_of_round(begun, s, (), False)) for s in begun.players}
        hands[0] = hand
        running = begun.say(0, word, None)
        while (speaker := running.speaker) is not None:
            view = view_of_round(running, speaker)
            said, way = minds[speaker].choose_word(view, hands[speaker])
            running = running.say(speaker, said, way)
        outcome = running.count(hands)
        found.append(winning_chances(begun.rules, outcome.coins, outcome.next_starter)[0])
    return found
