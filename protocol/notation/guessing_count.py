"""The count of a recorded guessing round: who leaves, who is fined, who stays (H7 to H13, G3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from protocol.notation.faults import Slip
from protocol.notation.hands import HandRules, Hands
from protocol.notation.position import Position
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes, first, seats_of
from protocol.notation.signs import FINED, LEAVES, NOTHING, school_changes
from protocol.rules.guessing import ATTEMPTS, GuessingRound
from protocol.rules.options import Impossible
from protocol.rules.outcome import RoundOutcome, Verdict

HAND_RULES: Final = HandRules("H4", Slip.HAS_LEFT)
"""What the guessing game says about hands."""


@dataclass(frozen=True, slots=True)
class StatedSchool:
    """What the record says that the round did; None for what it does not say, or not clearly."""

    left: tuple[int, ...] | None
    """Who guessed right and leaves."""
    fined: Counter[int] | None
    """How many fines, by seat."""
    staying: frozenset[int] | None
    """Who is still in the school."""


def state(position: Position, record: RoundRecord, notes: Notes) -> StatedSchool:
    """The changes and the school of the record."""
    left, fined = _changes(position, record.changes, notes)
    return StatedSchool(left, fined, _staying(position, record.after, notes))


def _changes(
    position: Position, tokens: tuple[Token, ...] | None, notes: Notes
) -> tuple[tuple[int, ...] | None, Counter[int] | None]:
    if tokens is None:
        return None, None
    left: list[int] = []
    fined: Counter[int] = Counter()
    clear = True
    for token in tokens:
        seat = position.seats.get(token.tag)
        if seat is not None and token.sign == FINED:
            fined[seat] += 1
        elif seat is not None and token.sign == LEAVES and seat not in left:
            left.append(seat)
        else:
            clear = False
            _unclear(token, seat, notes)
    return (tuple(left), fined) if clear else (None, None)


def _unclear(token: Token, seat: int | None, notes: Notes) -> None:
    if seat is not None and token.sign == LEAVES:
        notes.add(Slip.TWICE, token, tag=token.tag)
    elif seat is None and token.tag:
        notes.add(Slip.NOBODY, token, text=token.tag)
    else:
        notes.unreadable(token)


def _staying(
    position: Position, tokens: tuple[Token, ...] | None, notes: Notes
) -> frozenset[int] | None:
    if tokens is None:
        return None
    found, clear = seats_of(tokens, position.seats, notes)
    wrong = [token for token in found.values() if token.sign]
    for token in wrong:
        notes.unreadable(token)
    return None if wrong or not clear else frozenset(found)


def count(
    said: GuessingRound, hands: Hands, stated: StatedSchool, notes: Notes
) -> RoundOutcome | None:
    """What the round did; None if calls are missing or fists are unclear."""
    if not said.is_over or not hands.whole:
        return None
    if hands.shut:
        owner = _owner(hands.shut, stated, notes)
        return None if owner is None else said.void(owner)
    return said.count(hands.open)


def _owner(shut: tuple[int, ...], stated: StatedSchool, notes: Notes) -> int | None:
    """Whose shut fist voids the round: of several, the one that the record fines (G3)."""
    if len(shut) == 1:
        return shut[0]
    fined = [seat for seat in shut if stated.fined and stated.fined[seat]]
    if len(fined) == 1:
        return fined[0]
    notes.add(Slip.SHUT_FISTS_FINED)
    return None


def _impossible(said: GuessingRound, hands: Mapping[int, int]) -> list[int]:
    """Seats whose call their own hand made impossible (H7)."""
    called = said.called
    return [seat for seat in said.order if not said.is_possible(called[seat], hands[seat])]


def compare(
    position: Position,
    said: GuessingRound,
    hands: Hands,
    outcome: RoundOutcome,
    stated: StatedSchool,
    record: RoundRecord,
    notes: Notes,
) -> None:
    """Note where the record and the outcome differ (H7 to H13, G3)."""
    if stated.left is not None and stated.fined is not None:
        _compare_leaving(position, outcome, stated.left, record, notes)
        if _without_house(said, hands, outcome, stated.fined) != Counter(outcome.fined):
            clause = _clause_of_fines(said, hands, outcome, stated.fined)
            right, written = _fines(position, outcome.fined), _fines(position, stated.fined)
            notes.add_by(clause, Slip.FINES, first(record.changes), right=right, written=written)
    _compare_school(position, outcome.coins, outcome.verdict.clause, stated, record, notes)


def _without_house(
    said: GuessingRound, hands: Hands, outcome: RoundOutcome, stated: Counter[int]
) -> Counter[int]:
    """The fines of the record, as if a call that the clock made were fined like any other (H13).

    No record says which one that is; it can only be the lowest number that was free.
    """
    if outcome.verdict is Verdict.VOID or said.rules.impossible is Impossible.ALLOW:
        return stated
    impossible = _impossible(said, hands.open)
    spared = [s for s in impossible if said.may_be_none(s) and not said.attempts(s)]
    return stated | Counter([s for s in spared if not stated[s]])


def _compare_leaving(
    position: Position,
    outcome: RoundOutcome,
    left: tuple[int, ...],
    record: RoundRecord,
    notes: Notes,
) -> None:
    if left == outcome.went_out:
        return
    total = {} if outcome.total is None else {"total": outcome.total}
    notes.add_by(
        outcome.verdict.clause,
        Slip.CHANGES if total else Slip.CHANGES_OF_VOID,
        first(record.changes),
        right=_changes_text(position, outcome.went_out, ()),
        written=_changes_text(position, left, ()),
        **total,
    )


def _clause_of_fines(
    said: GuessingRound, hands: Hands, outcome: RoundOutcome, stated: Counter[int]
) -> str:
    """The clause of the first fine that is missing, or that is too much."""
    if outcome.verdict is Verdict.VOID:
        return outcome.verdict.clause
    right = Counter(outcome.fined)
    wrong = next(seat for seat in sorted(right | stated) if right[seat] != stated[seat])
    duplicate = said.attempts(wrong) >= ATTEMPTS
    impossible = wrong in _impossible(said, hands.open)
    if stated[wrong] > right[wrong]:
        is_allowed = impossible and said.rules.impossible is Impossible.ALLOW
        return "H7" if is_allowed else Slip.FINES.clause
    if duplicate and impossible:
        return Slip.FINES.clause
    return "H8" if duplicate else "H7"


def add_up(position: Position, stated: StatedSchool, record: RoundRecord, notes: Notes) -> None:
    """Note where the changes and the school of a round that cannot be counted contradict."""
    if stated.left is not None:
        coins = tuple([0 if s in stated.left else c for s, c in enumerate(position.coins)])
        _compare_school(position, coins, Slip.SCHOOL.clause, stated, record, notes)


def _compare_school(
    position: Position,
    coins: tuple[int, ...],
    clause: str,
    stated: StatedSchool,
    record: RoundRecord,
    notes: Notes,
) -> None:
    right = frozenset(seat for seat in position.players if coins[seat])
    if stated.staying is not None and stated.staying != right:
        notes.add_by(
            clause,
            Slip.SCHOOL,
            first(record.after),
            right=_school_text(position, right),
            written=_school_text(position, stated.staying),
        )


def _school_text(position: Position, seats: Iterable[int]) -> str:
    return " ".join(position.tags[seat] for seat in sorted(seats)) or NOTHING


def _changes_text(position: Position, left: Iterable[int], fined: Iterable[int]) -> str:
    changes = school_changes(left, fined)
    return " ".join(position.tags[seat] + sign for seat, sign in changes) or NOTHING


def _fines(position: Position, fined: Iterable[int]) -> str:
    return _changes_text(position, (), Counter(fined).elements())
