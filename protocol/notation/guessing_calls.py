"""The calls of a recorded guessing round, judged one after the other (H5, H6, H8, H11)."""

from __future__ import annotations

from collections import Counter

from protocol.errors import Illegal
from protocol.notation.faults import Slip, cut
from protocol.notation.position import Position
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes
from protocol.notation.signs import TAKEN
from protocol.notation.tokens import number
from protocol.rules.guessing import ATTEMPTS, Call, GuessingRound
from protocol.rules.options import GuessingRules


def hear(
    rules: GuessingRules, position: Position, record: RoundRecord, notes: Notes
) -> GuessingRound:
    """The calls of the record as far as they can be read, illegal ones too.

    The round can be counted if it is over.
    """
    if record.direction is not None:
        notes.add(Slip.NO_DIRECTION)
    return _Hearing(rules, position, record, notes).heard()


class _Hearing:
    """One round while it is heard."""

    def __init__(
        self, rules: GuessingRules, position: Position, record: RoundRecord, notes: Notes
    ) -> None:
        self._position = position
        self._record = record
        self._notes = notes
        self._left = Counter(position.seat_in(token.tag) for token in record.words)
        """How many tokens each seat still has in the record."""
        self._said = GuessingRound(rules, position.coins, self._starter())
        self._order = self._said.order
        self._turn = 0
        """Place in the order of calling."""
        self._stands: set[int] = set()
        """Seats whose call stands, even if it cannot be read."""
        self._lost_turn = False
        """Whether a fault of the turn is told: it explains a call that is missing."""

    def heard(self) -> GuessingRound:
        words = self._record.words
        for place, token in enumerate(words):
            self._left[self._position.seat_in(token.tag)] -= 1
            if len(self._stands) == len(self._order):
                self._notes.add(Slip.CALLS_ARE_OVER, token, text=cut(token.text))
                break
            again = place + 1 < len(words) and words[place + 1].tag == token.tag
            self._take(token, is_first=not place, again=again)
        self._missing()
        return self._said

    def _starter(self) -> int:
        """Who calls first; what is wrong with a token of nobody is told with its call."""
        position, due = self._position, self._position.opener
        token = self._record.words[0] if self._record.words else None
        seat = position.seat_in(token.tag) if token else None
        if seat is None:
            return position.players[0] if due is None else due
        if due is None or seat == due:
            return seat
        tags = position.tags
        self._notes.add(Slip.WRONG_CALLER, token, tag=tags[seat], starter=tags[due])
        return due if self._left[seat] > 1 else seat

    def _take(self, token: Token, *, is_first: bool, again: bool) -> None:
        seat = self._caller(token, is_first=is_first)
        called = _call(token)
        stands = not again
        if called is None:
            self._notes.unreadable(token, Slip.NO_CALL)
        else:
            numeral, is_marked = called
            stands = self._judge(seat, numeral, token, is_marked=is_marked, again=again)
            # More attempts than there can be say nothing more.
            if stands or self._said.attempts(seat) < ATTEMPTS:
                self._said = self._said.said(Call(seat, called[0], not stands))
        if stands:
            self._stands.add(seat)
        self._turn = self._order.index(seat)

    def _caller(self, token: Token, *, is_first: bool) -> int:
        """The seat whose call this is.

        A wrong tag counts as whose turn it is, if the player of that tag calls elsewhere in
        the round; otherwise that player calls out of turn.
        """
        position, due = self._position, self._due()
        seat = position.seat_in(token.tag)
        if seat == due:
            return due
        if seat is None:
            if token.tag in position.seats:
                self._notes.add(Slip.HAS_LEFT, token, tag=token.tag)
            elif token.tag:
                self._notes.add(Slip.NOBODY, token, text=token.tag)
            return due
        if not is_first:
            tags = position.tags
            self._notes.add(Slip.NOT_YOUR_CALL, token, tag=tags[seat], speaker=tags[due])
            self._lost_turn = True
        return due if seat in self._stands or self._left[seat] else seat

    def _due(self) -> int:
        """Who is to call: the nearest player from the last caller on whose call does not stand."""
        turns = (*self._order[self._turn :], *self._order[: self._turn])
        return next(seat for seat in turns if seat not in self._stands)

    def _judge(self, seat: int, called: int, token: Token, *, is_marked: bool, again: bool) -> bool:
        """Whether the call stands. Where its mark is wrong: if the same player calls no more."""
        is_taken = self._said.is_taken(called)
        try:
            self._said.check_number(seat, called)
        except Illegal as illegal:
            slip = Slip[illegal.reason.name]
            self._notes.add(slip, token, text=cut(token.text), **illegal.values)
            return not again
        if is_marked == is_taken:
            return not is_taken
        slip = Slip.CALL_TAKEN if is_taken else Slip.CALL_STANDS
        self._notes.add(slip, token, text=cut(token.text))
        return not again

    def _missing(self) -> None:
        """Note that calls are missing; a round that is cut short has lost its calls, too."""
        missing = [seat for seat in self._order if seat not in self._stands]
        if missing and not self._lost_turn and self._record.hands is not None:
            self._notes.add(Slip.CALL_MISSING, tag=self._position.tags[missing[0]])


def _call(token: Token) -> tuple[int, bool] | None:
    """The number of a call, and whether it is marked as an attempt; None if it is none."""
    called = number(token.sign.removesuffix(TAKEN)) if token.tag else None
    return None if called is None else (called, token.sign.endswith(TAKEN))
