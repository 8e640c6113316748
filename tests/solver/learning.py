"""Teaches the bidding game of more than two by play, and writes what the bots play by.

    python -m tests.solver.learning [BATCHES]

plays rounds among learners, and between one of them and a crowd of simple players, in some ten
minutes. What a round brings is its change of the share of all coins.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import numpy as np

import spoof_tui.bots.learned as learned
from spoof_tui.bots.levels import Level
from tests.solver import plans
from tests.solver.batch import HELD, MOST_OWNED, Batch, Bools, Floats, Ints
from tests.solver.network import Master, Net
from tests.solver.tables import save

BATCHES: Final = 900
"""How long to teach."""

ROWS: Final = 4096
"""Rounds of a batch."""

PORTION: Final = 2048
"""Words that one step learns from."""

FASTEST, SLOWEST = 0.0021, 0.0001
"""The rates of learning, at the beginning and at the end."""

WHIM: Final = 0.06
"""A word that is worth this many coins less than the best is said e times less often."""

CURIOUS: Final = 0.02
"""How often a learner says a random word, to see what comes of it."""

SIZES: Final = (2, 3, 4, 5, 6, 8)
SIZE_ODDS: Final = (0.06, 0.32, 0.32, 0.1, 0.15, 0.05)
"""Numbers of players, with their weights."""

CROWD_ODDS: Final = [
    {"small": 2.0, "value": 3.0, "honest": 2.0}.get(name, 1.0) for name in plans.NAMES
]
"""How often each simple player is met: the strongest most."""

CAPPED: Final = 2 / 3
"""How often three coins are the most there are."""

LATE: Final = 0.65
"""How often a round starts with random coins; otherwise hardly one is lost."""

RICH: Final = 0.1
"""How often somebody owns more than three coins, without a cap."""

MOST_PAST: Final = 8
"""The most earlier hands that anybody remembers."""

LEARNER, MASTER = -1, -2
"""The player of a seat: the learner, a master, or a simple player by its index in `NAMES`."""

PATH: Final = Path(learned.__file__).with_name(learned.FILE)


class School:
    """Rounds between a learner and others."""

    def __init__(
        self, seed: int, master: Master | None = None, sizes: Sequence[int] = SIZES
    ) -> None:
        """With a `master` the learner is alone among masters, and learns to beat them."""
        self._rng = np.random.default_rng(seed)
        self._master = master
        self._sizes = sizes
        self.net = Net(self._rng)

    def learn(self, batches: int) -> None:
        """Play this many batches, and learn from each."""
        for index in range(batches):
            rows, gains = self.play()
            rate = FASTEST + (SLOWEST - FASTEST) * index / batches
            order = self._rng.permutation(len(rows))
            for start in range(0, len(order), PORTION):
                chosen = order[start : start + PORTION]
                self.net.learn(rows[chosen], gains[chosen], rate)

    def play(self) -> tuple[Floats, Floats]:
        """A batch: features of every word that the learner said, and the gain of its round."""
        kinds = self._kinds()
        batch = self._deal(kinds)
        said: list[tuple[Floats, Ints, int]] = []
        step = 0
        while len(rows := batch.running):
            me = step % batch.players
            words = np.zeros(len(rows), np.int64)
            for kind in np.unique(kinds[rows, me]):
                at = np.flatnonzero(kinds[rows, me] == kind)
                words[at], seen = self._words(int(kind), batch, rows[at], step)
                if kind == LEARNER:
                    said.append((seen, rows[at], me))
            batch.say(rows, step, words)
            step += 1
        gains = batch.gains()
        mine = kinds == LEARNER
        self.net.remember(batch.players, batch.coins[mine], batch.hands[mine], gains[mine])
        brought = [gains[rows, me] for _, rows, me in said]
        return np.concatenate([seen for seen, _, _ in said]), np.concatenate(brought)

    def _words(self, kind: int, batch: Batch, rows: Ints, step: int) -> tuple[Ints, Floats]:
        """The words said in these rounds, and their features."""
        if kind >= 0:
            said = plans.words(plans.NAMES[kind], batch, rows, step, self._rng)
            return said, np.empty(0, np.float32)
        legal, found = batch.legal(rows, step), batch.features(rows, step)
        whim = WHIM if kind == LEARNER else Level.HARD.traits.whim
        odds = odds_of_words(self._net(kind), legal, found, whim)
        if kind == LEARNER:
            odds = (1 - CURIOUS) * odds + CURIOUS * legal / legal.sum(axis=1, keepdims=True)
        words = pick(odds, self._rng)
        return words, found[np.arange(len(rows)), words]

    def _net(self, kind: int) -> Net | Master:
        return self.net if kind == LEARNER or self._master is None else self._master

    # Who plays, and with what

    def _kinds(self) -> Ints:
        """Round, seat: the player there."""
        odds = np.array([SIZE_ODDS[SIZES.index(size)] for size in self._sizes])
        size = int(self._rng.choice(self._sizes, p=odds / odds.sum()))
        kinds = np.full((ROWS, size), MASTER if self._master else LEARNER)
        alone = np.arange(ROWS if self._master else ROWS // 2)
        if not self._master:
            part = np.array(CROWD_ODDS) / sum(CROWD_ODDS)
            kinds[alone] = self._rng.choice(len(part), (len(alone), 1), p=part)
        kinds[alone, self._rng.integers(0, size, len(alone))] = LEARNER
        return kinds

    def _deal(self, kinds: Ints) -> Batch:
        rng = self._rng
        rows, size = kinds.shape
        capped, zero_opens = bool(rng.random() < CAPPED), bool(rng.random() < 1 / 3)
        coins = self._coins(rows, size, capped)
        hands = np.zeros_like(coins)
        counts = (coins[:, :, None] >= HELD).astype(np.float32)
        past: Ints = rng.integers(0, MOST_PAST + 1, (rows,))
        for kind in np.unique(kinds):
            at, seat = np.nonzero(kinds == kind)
            hands[at, seat] = self._hands(int(kind), size, coins[at, seat])
            for ago in range(MOST_PAST):
                held = self._hands(int(kind), size, coins[at, seat])
                known = ago < past[at]
                counts[at[known], seat[known], held[known]] += 1.0
        priors = counts / counts.sum(axis=2, keepdims=True)
        return Batch(coins, hands, priors, capped, zero_opens)

    def _coins(self, rows: int, size: int, capped: bool) -> Ints:
        rng = self._rng
        early = 3 - (rng.random((rows, size)) < 0.2)
        coins = np.where(rng.random((rows, 1)) < LATE, rng.integers(1, 4, (rows, size)), early)
        if not capped:
            coins += (rng.random((rows, size)) < RICH) * rng.integers(1, 3, (rows, size))
        return np.asarray(coins)

    def _hands(self, kind: int, size: int, coins: Ints) -> Ints:
        if kind >= 0:
            return plans.hands(plans.NAMES[kind], coins, self._rng)
        return pick(self._net(kind).hand_odds(size)[coins], self._rng)


def odds_of_words(net: Net | Master, legal: Bools, found: Floats, whim: float) -> Floats:
    """Round, word: its chance, for the legal words with these features."""
    worths = np.full(legal.shape, -np.inf, np.float32)
    worths[legal] = net.worths(found[legal])
    odds = np.exp((worths - worths.max(axis=1, keepdims=True)) / whim)
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def pick(odds: Floats, rng: np.random.Generator) -> Ints:
    """One choice from every row of chances."""
    edges = np.cumsum(odds, axis=1)
    return np.asarray((edges < rng.random((len(odds), 1)) * edges[:, -1:]).sum(axis=1), np.int64)


def hand_rows(net: Net) -> str:
    """Players, coins, and the chance of every hand; as `spoof_tui.bots.learned` reads it."""
    rows = []
    for players in range(min(SIZES), 10):
        odds = net.hand_odds(max(size for size in SIZES if size <= players))
        for coins in range(1, MOST_OWNED + 1):
            chances = " ".join(f"{chance:.3f}" for chance in odds[coins, : coins + 1])
            rows.append(f"{players} {coins} {chances}")
    return "\n".join(rows)


def main(words: Sequence[str]) -> int:
    """Teach for this many batches, and write the result."""
    school = School(1)
    school.learn(int(words[0]) if words else BATCHES)
    save(PATH, {"words": school.net.packed(), "hands": hand_rows(school.net).encode()})
    print(f"{PATH.name}: {PATH.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
