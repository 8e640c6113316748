"""One round of the bidding game (R2 to R14), by seat index, without names, keys or secrets.

`BiddingRound` holds what everybody hears; `count` works out the result once the hands are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from protocol.errors import Illegal, LocalError, Reason
from protocol.rules.options import BiddingRules, ChosenDirection, Starter, Zero
from protocol.rules.words import (
    Bid,
    Direction,
    Ending,
    RoundOutcome,
    Turns,
    Verdict,
    Word,
    next_in,
    speaking_order,
)


@dataclass(frozen=True)
class BiddingRound(Turns[BiddingRules]):
    """The words of one round of the bidding game so far, and what follows from them."""

    WHY_NOT = (Reason.ROUND_IS_OVER, Reason.IS_OUT, Reason.NOT_YOUR_TURN)
    direction: Direction = Direction.CLOCKWISE
    """The direction in which the turn passes; fixed once the opening word is said."""
    words: tuple[tuple[int, Word], ...] = ()
    """Seat and word, in the order in which they were said."""

    @cached_property
    def standing(self) -> tuple[int, int] | None:
        """Seat and number of the standing bid, B; None before the first bid."""
        for seat, word in reversed(self.words):
            if isinstance(word, Bid):
                return seat, word.number
        return None

    @cached_property
    def ending(self) -> Ending | None:
        """The ending word; None before it is said."""
        word = self.words[-1][1] if self.words else None
        return word if isinstance(word, Ending) else None

    @cached_property
    def speaker(self) -> int | None:
        """Seat that speaks next (R4); None once the ending word is said."""
        if not self.words:
            return self.starter
        if self.ending:
            return None
        return next_in(self.coins, self.words[-1][0], self.direction)

    @property
    def none(self) -> Word:
        """The word of a speaker who "calls none" (G3): bid 1 as the opening word, otherwise
        call."""
        return Ending.CALL if self.words else Bid(1)

    @property
    def is_over(self) -> bool:
        """Whether the ending word is said, so that the fists open (R11)."""
        return self.ending is not None

    @property
    def may_choose_direction(self) -> bool:
        """Whether the opening bid may change the direction (R4)."""
        free = self.rules.direction is ChosenDirection.STARTER
        return free and not self.words and len(self.players) > 2

    def check(self, seat: int, word: Word, direction: Direction | None = None) -> None:
        """Raise `Illegal` unless `seat` may say `word` now (R4 to R10)."""
        self.check_turn(seat)
        if isinstance(word, Bid):
            self._check_bid(word.number)
        else:
            self._check_ending(seat, word)
        if direction is not None:
            self._check_direction(word)

    def _check_bid(self, number: int) -> None:
        standing = self.standing
        if standing and number <= standing[1]:
            raise Illegal(Reason.BID_TOO_LOW, standing=standing[1])
        if number < 1:
            raise Illegal(Reason.BID_BELOW_ONE)
        if number > self.most:
            raise Illegal(Reason.BID_TOO_HIGH, most=self.most)

    def _check_ending(self, seat: int, word: Ending) -> None:
        if word is Ending.CALL and not self.standing:
            raise Illegal(Reason.CALL_NEEDS_BID)
        if word is Ending.CLIFF and not self.standing:
            raise Illegal(Reason.CLIFF_NEEDS_BID)
        if word is not Ending.ZERO:
            return
        if self.rules.zero is Zero.OPENING_ONLY and self.words:
            raise Illegal(Reason.ZERO_OPENS_ONLY)
        if any(spoken_by == seat for spoken_by, _ in self.words):
            raise Illegal(Reason.ZERO_FIRST_ONLY)

    def _check_direction(self, word: Word) -> None:
        if self.rules.direction is not ChosenDirection.STARTER:
            raise Illegal(Reason.DIRECTION_RULE)
        if len(self.players) < 3:
            raise Illegal(Reason.DIRECTION_FOR_TWO)
        if self.words or not isinstance(word, Bid):
            raise Illegal(Reason.DIRECTION_FIXED)

    def say(self, seat: int, word: Word, direction: Direction | None = None) -> BiddingRound:
        """The round after `seat` said `word`; raises `Illegal` and changes nothing if it may not.

        `direction` turns the round with the opening bid; None keeps it clockwise.
        """
        self.check(seat, word, direction)
        return self.said(seat, word, direction)

    def said(self, seat: int, word: Word, direction: Direction | None = None) -> BiddingRound:
        """The round after `seat` said `word`, without checking whether it may."""
        words = (*self.words, (seat, word))
        direction = direction or self.direction
        return BiddingRound(self.rules, self.coins, self.starter, direction, words)

    def count(self, hands: Mapping[int, int]) -> RoundOutcome:
        """The outcome of the round by all hands, by seat (R7 to R14); raises `LocalError` before
        the ending word is said."""
        ending = self.ending
        if ending is None or set(hands) != set(self.players):
            raise LocalError("a round is counted after its ending word, with every hand known")
        ender = self.words[-1][0]
        total = sum(hands.values())
        verdict, changes = self._judge(ending, ender, total)
        coins = self._coins_after(changes)
        return self._outcome(verdict, total, changes, coins, self._opener(verdict, coins))

    def void(self, owner: int) -> RoundOutcome:
        """The outcome of a round in which the fist of `owner` stayed shut after the ending word
        (G3)."""
        if self.ending is None or not self.coins[owner]:
            raise LocalError("a round is voided after its ending word, by the fist of a player in")
        changes = {owner: -1}
        coins = self._coins_after(changes)
        opener = next_in(coins, owner, self.direction)
        return self._outcome(Verdict.VOID, None, changes, coins, opener)

    def _coins_after(self, changes: Mapping[int, int]) -> tuple[int, ...]:
        return tuple([coins + changes.get(seat, 0) for seat, coins in enumerate(self.coins)])

    def _judge(self, ending: Ending, ender: int, total: int) -> tuple[Verdict, dict[int, int]]:
        lost = {ender: -1}
        bidder, bid = self.standing or (ender, 0)
        if ending is Ending.CALL:
            if total >= bid:
                return Verdict.CALL_BID_TRUE, lost
            return Verdict.CALL_BID_FALSE, {bidder: -1}
        if ending is Ending.CLIFF:
            if total != bid:
                return Verdict.CLIFF_WRONG, lost
            if self.rules.cap is not None and self.coins[ender] >= self.rules.cap:
                return Verdict.CLIFF_AT_CAP, {}
            return Verdict.CLIFF_RIGHT, {ender: 1}
        if ending is Ending.SPOOF:
            if total == self.most:
                return Verdict.SPOOF_RIGHT, {}
            return Verdict.SPOOF_WRONG, lost
        if total == 0:
            return Verdict.ZERO_RIGHT, {seat: -1 for seat in self.players if seat != ender}
        return Verdict.ZERO_WRONG, lost

    def _opener(self, verdict: Verdict, coins: Sequence[int]) -> int:
        """The seat that opens the next round by R14, given the coins after this one."""
        ender, loser_starts = self.words[-1][0], self.rules.starter is Starter.LOSER
        if verdict is Verdict.ZERO_RIGHT and self.rules.zero_starter is Starter.LOSER:
            return next_in(coins, ender, self.direction)
        named = ender
        if verdict is Verdict.CALL_BID_FALSE and loser_starts and self.standing:
            named = self.standing[0]
        return named if coins[named] else next_in(coins, named, self.direction)

    def _outcome(
        self,
        verdict: Verdict,
        total: int | None,
        changes: Mapping[int, int],
        coins: tuple[int, ...],
        opener: int,
    ) -> RoundOutcome:
        ender = self.words[-1][0]
        went_out = tuple([seat for seat in changes if not coins[seat]])
        if len(went_out) > 1:
            after_ender = speaking_order(self.coins, ender, self.direction)[1:]
            went_out = tuple(seat for seat in (*after_ender, ender) if seat in went_out)
        goes_on = len(coins) - coins.count(0) > 1
        return RoundOutcome(
            verdict, ender, total, changes, coins, went_out, opener if goes_on else None
        )
