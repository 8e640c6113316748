"""The coach's opinion on first words in company, beside games that hard plays on from there."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BIDDING_PRESETS, Zero
from protocol.rules.words import Bid, Word, speaking_order
from spoof_tui.bots.coach import CHANCE_ERROR, Advice, advise
from spoof_tui.bots.heads_up import ENDINGS
from spoof_tui.bots.learned import learned_network
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import hand_odds
from spoof_tui.bots.tournament import view_of_round
from spoof_tui.bots.values import are_tabled, winning_chances
from tests.benchmarks.figures import Chance
from tests.solver.batch import HELD, Batch, Floats, Ints
from tests.solver.learning import odds_of_words, pick
from tests.solver.network import Master

POSITIONS: Final = ((3, 3, 3), (2, 1, 2), (1, 1, 1, 1), (3, 3, 3, 3), (2, 2, 2, 2, 2))
"""Coins of everybody; the first one opens."""

LOSS: Final = 0.01
"""The most that the coach's best word may cost, as a part of a game, averaged over all hands."""

OFF: Final = 0.02
"""The most that its chance to win may be off, averaged over the words that hard says."""

USUAL: Final = 0.05
"""How often hard says a word that is compared."""


def coached(rounds: int) -> Iterator[Chance]:
    """The figures of every position, from this many rounds played after every word."""
    rng, squares = np.random.default_rng(1), list[float]()
    for coins in POSITIONS:
        name = ",".join(map(str, coins))
        begun = BiddingRound(BIDDING_PRESETS["milan"], coins, 0)
        view = view_of_round(begun, 0)
        lost = off = variance = 0.0
        for hand, chance in enumerate(hand_odds(view, Level.HARD)):
            advice = advise(view, hand)
            usual = [each for each in advice if each.often >= USUAL or each is advice[0]]
            won = [_brought(begun, hand, each.word, rounds, rng) for each in usual]
            means = [float(each.mean()) for each in won]
            errors = [float(each.std()) / rounds**0.5 for each in won]
            best = max(range(len(means)), key=means.__getitem__)
            lost += chance * (means[best] - means[0])
            variance += chance**2 * (errors[best] ** 2 + errors[0] ** 2)
            off += chance * _off(usual, means)
            squares += [
                (each.winning - mean) ** 2 - error**2
                for each, mean, error in zip(usual, means, errors, strict=True)
                if each.is_told
            ]
        yield Chance(f"the coach's first word with {name} loses", lost, variance**0.5, LOSS)
        if not are_tabled(coins):
            continue
        yield Chance(f"the coach's chance to win with {name} is off by", off, max(errors), OFF)
    told = max(statistics.fmean(squares), 0.0) ** 0.5
    yield Chance("the error that the coach states", told, 0.0, CHANCE_ERROR)


def _off(advice: Sequence[Advice], means: Sequence[float]) -> float:
    """How far the chances are off, weighted by how often hard says each word."""
    whole = sum(each.often for each in advice)
    off = [abs(each.winning - mean) for each, mean in zip(advice, means, strict=True)]
    return sum(each.often * by for each, by in zip(advice, off, strict=True)) / whole


def _brought(
    begun: BiddingRound, hand: int, word: Word, rounds: int, rng: np.random.Generator
) -> Floats:
    """The opener's chance to win after each of this many rounds."""
    master = Master(learned_network())
    coins = np.tile(begun.coins, (rounds, 1))
    hands = pick(master.hand_odds(len(begun.coins))[coins.ravel()], rng).reshape(coins.shape)
    hands[:, 0] = hand
    even = (coins[:, :, None] >= HELD) / (coins[:, :, None] + 1)
    capped, zero_opens = begun.rules.cap is not None, begun.rules.zero is Zero.OPENING_ONLY
    batch = Batch(coins, hands, even.astype(np.float32), capped, zero_opens)
    batch.say(batch.running, 0, np.full(rounds, number_of(word, batch.size)))
    play_on(batch, 1, rng)
    return chances([begun], np.zeros(rounds, np.int64), batch)


def number_of(word: Word, size: int) -> int:
    """The number of a word in a batch with bids up to `size`."""
    return word.number - 1 if isinstance(word, Bid) else size + ENDINGS.index(word)


def play_on(batch: Batch, step: int, rng: np.random.Generator) -> None:
    """Have hard speak from this step on until all rounds are over."""
    master = Master(learned_network())
    while len(rows := batch.running):
        legal, found = batch.legal(rows, step), batch.features(rows, step)
        odds = odds_of_words(master, legal, found, Level.HARD.traits.whim)
        batch.say(rows, step, pick(odds, rng))
        step += 1


def chances(begun: Sequence[BiddingRound], rows: Ints, batch: Batch) -> Floats:
    """The chance to win after every round of a batch, of whoever was to speak when it began.

    `rows` says of each as which of the rounds it began.
    """
    ender = batch.ender % batch.players
    ends = np.stack([rows, ender, batch.ending, batch.right], axis=1)
    _, firsts, kinds = np.unique(ends, axis=0, return_index=True, return_inverse=True)
    found = []
    for row in map(int, firsts):
        over, me = begun[rows[row]], begun[rows[row]].speaker
        assert me is not None
        order = speaking_order(over.coins, over.starter, over.direction)
        last = ENDINGS[batch.ending[row]]
        if batch.bid[row]:
            over = over.said(order[int(ender[row]) - 1], Bid(int(batch.bid[row])))
        over = over.said(order[int(ender[row])], last)
        after = over.count(dict(zip(order, map(int, batch.hands[row]), strict=True)))
        found.append(winning_chances(over.rules, after.coins, after.next_starter)[me])
    return np.array(found)[kinds.ravel()]
