"""Tables the chances to win of three and four, as the bots themselves play.

    python -m tests.solver.chances

plays many single rounds of the strongest bot in every state, which is the coins in the order of the
seats from the opener on, and solves the chain of states that they lead to. It takes some minutes,
and is due whenever what the bots play by has changed.
"""

from __future__ import annotations

import itertools
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import numpy as np

import spoof_tui.bots.values as values
from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BIDDING_PRESETS, BiddingRules, Zero
from protocol.rules.words import Bid, Direction, speaking_order
from spoof_tui.bots.heads_up import ENDINGS
from spoof_tui.bots.learned import learned_network
from spoof_tui.bots.levels import Level
from spoof_tui.bots.values import OWNED, chance_of
from tests.solver.batch import HELD, Batch, Bools, Floats, Ints
from tests.solver.learning import odds_of_words, pick
from tests.solver.network import Master
from tests.solver.tables import save

ROUNDS: Final = 6_000
"""Rounds of every state: shares of outcomes are off by at most 0.007 (standard error)."""

PATH: Final = Path(values.__file__).with_name(values.FILE)

State = tuple[int, ...]
"""Coins, from the opener clockwise; without who is out."""

Outcomes = dict[tuple[State, int | None], float]
"""Coins by place, and the place that opens the next round: how often a round leads there."""


def outcomes(rules: BiddingRules, state: State, rounds: int, rng: np.random.Generator) -> Outcomes:
    """What comes of this many rounds that the first place opens."""
    begun = BiddingRound(rules, state, 0)
    found: Outcomes = {}
    for way, batch in _opened(begun, rounds, rng).items():
        step = 1
        while len(rows := batch.running):
            odds = odds_of_words(
                Master(learned_network()),
                batch.legal(rows, step),
                batch.features(rows, step),
                Level.HARD.traits.whim,
            )
            batch.say(rows, step, pick(odds, rng))
            step += 1
        for after, count in ended(begun, way, batch):
            found[after] = found.get(after, 0.0) + count / rounds
    return found


def _opened(begun: BiddingRound, rounds: int, rng: np.random.Generator) -> dict[Direction, Batch]:
    """Rounds in which the first word was said, by the direction that it chose."""
    traits, master = Level.HARD.traits, Master(learned_network())
    ways = list(Direction) if begun.may_choose_direction else [Direction.CLOCKWISE]
    owned = np.array(begun.coins)
    odds = master.hand_odds(len(owned))
    hands = np.stack([pick(odds[[coins] * rounds], rng) for coins in owned], axis=1)
    bluffs = rng.random(rounds) < traits.opening_bluff
    shown = np.where(bluffs, rng.integers(0, owned[0] + 1, rounds), hands[:, 0])
    batches = {way: _batch(begun, way, hands) for way in ways}
    rows = np.arange(rounds)
    # Bids are judged by the hand that is shown, in each direction; ending words by the real one.
    legal = batches[Direction.CLOCKWISE].legal(rows, 0)
    worths = {}
    for way, batch in batches.items():
        real = _worths(master, batch, legal)
        batch.hands[:, 0] = shown
        worths[way] = _worths(master, batch, legal)
        worths[way][:, batch.size :] = real[:, batch.size :]
        batch.hands[:, 0] = hands[:, 0]
    words = pick(_soft(worths[Direction.CLOCKWISE], traits.whim), rng)
    turned = np.stack([worths[way][rows, words] for way in ways], axis=1)
    chosen = pick(_soft(turned, traits.whim), rng)
    chosen[words >= batches[Direction.CLOCKWISE].size] = 0
    opened = {}
    for index, way in enumerate(ways):
        mine = chosen == index
        opened[way] = _batch(begun, way, hands[mine])
        opened[way].say(np.arange(mine.sum()), 0, words[mine])
    return opened


def _worths(master: Master, batch: Batch, legal: Bools) -> Floats:
    worths = np.full(legal.shape, -np.inf, np.float32)
    worths[legal] = master.worths(batch.features(np.arange(len(legal)), 0)[legal])
    return worths


