"""The five words of the bidding game (R5) and the two directions of speaking (R4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Direction(Enum):
    """Which way the word goes round the seats; the values are the marks of the notation."""

    CLOCKWISE = ">"
    COUNTER_CLOCKWISE = "<"

    def __init__(self, mark: str) -> None:
        self.step = 1 if mark == ">" else -1
        """What to add to a seat's index: 1 or -1."""


class Ending(Enum):
    """A word that ends the round (R5); the values are the names in JSON and on the wire."""

    CALL = "call"
    CLIFF = "cliff"
    SPOOF = "spoof"
    ZERO = "zero"


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid (R6)."""

    number: int
    """The total that is bid, 1 or more."""


Word = Bid | Ending
"""What the speaker says: a bid keeps the round going, an ending opens the fists."""
