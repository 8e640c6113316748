"""The strength of bots, as data: a level is a set of traits, and the code asks only for traits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Final


class Level(Enum):
    """The strength of a bot; the values are used in settings and on the command line."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"

    @property
    def traits(self) -> Traits:
        """The traits of this level."""
        return _TRAITS[self]


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What makes one bot stronger than another; all numbers but `whim` and `extremes` are 0 to
    1."""

    odds: float
    """How far it trusts the odds; for the rest it takes every total to be equally likely."""
    reading: float
    """How honest it takes bids to be, so how much a bid tells it about the bidder's hand."""
    memory: float
    """The weight of each earlier hand of this game, compared with 1 for every possible hand."""
    foresight: float
    """How far it foresees what the next player will do; for the rest it expects a call of any bid
    with a fixed chance."""
    bluff: float
    """The chance to bid as if it held another hand."""
    opening_bluff: float
    """The chance to open as if it held another hand, since an opening tells most; not used if there
    is a table for the round."""
    whim: float
    """How random its words are: a word worth this many coins less than the best is said e times
    less often (the temperature of a softmax). With few coins the same number means more care,
    because more depends on each word."""
    extremes: float
    """The weight of an empty and of a full hand, compared with 1 for the hands in between."""
    taught: bool = False
    """Whether it bids by the learned network, where that is available."""


_TRAITS: Final[Mapping[Level, Traits]] = MappingProxyType(
    {
        Level.EASY: Traits(
            odds=0.5,
            reading=0.0,
            memory=0.0,
            foresight=0.2,
            bluff=0.15,
            opening_bluff=0.15,
            whim=0.26,
            extremes=0.7,
        ),
        Level.MEDIUM: Traits(
            odds=0.9,
            reading=0.25,
            memory=0.0,
            foresight=0.6,
            bluff=0.1,
            opening_bluff=0.1,
            whim=0.15,
            extremes=1.0,
        ),
        Level.HARD: Traits(
            odds=1.0,
            reading=0.8,
            memory=1.0,
            foresight=1.0,
            bluff=0.1,
            opening_bluff=0.5,
            whim=0.03,
            extremes=2.0,
            taught=True,
        ),
    }
)
