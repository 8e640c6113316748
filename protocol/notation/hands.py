"""The fists of a recorded round, in either game (R2, H4, G3)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from protocol.notation.faults import Slip
from protocol.notation.position import Position
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes, first, seats_of
from protocol.notation.signs import SHUT
from protocol.notation.tokens import number


@dataclass(frozen=True, slots=True)
class Hands:
    """The fists of a round as far as they can be read."""

    open: Mapping[int, int]
    """Coins in the opened fists, by seat."""
    shut: tuple[int, ...]
    """Seats whose fist stayed shut."""
    whole: bool
    """Whether there is a fist, open or shut, of everybody who is in."""

    @property
    def shown(self) -> dict[int, int | None]:
        """All of them by seat; None for one that stayed shut."""
        return {seat: self.open.get(seat) for seat in sorted((*self.open, *self.shut))}


NO_HANDS = Hands({}, (), whole=False)
"""What is known of the fists of a round that could not be judged."""


@dataclass(frozen=True, slots=True)
class HandRules:
    """What the two games say about hands."""

    clause: str
    """Says what a hand may hold, and that everybody has one."""
    gone: Slip
    """The fault of a hand of somebody who is no longer in."""


def look(position: Position, record: RoundRecord, rules: HandRules, notes: Notes) -> Hands:
    """The fists of the record."""
    if record.hands is None:
        return NO_HANDS
    tokens, clear = seats_of(record.hands, position.seats, notes)
    coins, known, shut = position.coins, dict[int, int](), list[int]()
    for seat, token in tokens.items():
        hand = number(token.sign)
        if not coins[seat]:
            notes.add(rules.gone, token, tag=token.tag)
        elif token.sign == SHUT:
            shut.append(seat)
        elif hand is None:
            notes.unreadable(token)
        else:
            known[seat] = hand
            if hand > coins[seat]:
                _too_big(token, hand, coins[seat], rules, notes)
    if clear and len(tokens) < len(position.players):
        _missing(position, tokens, record, rules, notes)
    # Nobody is in these who is no longer in.
    whole = len(known) + len(shut) == len(position.players)
    return Hands(known, tuple(shut), whole)


def _too_big(token: Token, hand: int, coins: int, rules: HandRules, notes: Notes) -> None:
    notes.add_by(rules.clause, Slip.HAND_TOO_BIG, token, tag=token.tag, hand=hand, coins=coins)


def _missing(
    position: Position,
    tokens: Mapping[int, Token],
    record: RoundRecord,
    rules: HandRules,
    notes: Notes,
) -> None:
    for seat in position.players:
        if seat not in tokens:
            tag = position.tags[seat]
            notes.add_by(rules.clause, Slip.HAND_MISSING, first(record.hands), tag=tag)
