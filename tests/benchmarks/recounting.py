"""What reviews say that words have cost, beside the same rounds played on by hard.

Both words are played on from, the one that was said and the one that would have been better, with
hands that are as likely as hard would have said with them what was said.
"""

from __future__ import annotations

import math
import random
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from protocol.rules.bidding import BiddingRound
from protocol.rules.game import PlayedRound
from protocol.rules.options import Rules, Zero
from protocol.rules.words import Word, speaking_order
from spoof_tui.bots.coach import Decision, review
from spoof_tui.bots.learned import learned_network
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind, hand_odds
from spoof_tui.bots.odds import habit
from spoof_tui.bots.tournament import numbered, play_one, view_of_round
from spoof_tui.bots.values import RARE
from spoof_tui.ui.replay.reader import Recording
from tests.benchmarks.coaching import chances, number_of, play_on
from tests.benchmarks.figures import Chance
from tests.solver.batch import Batch, Floats, Ints
from tests.solver.learning import odds_of_words, pick
from tests.solver.network import Master

PLAYERS: Final = (Level.HARD, Level.HARD, Level.HARD, Level.MEDIUM, Level.EASY)

NAMES: Final = numbered([level.value for level in PLAYERS])

TIMES: Final = 200
"""How often every round is played on from every word."""

PORTION: Final = 200
"""Rounds that are played on at once."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One word of a player, as the review has it."""

    entry: int
    before: BiddingRound
    past: tuple[PlayedRound, ...]
    judged: Decision


def recounted(games: int) -> Iterator[Chance]:
    """How far off the costs of each player's words are in so many games, in games."""
    choices = [each for number in range(games) for each in _choices(number)]
    costs, errors = _recount(choices)
    for entry, name in enumerate(NAMES):
        mine = [index for index, each in enumerate(choices) if each.entry == entry]
        said = sum(choices[index].judged.cost for index in mine)
        stated = math.hypot(*(choices[index].judged.error for index in mine))
        error = math.hypot(stated, *errors[mine])
        told = f"the {said:.2f} that {name} lost in {games} games of five, by reviews, are off by"
        yield Chance(told, abs(said - float(costs[mine].sum())), error, 0.0)


def _choices(number: int) -> Iterator[Choice]:
    """All words of a game that was recorded and read again, with more than two players."""
    dice = [random.Random(f"{number} {entry}") for entry in range(len(PLAYERS))]
    minds = [BotMind(level, each) for level, each in zip(PLAYERS, dice, strict=True)]
    played = play_one(minds, Rules.parse("milan"), 4, number, names=NAMES, date="2026-11-25")
    recording = Recording(lambda: iter([played.record.encode()]))
    while not recording.record.is_whole:
        recording.grow(1000)
    rounds = [each.played for each in recording.record.rounds if each.played]
    for seat, name in enumerate(recording.record.title.names):
        judged = iter(review(rounds, seat).decisions)
        for index, each in enumerate(rounds):
            said = each.words
            assert isinstance(said, BiddingRound)
            for at, (speaker, _) in enumerate(said.words):
                if speaker == seat and (decision := next(judged)).error:
                    before = replace(said, words=said.words[:at])
                    past = tuple(rounds[:index])
                    yield Choice(NAMES.index(name.raw), before, past, decision)


def _recount(choices: Sequence[Choice]) -> tuple[Floats, Floats]:
    """What each word has cost, and how far that may be off."""
    costs, errors = np.zeros((2, len(choices)), np.float32)
    alike: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, each in enumerate(choices):
        if each.judged.cost:
            alike[len(each.before.players), len(each.before.words)].append(index)
    rng = np.random.default_rng(1)
    for indices in alike.values():
        for start in range(0, len(indices), PORTION):
            some = indices[start : start + PORTION]
            lost = _Rounds([choices[index] for index in some], rng).lost()
            costs[some], errors[some] = lost.mean(axis=1), lost.std(axis=1) / TIMES**0.5
    return costs, errors


