"""The count of a recorded round: changes and coins (R7 to R13, G3)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from protocol.notation.faults import Slip
from protocol.notation.hands import HandRules, Hands
from protocol.notation.position import Position
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes, first, seats_of
from protocol.notation.signs import CHANGES, NOTHING
from protocol.notation.tokens import number
from protocol.rules.bidding import BiddingRound
from protocol.rules.outcome import RoundOutcome
from protocol.rules.words import Ending

HAND_RULES: Final = HandRules("R2", Slip.IS_OUT)
"""What the bidding game says about hands."""

_CHANGE_SIGNS: Final = {change: sign for sign, change in CHANGES.items()}


@dataclass(frozen=True, slots=True)
class StatedCoins:
    """What the record says that the round did; None for what it does not say, or not clearly."""

    changes: Mapping[int, int] | None
    """Coins won and lost, by seat."""
    coins: Mapping[int, int] | None
    """Coins afterwards, by seat."""


def state(position: Position, record: RoundRecord, notes: Notes) -> StatedCoins:
    """The changes and coins of the record."""
    return StatedCoins(
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


def count(
    said: BiddingRound, hands: Hands, stated: StatedCoins, notes: Notes
) -> RoundOutcome | None:
    """What the round did; None if it ended on a bid that nobody made, or on fists unclear."""
    if not hands.whole:
        return None
    if hands.shut:
        owner = _owner(hands.shut, stated, notes)
        return None if owner is None else said.void(owner)
    if said.ending in (Ending.CALL, Ending.CLIFF) and said.standing is None:
        return None
    return said.count(hands.open)


def _owner(shut: tuple[int, ...], stated: StatedCoins, notes: Notes) -> int | None:
    """Whose shut fist voids the round: of several, the one that the record lets lose (G3)."""
    if len(shut) == 1:
        return shut[0]
    losers = [seat for seat in shut if (stated.changes or {}).get(seat) == -1]
    if len(losers) == 1:
        return losers[0]
    notes.add(Slip.SHUT_FISTS)
    return None


def compare(
    position: Position,
    outcome: RoundOutcome,
    stated: StatedCoins,
    record: RoundRecord,
    notes: Notes,
) -> None:
    """Note where the record and the outcome differ (R7 to R10, G3)."""
    clause = outcome.verdict.clause
    if stated.changes is not None and stated.changes != outcome.changes:
        total = {} if outcome.total is None else {"total": outcome.total}
        notes.add_by(
            clause,
            Slip.CHANGES if total else Slip.CHANGES_OF_VOID,
            first(record.changes),
            right=_changes_text(position, outcome.changes),
            written=_changes_text(position, stated.changes),
            **total,
        )
    _compare_coins(position, outcome.coins, clause, stated, record, notes)


def add_up(position: Position, stated: StatedCoins, record: RoundRecord, notes: Notes) -> None:
    """Note where the changes and the coins of a round that cannot be counted contradict."""
    if stated.changes is not None:
        changes = stated.changes
        coins = tuple(max(0, c + changes.get(seat, 0)) for seat, c in enumerate(position.coins))
        _compare_coins(position, coins, Slip.COINS.clause, stated, record, notes)


def _compare_coins(
    position: Position,
    coins: tuple[int, ...],
    clause: str,
    stated: StatedCoins,
    record: RoundRecord,
    notes: Notes,
) -> None:
    right = {seat: coins[seat] for seat in position.players}
    if stated.coins is not None and stated.coins != right:
        notes.add_by(
            clause,
            Slip.COINS,
            first(record.after),
            right=_coins_text(position, right),
            written=_coins_text(position, stated.coins),
        )


def _coins_text(position: Position, coins: Mapping[int, int]) -> str:
    """Coins by seat as a record has them."""
    return " ".join(f"{position.tags[seat]}{coins[seat]}" for seat in sorted(coins)) or NOTHING


def _changes_text(position: Position, changes: Mapping[int, int]) -> str:
    """Changes by seat as a record has them."""
    signs = (f"{position.tags[s]}{_CHANGE_SIGNS[changes[s]]}" for s in sorted(changes))
    return " ".join(signs) or NOTHING
