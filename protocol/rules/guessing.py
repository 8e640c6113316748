"""One round of the guessing game (H4 to H12), by seat index, without names, keys or secrets.

A school is stored like the coins of the bidding game: three for every player in it, none for those
who have left. `GuessingRound` holds what everybody hears; `count` works out the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from protocol.errors import Illegal, LocalError, Reason
from protocol.rules.options import START_COINS, FirstCaller, GuessingRules, Impossible
from protocol.rules.words import (
    Bid,
    Direction,
    RoundOutcome,
    Turns,
    Verdict,
    Word,
    next_in,
    speaking_order,
)

ATTEMPTS: Final = 3
"""Number of attempts at a call that nobody has made; if the last one fails, that costs a fine
(H8)."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call, or an attempt at one whose number was taken."""

    seat: int
    number: int
    taken: bool
    """Whether the number was taken already, so that the call does not stand (H8)."""
    is_of_house: bool = False
    """Whether the clock made it for the seat, so that it is never fined as impossible (H13)."""


@dataclass(frozen=True)
class GuessingRound(Turns[GuessingRules]):
    """The calls of one round of the guessing game so far, and what follows from them."""

    WHY_NOT = (Reason.CALLS_ARE_OVER, Reason.HAS_LEFT, Reason.NOT_YOUR_CALL)
    calls: tuple[Call, ...] = ()
    """All calls and attempts, in order."""

    direction: Direction = Direction.CLOCKWISE
    """The direction in which the turn passes: always clockwise (H5)."""

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The seats in the school, in the order in which they call and open (H5, H9)."""
        return speaking_order(self.coins, self.starter, Direction.CLOCKWISE)

    @cached_property
    def words(self) -> tuple[tuple[int, Word], ...]:
        """Seat and number of every call and attempt, as the words of a round."""
        return tuple((call.seat, Bid(call.number)) for call in self.calls)

    @cached_property
    def called(self) -> Mapping[int, int]:
        """The number that each seat has called and that stands, by seat (H6)."""
        return {call.seat: call.number for call in self.calls if not call.taken}

    @cached_property
    def free(self) -> tuple[int, ...]:
        """The numbers that nobody has called (H6)."""
        gone = set(self.called.values())
        return tuple(number for number in range(self.most + 1) if number not in gone)

    @property
    def none(self) -> Word:
        """The call of a seat that "calls none" (G3): the lowest free number."""
        return Bid(self.free[0])

    def may_be_none(self, seat: int) -> bool:
        """Whether the call of `seat` may have been made for it because it "called none" (G3)."""
        lower = set(range(min(self.called[seat], len(self.called))))
        for other, number in self.called.items():
            if other == seat:
                break
            lower.discard(number)
        return not lower

    def attempts(self, seat: int) -> int:
        """How many attempts of this seat hit a number that was taken (H8)."""
        return sum(call.taken for call in self.calls if call.seat == seat)

    @cached_property
    def speaker(self) -> int | None:
        """Seat that calls next (H5); None once everybody has called."""
        called = self.called
        return next((seat for seat in self.order if seat not in called), None)

    @property
    def is_over(self) -> bool:
        """Whether everybody has called, so that the fists open."""
        return self.speaker is None

    def check(self, seat: int, word: Word, direction: Direction | None = None) -> None:
        """Raise `Illegal` unless `seat` may call `word`, a number, now (H5, H6, H8)."""
        self.check_turn(seat)
        if not isinstance(word, Bid):
            raise Illegal(Reason.NUMBERS_ONLY)
        if direction is not None:
            raise Illegal(Reason.DIRECTION_RULE)
        if not 0 <= word.number <= self.most:
            raise Illegal(Reason.CALL_TOO_HIGH, most=self.most)
        if self.attempts(seat) >= ATTEMPTS and self.is_taken(word.number):
            raise Illegal(Reason.CALL_FROM_FREE)

    def is_taken(self, number: int) -> bool:
        """Whether somebody has called this number already (H6)."""
        return number in self.called.values()

    def check_hand(self, number: int, hand: int) -> None:
        """Raise `Illegal` for a call that this hand makes impossible, if the rules refuse those
        (H7, `impossible=refuse`).

        Only the player's own program can check this: nobody else knows the hand. An impossible call
        that a program let through is fined when the fists open.
        """
        if self.rules.impossible is Impossible.REFUSE and not self.is_possible(number, hand):
            raise Illegal(Reason.CALL_IMPOSSIBLE)

    def is_possible(self, number: int, hand: int) -> bool:
        """Whether the total can be `number` for a player who holds `hand` (H7)."""
        return hand <= number <= hand + START_COINS * (len(self.players) - 1)

    def say(self, seat: int, word: Word, direction: Direction | None = None) -> GuessingRound:
        """The round after a call; a number that is taken counts as an attempt (H8). Raises
        `Illegal`."""
        self.check(seat, word, direction)
        assert isinstance(word, Bid)
        call = Call(seat, word.number, self.is_taken(word.number))
        return GuessingRound(self.rules, self.coins, self.starter, (*self.calls, call))

    def count(self, hands: Mapping[int, int], lot: int = 0) -> RoundOutcome:
        """The outcome of the round, given the hands of all seats (H7, H10 to H12); raises
        `LocalError` before the last call.

        Where the rules toss for the next first caller, `lot` modulo the number of players who are
        left picks one of them (H11).
        """
        if not self.is_over or set(hands) != set(self.players):
            raise LocalError("a round is counted after the last call, with every hand known")
        total = sum(hands.values())
        left = tuple([seat for seat, number in self.called.items() if number == total])
        coins = tuple(0 if seat in left else count for seat, count in enumerate(self.coins))
        staying = tuple(seat for seat, count in enumerate(coins) if count)
        return RoundOutcome(
            verdict=Verdict.GUESSED if left else Verdict.NOT_GUESSED,
            ender=self.order[-1],
            total=total,
            changes={},
            coins=coins,
            went_out=left,
            next_starter=self._next_first(coins, staying, lot) if len(staying) > 1 else None,
            fined=self._fined(hands),
        )

    def void(self, owner: int) -> RoundOutcome:
        """The outcome of a round in which the fist of `owner` stayed shut: its owner is fined, and
        nobody leaves (G3)."""
        if not self.is_over or not self.coins[owner]:
            raise LocalError("a round is voided after its last call, by the fist of a player in")
        return RoundOutcome(
            verdict=Verdict.VOID,
            ender=self.order[-1],
            total=None,
            changes={},
            coins=self.coins,
            went_out=(),
            next_starter=next_in(self.coins, owner, Direction.CLOCKWISE),
            fined=(owner,),
        )

    def _next_first(self, coins: tuple[int, ...], staying: tuple[int, ...], lot: int) -> int:
        if self.rules.first_caller is FirstCaller.TOSS:
            return staying[lot % len(staying)]
        return next_in(coins, self.starter, Direction.CLOCKWISE)

    def _fined(self, hands: Mapping[int, int]) -> tuple[int, ...]:
        """The seats that the house fines, once for each fine, in the order of opening (H13)."""
        fined: list[int] = []
        for seat in self.order:
            if self.attempts(seat) >= ATTEMPTS:
                fined.append(seat)
            is_of_house = any(call.is_of_house for call in self.calls if call.seat == seat)
            is_allowed = is_of_house or self.rules.impossible is Impossible.ALLOW
            if not is_allowed and not self.is_possible(self.called[seat], hands[seat]):
                fined.append(seat)
        return tuple(fined)