class _Rounds:
    """Rounds with as many players, in which as many words were said."""

    def __init__(self, choices: Sequence[Choice], rng: np.random.Generator) -> None:
        self._choices, self._rng = choices, rng
        self._begun = [each.before for each in choices]
        orders = [speaking_order(each.coins, each.starter, each.direction) for each in self._begun]
        pairs = [*zip(choices, orders, strict=True)]
        self._coins = np.array([[each.before.coins[at] for at in order] for each, order in pairs])
        self._own = np.array([each.judged.hand for each in choices])
        self._priors = np.zeros((*self._coins.shape, self._coins.max() + 1), np.float32)
        self._usual = self._priors.copy()
        for row, (each, order) in enumerate(pairs):
            for place, seat in enumerate(order):
                view = view_of_round(each.before, seat, each.past)
                for odds, found in (
                    (self._priors, habit(view, seat, Level.HARD.traits.memory)),
                    (self._usual, hand_odds(view, Level.HARD)),
                ):
                    odds[row, place, : len(found)] = found
        self._said = np.array(
            [[number_of(word, self._size) for _, word in each.words] for each in self._begun], int
        ).reshape(len(choices), -1)

    @property
    def _size(self) -> int:
        return int(self._coins.sum(axis=1).max())

    def lost(self) -> Floats:
        """Round, time: what the word has cost, each time with other hands."""
        rows = np.repeat(np.arange(len(self._choices)), TIMES)
        hands = self._hands(rows)
        best = self._brought([each.judged.best.word for each in self._choices], rows, hands)
        said = self._brought([each.judged.said.word for each in self._choices], rows, hands)
        return (best - said).reshape(len(self._choices), TIMES)

    def _brought(self, words: Sequence[Word], rows: Ints, hands: Ints) -> Floats:
        """The speaker's chance to win after each round, with such hands, in which that was said."""
        batch, step = self._batch(rows, hands), self._said.shape[1]
        numbers = np.array([number_of(word, self._size) for word in words])
        for at in range(step):
            batch.say(batch.running, at, self._said[rows, at])
        batch.say(batch.running, step, numbers[rows])
        play_on(batch, step + 1, self._rng)
        return chances(self._begun, rows, batch)

    def _hands(self, rows: Ints) -> Ints:
        """Hands for these rounds, as likely as hard would have said with them what was said."""
        odds = self._usual * np.maximum(self._likely(), RARE)
        places = range(odds.shape[1])
        hands = np.stack([pick(odds[rows, place], self._rng) for place in places], axis=1)
        hands[:, self._said.shape[1] % len(places)] = self._own[rows]
        return hands

    def _likely(self) -> Floats:
        """Round, place, hand: how often hard says with it what was said there."""
        count, places, held = self._usual.shape
        likely = np.ones_like(self._usual)
        rows, hand = np.repeat(np.arange(count), held), np.tile(np.arange(held), count)
        # Who owns less than that is taken to hold all, and never does.
        hands = np.minimum(hand[:, None], self._coins[rows])
        batch, traits = self._batch(rows, hands), Level.HARD.traits
        for at in range(self._said.shape[1]):
            legal, found = batch.legal(batch.running, at), batch.features(batch.running, at)
            odds = odds_of_words(Master(learned_network()), legal, found, traits.whim)
            said = odds[np.arange(len(rows)), self._said[rows, at]].reshape(count, held)
            if not at:
                able = self._usual[:, 0] > 0
                bluff = (said * able).sum(axis=1, keepdims=True) / able.sum(axis=1, keepdims=True)
                said = said + traits.opening_bluff * (bluff - said)
            likely[:, at % places] *= said
            batch.say(batch.running, at, self._said[rows, at])
        return likely

    def _batch(self, rows: Ints, hands: Ints) -> Batch:
        rules = self._begun[0].rules
        capped, zero_opens = rules.cap is not None, rules.zero is Zero.OPENING_ONLY
        return Batch(self._coins[rows], hands, self._priors[rows], capped, zero_opens)
