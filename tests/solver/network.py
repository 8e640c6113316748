"""A network that learns what words are worth, and remembers what hands were worth (numpy)."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np

from spoof_tui.bots.learned import FEATURES, Network, learned_hands
from tests.solver.batch import HELD, MOST_OWNED, Floats, Ints

LAYERS: Final = (FEATURES, 32, 24, 1)
"""Numbers of inputs, and of units in every layer."""

MOST_PLAYERS: Final = 9

WHIM: Final = 0.05
"""A hand that is worth this many coins less than the best is held e times less often."""

ANY: Final = 0.15
"""How often a random hand is held."""

FADING: Final = 0.98
"""The weight of a hand against one of the next batch."""

SWIFT, STEADY, TINY = 0.1, 0.001, 1e-8
"""The constants of Adam (Kingma and Ba)."""

Layer = list[Floats]
"""Weights and biases."""


class Net:
    """What a player has learned so far."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.layers: list[Layer] = [_layer(*sizes, rng) for sizes in pairwise(LAYERS)]
        self._moments = [[np.zeros((2, *each.shape)) for each in layer] for layer in self.layers]
        self._steps = 0
        owned = (MOST_PLAYERS + 1, MOST_OWNED + 1, MOST_OWNED + 1)
        self._hands, self._counts = np.zeros(owned), np.zeros(owned)

    # Words

    def worths(self, rows: Floats) -> Floats:
        """The worth of words with these features, in mean coins."""
        return np.asarray(rows[:, -1] + self._values(rows)[-1][:, 0])

    def learn(self, rows: Floats, gains: Floats, rate: float) -> None:
        """Words with these features gained this much: take one step towards that."""
        values = self._values(rows)
        back = (rows[:, -1] + values[-1][:, 0] - gains)[:, None] / len(rows)
        self._steps += 1
        for at in reversed(range(len(self.layers))):
            weights = self.layers[at][0]
            slopes = (values[at].T @ back, back.sum(axis=0))
            back = (back @ weights.T) * (values[at] > 0)
            for each, moments, slope in zip(
                self.layers[at], self._moments[at], slopes, strict=True
            ):
                each -= (rate * self._step(moments, slope)).astype(np.float32)

    def _values(self, rows: Floats) -> list[Floats]:
        """The input of every layer, and the output of the last."""
        values = [rows]
        for weights, added in self.layers:
            values.append(values[-1] @ weights + added)
            if added.size > 1:
                np.maximum(values[-1], 0.0, out=values[-1])
        return values

    def _step(self, moments: Floats, slope: Floats) -> Floats:
        mean, square = moments
        mean += SWIFT * (slope - mean)
        square += STEADY * (slope * slope - square)
        fair = mean / (1 - (1 - SWIFT) ** self._steps), square / (1 - (1 - STEADY) ** self._steps)
        return np.asarray(fair[0] / (np.sqrt(fair[1]) + TINY))

    def packed(self) -> bytes:
        """The network as `spoof_tui.bots.learned` reads it."""
        numbers = (np.vstack([added, weights]).T for weights, added in self.layers)
        return bytes(LAYERS) + b"\0" + b"".join(each.astype("<f4").tobytes() for each in numbers)

    # Hands

    def remember(self, players: int, coins: Ints, hands: Ints, gains: Floats) -> None:
        """How well each hand did for a player with this many coins; older rounds count less."""
        sums, counts = np.zeros((2, MOST_OWNED + 1, MOST_OWNED + 1))
        np.add.at(sums, (coins, hands), gains)
        np.add.at(counts, (coins, hands), 1)
        means, weights = self._hands[players], self._counts[players]
        weights *= FADING
        weights += counts
        means += (sums - counts * means) / np.maximum(weights, 1.0)

    def hand_odds(self, players: int) -> Floats:
        """Coins owned, hand: the chance of it."""
        owned = np.tril(np.ones((MOST_OWNED + 1, MOST_OWNED + 1)))
        worths = np.where(owned > 0, self._hands[players] / WHIM, -np.inf)
        odds = np.exp(worths - worths.max(axis=1, keepdims=True))
        odds /= odds.sum(axis=1, keepdims=True)
        return np.asarray((1 - ANY) * odds + ANY * owned / (HELD[:, None] + 1))


class Master:
    """The shipped network, which learns nothing more."""

    def __init__(self, shipped: Network) -> None:
        self._layers = [np.array(layer, np.float32).T for layer in shipped.layers]

    def worths(self, rows: Floats) -> Floats:
        """The worth of words with these features, in mean coins."""
        values = rows
        for layer in self._layers[:-1]:
            values = np.maximum(values @ layer[1:] + layer[0], 0.0)
        return np.asarray(rows[:, -1] + (values @ self._layers[-1][1:] + self._layers[-1][0])[:, 0])

    def hand_odds(self, players: int) -> Floats:
        """Coins owned, hand: the chance of it."""
        odds = np.zeros((MOST_OWNED + 1, MOST_OWNED + 1))
        odds[0, 0] = 1.0
        for coins in range(1, MOST_OWNED + 1):
            odds[coins, : coins + 1] = learned_hands(players, coins)
        return np.asarray(odds, np.float32)


def _layer(size: int, units: int, rng: np.random.Generator) -> Layer:
    # The last layer starts near zero: at first the odds alone are trusted.
    scale = (2 / size) ** 0.5 * (0.1 if units == 1 else 1.0)
    weights = rng.standard_normal((size, units)) * scale
    return [weights.astype(np.float32), np.zeros(units, np.float32)]
