"""What a word is worth with three players or more: a small neural network trained by self-play.

`python -m tests.solver.learning` plays rounds of the bidding game against itself and against the
simple players, and writes what it has learned to `learned.zip`: for every legal word, the share of
all coins that the round will bring, in mean coins, from the numbers that `features` derives from
what the speaker knows. For ending words the network corrects what the odds alone say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from operator import mul
from struct import iter_unpack
from typing import Final

from protocol.rules.words import Bid, Direction, Ending, Word, next_in
from spoof_tui.bots.heads_up import packed
from spoof_tui.bots.judging import Judge, legal_words
from spoof_tui.bots.odds import Distribution, Odds, at_least, convolved, exactly, rest_of, total_of

FILE: Final = "learned.zip"

STATE: Final = 16
"""Number of the first features, which describe the round and are the same for every word."""

OF_BIDS: Final = 12
"""Number of the next features, which describe a bid and are 0 for an ending word."""

FEATURES: Final = STATE + OF_BIDS + 5
"""Number of all features. The last five describe an ending word: which it is, and its worth by the
odds."""

Row = list[float]


@dataclass(frozen=True, slots=True)
class Network:
    """A feed-forward neural network with ReLU activations; the last layer has one linear unit."""

    layers: tuple[tuple[tuple[float, ...], ...], ...]
    """For every layer and each of its units: the bias, then the weights of the inputs."""

    @classmethod
    def of(cls, packed: bytes) -> Network:
        """Decode a network: the sizes of its layers, one byte each, a 0, and all numbers
        (float32)."""
        sizes, _, numbers = packed.partition(b"\0")
        values = [value for (value,) in iter_unpack("<f", numbers)]
        layers, at = [], 0
        for size, units in pairwise(sizes):
            starts = range(at, at + units * (size + 1), size + 1)
            layers.append(tuple(tuple(values[start : start + size + 1]) for start in starts))
            at += units * (size + 1)
        return cls(tuple(layers))

    def worths(self, state: Row, words: Sequence[Row]) -> list[float]:
        """The expected gain in coins of each word with these features; `state` are the
        features of the round."""
        first, *hidden = self.layers
        # What the state adds to the first layer is the same for every word.
        begun = [unit[0] + sum(map(mul, unit[1:], state)) for unit in first]
        weights = [unit[1 + len(state) :] for unit in first]
        return [self._worth(begun, weights, hidden, word) for word in words]

    def _worth(
        self,
        begun: Sequence[float],
        weights: Sequence[Sequence[float]],
        hidden: Sequence[tuple[tuple[float, ...], ...]],
        word: Row,
    ) -> float:
        sums = [more + sum(map(mul, unit, word)) for more, unit in zip(begun, weights, strict=True)]
        for layer in hidden:
            values = [1.0, *(each if each > 0.0 else 0.0 for each in sums)]
            sums = [sum(map(mul, unit, values)) for unit in layer]
        worth: float = word[-1] + sums[0]
        return worth


@cache
def learned_network() -> Network:
    """The network that judges words, read once from `FILE`."""
    return Network.of(packed("words", FILE))


def learned_hands(players: int, coins: int) -> Sequence[float] | None:
    """The chance of each hand, from 0 coins on, of a player with this many coins among this many
    players; None if it was not learned."""
    return _hands().get((players, coins))


@cache
def _hands() -> dict[tuple[int, int], tuple[float, ...]]:
    rows = [line.split() for line in packed("hands", FILE).decode().splitlines()]
    return {(int(row[0]), int(row[1])): tuple(map(float, row[2:])) for row in rows}


@dataclass(frozen=True, slots=True)
class Taught(Judge):
    """A judgement of words by the learned network."""

    taught: Network = field(default_factory=learned_network)

    def worths(self, hand: int, shown: int) -> dict[Word, float]:
        """The worth of every legal word, 0 to 1; before the first bid, bids are judged as if the
        player held `shown`."""
        words, way = legal_words(self.view), self.view.direction
        found = self.worth_of(words, hand, way)
        if self.view.standing is None and shown != hand:
            found |= self.worth_of([word for word in words if isinstance(word, Bid)], shown, way)
        return found

    def bid(self, number: int, odds: Odds, direction: Direction) -> float:
        """The worth of a bid, 0 to 1, when play goes on in `direction`."""
        word = Bid(number)
        return self.worth_of([word], odds.hand, direction)[word]

    def worth_of(self, words: Sequence[Word], hand: int, direction: Direction) -> dict[Word, float]:
        """The worth of each of these words, 0 to 1."""
        own, whole = self.beliefs.coins[self.me], self.view.most
        state, rows = self.features(words, hand, direction)
        brought = self.taught.worths(state, rows)
        return {
            word: min(max((own + gain) / whole, 0.0), 1.0)
            for word, gain in zip(words, brought, strict=True)
        }

    def features(
        self, words: Sequence[Word], hand: int, direction: Direction
    ) -> tuple[Row, list[Row]]:
        """The features of the round, and those of each word, if play goes on in `direction`."""
        coins, me = self.beliefs.coins, self.me
        answerer = next_in(coins, me, direction)
        unasked = total_of(self.beliefs.except_for(answerer))
        sums = _Sums(
            hand,
            coins[answerer],
            total_of(self.beliefs.except_for(me)),
            rest_of(coins, me),
            convolved(unasked, self.beliefs.hands[answerer]),
            unasked,
        )
        return self._state(sums, answerer), [self._word(word, sums) for word in words]

    def _state(self, sums: _Sums, answerer: int) -> Row:
        view, coins, own = self.view, self.beliefs.coins, self.beliefs.coins[self.me]
        players, step, hand = len(self.beliefs.players), len(view.words), sums.hand
        bidder, bid = view.standing or (self.me, 0)
        stands = float(view.standing is not None)
        return [
            players / 9,
            float(own == 1),
            float(own == 2),
            hand / own,
            float(hand == own),
            float(hand == 0),
            stands,
            min(step / players, 3.0),
            own * players / view.most / 2,
            float(not step),
            float(coins[answerer] == 1),
            stands * (coins[bidder] == 1),
            stands * at_least(sums.others, bid - hand),
            stands * exactly(sums.others, bid - hand),
            stands * at_least(sums.even, bid - hand),
            stands * at_least(sums.public, bid),
        ]

    def _word(self, word: Word, sums: _Sums) -> Row:
        if isinstance(word, Ending):
            which = [float(word is each) for each in Ending]
            return [*[0.0] * OF_BIDS, *which, self._by_odds(word, sums)]
        standing = self.view.standing[1] if self.view.standing else 0
        number, others = word.number, word.number - sums.hand
        return [
            1.0,
            at_least(sums.others, others),
            at_least(sums.others, others + 1),
            at_least(sums.others, others + 2),
            at_least(sums.even, others),
            at_least(sums.public, number),
            at_least(sums.unasked, number),
            at_least(sums.unasked, number - sums.asked),
            at_least(sums.public, number + 1),
            (number - standing - 1) / self.view.most,
            float(number == standing + 1),
            float(number == self.view.most),
            *[0.0] * 5,
        ]

    def _by_odds(self, word: Ending, sums: _Sums) -> float:
        """The expected gain of an ending word by the odds alone, in mean coins."""
        own, whole = self.beliefs.coins[self.me], self.view.most
        return self.ending(word, Odds(sums.hand, sums.others, whole)) * whole - own


@dataclass(frozen=True, slots=True)
class _Sums:
    """Sums of hands as the speaker, and as others, would estimate them."""

    hand: int
    asked: int
    """Coins of the next player."""
    others: Distribution
    """The hands of everybody but the speaker, given what was said."""
    even: Distribution
    """The hands of everybody but the speaker, if all hands are equally likely."""
    public: Distribution
    """The hands of everybody, given what was said."""
    unasked: Distribution
    """The hands of everybody but the next player, given what was said."""
