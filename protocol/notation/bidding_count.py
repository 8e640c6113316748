"""The count of a recorded round: hands, changes and coins (R2, R7 to R13, G3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from protocol.bidding import BiddingRound, RoundOutcome
from protocol.notation.bidding_position import CHANGES, SHUT, Position
from protocol.notation.faults import Slip
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes, first, seats_of
from protocol.notation.tokens import number
from protocol.words import Ending


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


@dataclass(frozen=True, slots=True)
class Stated:
    """What the record says that the round did; None for what it does not say, or not clearly."""

    changes: Mapping[int, int] | None
    """Coins won and lost, by seat."""
    coins: Mapping[int, int] | None
    """Coins afterwards, by seat."""


def look(position: Position, record: RoundRecord, notes: Notes) -> Hands:
    """The fists of the record (R2)."""
    if record.hands is None:
        return Hands({}, (), False)
    tokens, clear = seats_of(record.hands, position.seats, notes)
    hands = {seat: _hand(position, seat, token, notes) for seat, token in tokens.items()}
    missing = [seat for seat in position.players if seat not in tokens] if clear else []
    for seat in missing:
        notes.add(Slip.HAND_MISSING, first(record.hands), tag=position.tags[seat])
    known = {seat: hand for seat, hand in hands.items() if isinstance(hand, int)}
    shut = tuple(seat for seat, hand in hands.items() if hand == SHUT)
    return Hands(known, shut, {*known, *shut} == set(position.players))


def _hand(position: Position, seat: int, token: Token, notes: Notes) -> int | str | None:
    """Coins in a fist, or that it stayed shut; None for a hand that cannot be."""
    hand, coins = number(token.sign), position.coins[seat]
    if not coins:
        notes.add(Slip.IS_OUT, token, tag=token.tag)
        return None
    if token.sign == SHUT:
        return SHUT
    if hand is None:
        notes.unreadable(token)
    elif hand > coins:
        notes.add(Slip.HAND_TOO_BIG, token, tag=token.tag, hand=hand, coins=coins)
    return hand


def state(position: Position, record: RoundRecord, notes: Notes) -> Stated:
    """The changes and coins of the record."""
    return Stated(
        _values(position, record.changes, CHANGES.get, notes),
        _values(position, record.after, number, notes),
    )


def _values(
    position: Position,
    tokens: tuple[Token, ...] | None,
    value_of: Callable[[str], int | None],
    notes: Notes,
) -> dict[int, int] | None:
    """The values of tokens by seat; None unless all of them are clear."""
    if tokens is None:
        return None
    found, clear = seats_of(tokens, position.seats, notes)
    values: dict[int, int] = {}
    for seat, token in found.items():
        value = value_of(token.sign)
        if value is None:
            notes.unreadable(token)
        else:
            values[seat] = value
    return values if clear and len(values) == len(found) else None


def count(said: BiddingRound, hands: Hands, stated: Stated, notes: Notes) -> RoundOutcome | None:
    """What the round did; None if it ended on a bid that nobody made, or on fists unclear."""
    if not hands.whole:
        return None
    if hands.shut:
        owner = _owner(hands.shut, stated, notes)
        return None if owner is None else said.void(owner)
    if said.ending in (Ending.CALL, Ending.CLIFF) and said.standing is None:
        return None
    return said.count(hands.open)


def _owner(shut: tuple[int, ...], stated: Stated, notes: Notes) -> int | None:
    """Whose shut fist voids the round: of several, the one that the record lets lose (G3)."""
    if len(shut) == 1:
        return shut[0]
    losers = [seat for seat in shut if (stated.changes or {}).get(seat) == -1]
    if len(losers) == 1:
        return losers[0]
    notes.add(Slip.SHUT_FISTS)
    return None


def compare(
    position: Position, outcome: RoundOutcome, stated: Stated, record: RoundRecord, notes: Notes
) -> None:
    """Note where the record and the outcome differ (R7 to R10, G3)."""
    clause = outcome.verdict.clause
    if stated.changes is not None and stated.changes != outcome.changes:
        total = {} if outcome.total is None else {"total": outcome.total}
        notes.add_by(
            clause,
            Slip.CHANGES if total else Slip.CHANGES_OF_VOID,
            first(record.changes),
            right=position.changes_text(outcome.changes),
            written=position.changes_text(stated.changes),
            **total,
        )
    _compare_coins(position, outcome.coins, clause, stated, record, notes)


def add_up(position: Position, stated: Stated, record: RoundRecord, notes: Notes) -> None:
    """Note where the changes and the coins of a round that cannot be counted contradict."""
    if stated.changes is not None:
        changes = stated.changes
        coins = tuple(max(0, c + changes.get(seat, 0)) for seat, c in enumerate(position.coins))
        _compare_coins(position, coins, Slip.COINS.clause, stated, record, notes)


def _compare_coins(
    position: Position,
    coins: tuple[int, ...],
    clause: str,
    stated: Stated,
    record: RoundRecord,
    notes: Notes,
) -> None:
    right = {seat: coins[seat] for seat in position.players}
    if stated.coins is not None and stated.coins != right:
        notes.add_by(
            clause,
            Slip.COINS,
            first(record.after),
            right=position.coins_text(right),
            written=position.coins_text(stated.coins),
        )
