"""A round of two as a tree of bids, and what each ending word leads to by the rules engine.

Everything is indexed by position (the mask of `spoof_tui.bots.heads_up`) and, in a row, by the
hand of the player it is about. Positions of one standing bid and one speaker are a group: numpy
treats them at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from protocol.errors import Illegal
from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BiddingRules
from protocol.rules.words import Bid, Ending, Word
from spoof_tui.bots.heads_up import ENDINGS, opener_speaks, standing

Array: TypeAlias = npt.NDArray[np.float64]
Group: TypeAlias = tuple[int, int]
"""The standing bid, 0 before the first; the speaker: 0 the opener, 1 the responder."""

Coins: TypeAlias = tuple[int, int]
"""What the opener and the responder own."""

Worth: TypeAlias = Callable[[int, int], float]
"""The opener's chance to win the game when a round begins with these coins, opener's first."""

OPENER, RESPONDER = 0, 1


class Tree:
    """The positions of a round."""

    def __init__(self, rules: BiddingRules, coins: Coins) -> None:
        self.rules = rules
        self.coins = coins
        masks: dict[Group, list[int]] = {}
        for mask in range(1 << self.whole):
            masks.setdefault(group_of(mask), []).append(mask)
        place = {mask: index for members in masks.values() for index, mask in enumerate(members)}
        self.masks: Mapping[Group, npt.NDArray[np.int64]] = {
            group: np.array(members) for group, members in sorted(masks.items())
        }
        """The positions of each group, in rising order."""
        self.children: Mapping[tuple[Group, int], npt.NDArray[np.int64]] = {
            (group, bid): np.array([place[mask | 1 << (bid - 1)] for mask in members])
            for group, members in masks.items()
            for bid in self.bids(group)
        }
        """Of each group and higher bid: where each position goes in the group of that bid."""
        self.legal: Mapping[Group, npt.NDArray[np.bool_]] = {
            group: np.array([[self._legal(mask)] for mask in members])
            for group, members in masks.items()
        }
        """Whether a word may be said: position, one row for all hands, word."""

    @property
    def whole(self) -> int:
        """W: the coins of both."""
        return sum(self.coins)

    @property
    def groups(self) -> tuple[Group, ...]:
        """All groups, by rising bid."""
        return tuple(self.masks)

    def bids(self, group: Group) -> range:
        """The higher bids of a group, in the order of its words."""
        return range(group[0] + 1, self.whole + 1)

    def _legal(self, mask: int) -> list[bool]:
        said = round_at(self.rules, self.coins, mask)
        numbers = range(standing(mask) + 1, self.whole + 1)
        return [*(True for _ in numbers), *(_may_say(said, word) for word in ENDINGS)]


def group_of(mask: int) -> Group:
    """The group of a position."""
    return standing(mask), OPENER if opener_speaks(mask) else RESPONDER


def bids_of(mask: int) -> tuple[int, ...]:
    """The bids of a position, in the order in which they were made."""
    return tuple(bid for bid in range(1, mask.bit_length() + 1) if mask >> (bid - 1) & 1)


def round_at(rules: BiddingRules, coins: Coins, mask: int) -> BiddingRound:
    """The round after the bids of a position."""
    words = tuple((index % 2, Bid(bid)) for index, bid in enumerate(bids_of(mask)))
    return BiddingRound(rules, coins, OPENER, words=words)


def _may_say(said: BiddingRound, word: Word) -> bool:
    speaker = said.speaker
    assert speaker is not None
    try:
        said.check(speaker, word)
    except Illegal:
        return False
    return True


Payoffs: TypeAlias = Mapping[Group, Array]
"""The opener's chance to win the game after an ending word: word, opener's hand, responder's."""


@dataclass(frozen=True)
class Endings:
    """Where every ending of a round leads: new coins, and who opens the next round."""

    tree: Tree
    outcomes: Mapping[Group, Mapping[tuple[int, int], tuple[Coins, int | None]]]
    """Of each group: index of the ending word and total; coins and next opener."""

    @classmethod
    def of(cls, tree: Tree) -> Endings:
        """Ask the rules engine."""
        return cls(tree, {group: _outcomes(tree, group) for group in tree.groups})

    def payoffs(self, worth: Worth) -> Payoffs:
        """The worth of the endings if a round is worth this much to its opener."""
        return self.payoffs_of(worth, lambda opener, responder: 1.0 - worth(responder, opener))

    def payoffs_of(self, opening: Worth, answering: Worth) -> Payoffs:
        """The same, if the two do not play alike.

        Both take the coins of this round's opener first, and give that player's chance: in a
        round that it opens again, and in one that the other one opens.
        """
        opener, responder = self.tree.coins
        totals = np.add.outer(np.arange(opener + 1), np.arange(responder + 1))
        payoffs = {}
        for group, outcomes in self.outcomes.items():
            table = np.zeros((len(ENDINGS), self.tree.whole + 1))
            for at, (coins, starter) in outcomes.items():
                table[at] = _chance(coins, starter, opening, answering)
            payoffs[group] = table[:, totals]
        return payoffs


def _outcomes(tree: Tree, group: Group) -> dict[tuple[int, int], tuple[Coins, int | None]]:
    bid, speaker = group
    before: tuple[tuple[int, Word], ...] = ((1 - speaker, Bid(bid)),) if bid else ()
    found: dict[tuple[int, int], tuple[Coins, int | None]] = {}
    for index, word in enumerate(ENDINGS):
        if not bid and word in (Ending.CALL, Ending.CLIFF):
            continue
        said = BiddingRound(tree.rules, tree.coins, OPENER, words=(*before, (speaker, word)))
        for total in range(tree.whole + 1):
            opener = min(total, tree.coins[0])
            outcome = said.count({OPENER: opener, RESPONDER: total - opener})
            coins = outcome.coins
            found[index, total] = ((coins[0], coins[1]), outcome.next_starter)
    return found


def _chance(coins: Coins, starter: int | None, opening: Worth, answering: Worth) -> float:
    if starter is None:
        return 1.0 if coins[OPENER] else 0.0
    return opening(*coins) if starter == OPENER else answering(*coins)
