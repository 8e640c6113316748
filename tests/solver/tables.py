"""Strategies as the tables that a bot reads, and back."""

from __future__ import annotations

import zipfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from spoof_tui.bots.heads_up import RoundPlan, choices, offsets
from tests.solver.regret import Strategy
from tests.solver.tree import OPENER, Array, Tree, group_of

WHOLE = 255
"""The sum of the odds of one choice, as nearly as bytes can hold it."""

RARE = 0.004
"""Choices less frequent than this are left out."""

STAMP = (2020, 1, 1, 0, 0, 0)
"""The time of every table in the file, which depends on nothing but the tables."""


def written(tree: Tree, strategy: Strategy) -> bytes:
    """The table of a round."""
    table = bytearray()
    for hands in strategy.hands:
        table += weights(hands)
    places = {int(mask): at for masks in tree.masks.values() for at, mask in enumerate(masks)}
    for mask in range(1 << tree.whole):
        for odds in strategy.words[group_of(mask)][places[mask]]:
            table += weights(odds)
    return bytes(table)


def weights(odds: Array) -> bytes:
    """The odds of one choice as bytes."""
    kept = np.where(odds < RARE, 0.0, odds)
    return bytes(np.rint(kept / kept.sum() * WHOLE).astype(np.uint8))


def read(tree: Tree, plan: RoundPlan) -> Strategy:
    """The strategy in a table."""
    opener, responder = (np.array(plan.hand_odds(opens)) for opens in (True, False))
    words = {}
    for group, masks in tree.masks.items():
        count = tree.coins[group[1]] + 1
        size = choices(int(masks[0]), tree.whole)
        starts = [offsets(*tree.coins)[int(mask)] for mask in masks]
        rows = [plan.table[start : start + count * size] for start in starts]
        weights = np.frombuffer(b"".join(rows), np.uint8).reshape(len(rows), count, size)
        words[group] = weights / weights.sum(axis=2, keepdims=True)
    return Strategy(words, (opener, responder))


def information(strategy: Strategy) -> float:
    """Bits that the opening word reveals of the opener's hand."""
    return told_by(strategy.hands[OPENER], strategy.words[0, OPENER][0])


def told_by(hands: Array, words: Array) -> float:
    """Bits that a word reveals of the hand: `hands` the odds of each, `words` those of hand,
    word."""
    both = hands[:, None] * words
    apart = hands[:, None] * (hands @ words)[None, :]
    seen = both > 0
    return float((both[seen] * np.log2(both[seen] / apart[seen])).sum())


def save(path: Path, tables: Mapping[str, bytes]) -> None:
    """Write the file; the same tables give the same bytes."""
    with zipfile.ZipFile(path, "w") as file:
        for name, table in sorted(tables.items()):
            info = zipfile.ZipInfo(name, STAMP)
            file.writestr(info, table, zipfile.ZIP_DEFLATED, 9)
