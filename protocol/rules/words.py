"""What is said in both games: words (R5), directions (R4), offences and drinks (H10, H13)."""

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


class Offence(Enum):
    """What one can be fined for (H13)."""

    DUPLICATE = "duplicate"
    """Three attempts at numbers that were taken (H8)."""
    IMPOSSIBLE = "impossible"
    """A call that the own hand made impossible (H7)."""
    SHUT_FIST = "shut-fist"
    """A fist that stayed shut (G3)."""
    REFUSING = "refusing"
    """Refusing to call: the turn clock ran out (G4)."""
    GLOATING = "gloating"
    NOT_ORDERING = "not-ordering"
    """Leaving first, and ordering nothing (H10)."""
    LEFT_AFTER_LOSS = "left-after-loss"
    """Leaving the table instead of paying."""
    ABUSE = "abuse"
    """Abusing the chairman."""
    EATING = "eating"
    """Eating at the table."""
    WORK = "work"
    """Going back to work after a loss."""
    OTHER = "other"
    """What the chairman says (H2)."""


class Drink(Enum):
    """What is ordered, and what a fine costs (H13)."""

    PORT = "port"
    BAILEYS = "baileys"
    ALIEN_SNOT = "alien-snot"
