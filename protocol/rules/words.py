"""What can be said in both games: words (R5), directions (R4), offences and drinks (H10, H13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import ClassVar, Generic, TypeVar

from protocol.errors import Illegal, LocalError, Reason


class Direction(Enum):
    """The direction in which the turn passes; the values are the marks of the notation."""

    CLOCKWISE = ">"
    COUNTER_CLOCKWISE = "<"

    def __init__(self, mark: str) -> None:
        self.step = 1 if mark == ">" else -1
        """The number to add to a seat's index for the next seat: 1 or -1."""


class Ending(Enum):
    """A word that ends the round (R5); the values are the names in JSON and in messages."""

    CALL = "call"
    CLIFF = "cliff"
    SPOOF = "spoof"
    ZERO = "zero"


@dataclass(frozen=True, slots=True)
class Bid:
    """A bid (R6), or in the guessing game a call (H6)."""

    number: int
    """The total that is bid, 1 or more; as a call, 0 or more."""


Word = Bid | Ending
"""What the speaker says: a bid keeps the round going, an ending opens the fists."""


class Offence(Enum):
    """What a player can be fined for (H13)."""

    DUPLICATE = "duplicate"
    """Three attempts at numbers that were taken (H8)."""
    IMPOSSIBLE = "impossible"
    """A call that the caller's own hand made impossible (H7)."""
    SHUT_FIST = "shut-fist"
    """A fist that stayed shut (G3)."""
    REFUSING = "refusing"
    """Refusing to call: the turn clock ran out (G4)."""
    GLOATING = "gloating"
    NOT_ORDERING = "not-ordering"
    """Leaving first and ordering nothing (H10)."""
    LEFT_AFTER_LOSS = "left-after-loss"
    """Leaving the table instead of paying."""
    ABUSE = "abuse"
    """Abusing the chairman."""
    EATING = "eating"
    """Eating at the table."""
    WORK = "work"
    """Going back to work after a loss."""
    OTHER = "other"
    """Any other offence that the chairman sees (H2)."""


class Drink(Enum):
    """The drinks that can be ordered (H10), or owed as a fine (H13)."""

    PORT = "port"
    BAILEYS = "baileys"
    ALIEN_SNOT = "alien-snot"


class Verdict(Enum):
    """How a round ended: a name, and the clause that decides it."""

    CALL_BID_TRUE = ("call-bid-true", "R7")
    CALL_BID_FALSE = ("call-bid-false", "R7")
    CLIFF_RIGHT = ("cliff-right", "R8")
    CLIFF_AT_CAP = ("cliff-at-cap", "R8")
    CLIFF_WRONG = ("cliff-wrong", "R8")
    SPOOF_RIGHT = ("spoof-right", "R9")
    SPOOF_WRONG = ("spoof-wrong", "R9")
    ZERO_RIGHT = ("zero-right", "R10")
    ZERO_WRONG = ("zero-wrong", "R10")
    GUESSED = ("guessed", "H10")
    NOT_GUESSED = ("not-guessed", "H11")
    VOID = ("void", "G3")

    def __init__(self, code: str, clause: str) -> None:
        self.code = code
        """Name of the verdict."""
        self.clause = clause
        """Clause of the rulebook that decides it."""

    @property
    def ender_is_right(self) -> bool:
        """Whether the claim of the ending word is true; False for the verdicts of the guessing game
        and of a void round, which judge no claim."""
        return self in _RIGHT


_RIGHT = frozenset(
    {
        Verdict.CALL_BID_FALSE,
        Verdict.CLIFF_RIGHT,
        Verdict.CLIFF_AT_CAP,
        Verdict.SPOOF_RIGHT,
        Verdict.ZERO_RIGHT,
    }
)


@dataclass(frozen=True, slots=True)
class RoundOutcome:
    """What a finished round changed at the table."""

    verdict: Verdict
    """How the round ended."""
    ender: int
    """Seat that said the ending word; in the guessing game the last caller."""
    total: int | None
    """T, the sum of all hands; None if a fist stayed shut."""
    changes: Mapping[int, int]
    """Coins won or lost, by seat; seats that neither won nor lost are absent."""
    coins: tuple[int, ...]
    """Coins of every seat after the round; 0 if it is out (R12), or has left the school (H10)."""
    went_out: tuple[int, ...]
    """Seats that lost their last coin, in speaking order from the one after the ender; in the
    guessing game those that left the school (H10)."""
    next_starter: int | None
    """Seat that opens the next round (R14, H11); None if only one player is left (R13, H12)."""
    fined: tuple[int, ...] = ()
    """Seats that the house fines, once for each fine (H13)."""

    @property
    def winner(self) -> int | None:
        """The last seat still in: it won (R13), or it pays (H12); None while the game goes on."""
        if self.next_starter is not None:
            return None
        return next(seat for seat, coins in enumerate(self.coins) if coins)


def next_in(coins: Sequence[int], seat: int, direction: Direction) -> int:
    """next(p): the nearest seat with coins after `seat` in `direction`, `seat` itself last; raises
    `LocalError` if no seat has coins."""
    count, step = len(coins), direction.step
    for _ in range(count):
        seat = (seat + step) % count
        if coins[seat]:
            return seat
    raise LocalError("nobody is in")


def speaking_order(coins: Sequence[int], first: int, direction: Direction) -> tuple[int, ...]:
    """All seats with coins, in the order in which they speak, beginning with `first`."""
    order = [first]
    while (seat := next_in(coins, order[-1], direction)) != first:
        order.append(seat)
    return tuple(order)


R = TypeVar("R")


@dataclass(frozen=True)
class Turns(Generic[R]):
    """The common part of the rounds of both games: who is in, and whose turn it is."""

    rules: R
    coins: tuple[int, ...]
    """Coins of every seat at the start of the round; 0 if it is out (R12), or has left the school
    (H4)."""
    starter: int
    """Seat that speaks first."""
    WHY_NOT: ClassVar[tuple[Reason, Reason, Reason]]
    """Why a seat may not speak: the round is over, the seat is out, or it is another's turn."""

    def __post_init__(self) -> None:
        if not self.coins[self.starter]:
            raise LocalError(f"seat {self.starter!r} is out and cannot start")

    @property
    def speaker(self) -> int | None:
        """Seat that speaks next; None once the round is over."""
        raise NotImplementedError

    @cached_property
    def most(self) -> int:
        """The coins of all players together, which is the highest number that can be said (R6,
        H6)."""
        return sum(self.coins)

    @cached_property
    def players(self) -> tuple[int, ...]:
        """Indices of the seats that have coins."""
        return tuple([seat for seat, coins in enumerate(self.coins) if coins])

    def check_turn(self, seat: int) -> None:
        """Raise `Illegal` unless `seat` may say anything now (R4, H5)."""
        over, out, of_another = self.WHY_NOT
        if self.speaker is None:
            raise Illegal(over)
        if not self.coins[seat]:
            raise Illegal(out)
        if seat != self.speaker:
            raise Illegal(of_another, speaker=self.speaker)