def _soft(worths: Floats, whim: float) -> Floats:
    odds = np.exp((worths - worths.max(axis=1, keepdims=True)) / whim)
    return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _batch(begun: BiddingRound, way: Direction, hands: Ints) -> Batch:
    """A batch of rounds with these hands by seat, in the order of speaking."""
    order = list(speaking_order(begun.coins, 0, way))
    coins = np.tile(np.array(begun.coins)[order], (len(hands), 1))
    even = (coins[:, :, None] >= HELD) / (coins[:, :, None] + 1)
    capped, zero_opens = begun.rules.cap is not None, begun.rules.zero is Zero.OPENING_ONLY
    return Batch(coins, hands[:, order], even.astype(np.float32), capped, zero_opens)


def ended(
    begun: BiddingRound, way: Direction, batch: Batch
) -> Iterator[tuple[tuple[State, int | None], int]]:
    """What the rounds of a batch did, and in how many of them."""
    order = speaking_order(begun.coins, begun.starter, way)
    ender = batch.ender % batch.players
    ends = np.stack([ender, batch.ending, batch.right, batch.bid > 0], axis=1)
    _, firsts, counts = np.unique(ends, axis=0, return_index=True, return_counts=True)
    for row, count in zip(map(int, firsts), map(int, counts), strict=True):
        over = BiddingRound(begun.rules, begun.coins, begun.starter, way)
        last = int(ender[row])
        if batch.bid[row]:
            over = over.said(order[last - 1], Bid(int(batch.bid[row])), way)
        over = over.said(order[last], ENDINGS[batch.ending[row]], way)
        after = over.count(dict(zip(order, map(int, batch.hands[row]), strict=True)))
        yield (after.coins, after.next_starter), count


def solved(preset: str, rounds: int = ROUNDS) -> dict[State, tuple[float, ...]]:
    """Everybody's chance to win in every state of a preset, by place."""
    rules, rng = BIDDING_PRESETS[preset], np.random.default_rng(1)
    known: dict[State, tuple[float, ...]] = {}
    for players, owned in OWNED.items():
        most = rules.cap or owned
        states = [*itertools.product(range(1, most + 1), repeat=players)]
        led = {state: outcomes(rules, state, rounds, rng) for state in states}
        known |= chain(preset, most, led, known)
    return known


def chain(
    preset: str, most: int, led: Mapping[State, Outcomes], known: Mapping[State, tuple[float, ...]]
) -> dict[State, tuple[float, ...]]:
    """The chances in these states, given those of fewer players."""
    numbers = {state: at for at, state in enumerate(led)}
    players = len(next(iter(led)))
    size = len(led) * players
    steps, gains = np.zeros((size, size)), np.zeros(size)
    for state, after in led.items():
        for (coins, starter), odds in after.items():
            for place, own in enumerate(coins):
                row = numbers[state] * players + place
                if not own:
                    continue
                if starter is None:
                    gains[row] += odds
                    continue
                order = speaking_order(coins, starter, Direction.CLOCKWISE)
                reached, at = tuple(min(coins[each], most) for each in order), order.index(place)
                if reached in numbers:
                    steps[row, numbers[reached] * players + at] += odds
                elif len(reached) == 2:
                    opens = chance_of(preset, *reached, True)
                    gains[row] += odds * (1.0 - opens if at else opens)
                else:
                    gains[row] += odds * known[reached][at]
    found = np.linalg.solve(np.eye(size) - steps, gains).reshape(-1, players)
    return {state: tuple(map(float, found[at])) for state, at in numbers.items()}


def main() -> int:
    """Table all presets."""
    tables = {}
    for preset in BIDDING_PRESETS:
        rows = [
            " ".join([*map(str, state), *(f"{chance:.3f}" for chance in chances)])
            for state, chances in solved(preset).items()
        ]
        tables[preset] = "\n".join(rows).encode()
        print(f"{preset}: {len(rows)} states", flush=True)
    save(PATH, tables)
    print(f"{PATH.name}: {PATH.stat().st_size} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
