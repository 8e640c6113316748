"""The count of a recorded guessing round: who leaves, who is fined, who stays."""

from collections import Counter

import pytest

from protocol.notation.faults import Slip
from protocol.notation.guessing_count import StatedSchool, count, state
from protocol.notation.hands import NO_HANDS, Hands
from protocol.notation.position import Position
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes
from protocol.notation.tokens import split_token
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import GuessingRules
from protocol.rules.words import Bid

POSITION = Position.first(("S", "D", "M"), (3, 3, 3), 0)
SAID = GuessingRound(GuessingRules.parse("hollywood"), (3, 3, 3), 0).say(0, Bid(4)).say(1, Bid(5))
CALLED = SAID.say(2, Bid(3))
NOTHING = StatedSchool(None, None, None)


def tokens(text: str) -> tuple[Token, ...]:
    return tuple(Token(*split_token(each)) for each in text.split())


def stated(changes: str, after: str) -> tuple[StatedSchool, list[Slip]]:
    """What a record with these parts says, and its faults."""
    record = RoundRecord(1, (), (), tokens(changes), tokens(after))
    notes = Notes(record)
    return state(POSITION, record, notes), [fault.slip for fault in notes.faults]


def counted(said: GuessingRound, hands: Hands, school: StatedSchool) -> tuple[object, list[Slip]]:
    notes = Notes(RoundRecord(1, (), (), (), ()))
    outcome = count(said, hands, school, notes)
    return outcome, [fault.slip for fault in notes.faults]


def test_a_record_states_who_left_who_was_fined_and_who_stays() -> None:
    school = StatedSchool((0,), Counter({2: 2}), frozenset({1, 2}))
    assert stated("S* M$ M$", "D M") == (school, [])


@pytest.mark.parametrize(
    ("changes", "slip"),
    [("S* S*", Slip.TWICE), ("X$", Slip.NOBODY), ("S-", Slip.UNREADABLE), ("17", Slip.UNREADABLE)],
)
def test_changes_that_are_not_clear_are_not_stated(changes: str, slip: Slip) -> None:
    school, slips = stated(changes, "D M")
    assert (school.left, school.fined, slips) == (None, None, [slip])


def test_who_stays_is_written_without_a_sign() -> None:
    school, slips = stated("S*", "D3 M")
    assert (school.staying, slips) == (None, [Slip.UNREADABLE])


def test_a_round_without_all_calls_or_all_hands_is_not_counted() -> None:
    whole = Hands({0: 1, 1: 2, 2: 1}, (), whole=True)
    assert counted(SAID, whole, NOTHING) == (None, [])
    assert counted(CALLED, NO_HANDS, NOTHING) == (None, [])
    assert counted(CALLED, whole, NOTHING) == (CALLED.count(whole.open), [])


def test_of_several_shut_fists_the_one_that_is_fined_voids_the_round() -> None:
    shut = Hands({0: 1}, (1, 2), whole=True)
    fined = StatedSchool((), Counter({2: 1}), None)
    assert counted(CALLED, shut, fined) == (CALLED.void(2), [])
    assert counted(CALLED, shut, NOTHING) == (None, [Slip.SHUT_FISTS_FINED])
