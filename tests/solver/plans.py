"""The simple players of `spoof_tui.bots.tournament`, for a batch of rounds at once."""

from __future__ import annotations

from typing import Final

import numpy as np

from spoof_tui.bots.tournament import PLANS
from tests.solver.batch import CALL, CLIFF, SPOOF, ZERO, Batch, Floats, Ints, look_up

NAMES: Final = tuple(PLANS)

TIE: Final = 1e-5
"""By how much an ending word is preferred to a bid of the same worth."""


def hands(name: str, coins: Ints, rng: np.random.Generator) -> Ints:
    """The hand of each of these players, who own this much."""
    if name == "hold-all":
        return coins
    return rng.integers(0, (np.minimum(coins, 1) if name == "small" else coins) + 1)


def words(name: str, batch: Batch, rows: Ints, step: int, rng: np.random.Generator) -> Ints:
    """The word of each of these players in `step`."""
    me = step % batch.players
    legal, hand = batch.legal(rows, step), batch.hands[rows, me]
    if name == "random":
        return np.asarray((rng.random(legal.shape) * legal).argmax(axis=1))
    numbers = np.broadcast_to(np.arange(batch.size + 1), (len(rows), batch.size + 1))
    odds = look_up(batch.even[me][rows], numbers - hand[:, None])
    if name == "value":
        return np.asarray(np.where(legal, _worths(batch, rows, step, odds), -9.0).argmax(axis=1))
    whole, lowest = batch.whole[rows], batch.bid[rows] + 1
    wanted = {
        "small": np.where(2 * lowest <= whole, lowest, 0),
        "honest": hand + (whole - batch.coins[rows, me]) // 2,
    }.get(name, hand)
    calls = (lowest > whole) | ((wanted < lowest) & (lowest > 1))
    bids = np.clip(wanted, lowest, whole) - 1
    return np.where(calls, batch.size + CALL, bids)


def _worths(batch: Batch, rows: Ints, step: int, odds: Floats) -> Floats:
    """Own coins won, and the mean of those that the others lose."""
    at, bid, another = np.arange(len(rows)), batch.bid[rows], 1 / (batch.players - 1)
    true = odds[at, bid]
    beyond = np.concatenate([odds, np.zeros((len(rows), 1), np.float32)], axis=1)
    found = np.empty((len(rows), batch.size + 4), np.float32)
    found[:, : batch.size] = odds[:, 1:] * another - (1 - odds[:, 1:])
    found[:, batch.size + CALL] = (1 - true) * another - true
    found[:, batch.size + CLIFF] = 2 * (true - beyond[at, bid + 1]) - 1
    found[:, batch.size + SPOOF] = odds[at, batch.whole[rows]] - 1
    found[:, batch.size + ZERO] = 2 * (1 - odds[:, 1]) - 1
    found[:, batch.size :] += TIE
    return found
