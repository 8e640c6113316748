"""The calls of a recorded guessing round, judged one after the other."""

import pytest

from protocol.notation.faults import Slip
from protocol.notation.guessing_calls import hear
from protocol.notation.position import Position
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes
from protocol.notation.tokens import split_token
from protocol.rules.guessing import GuessingRound
from protocol.rules.options import GuessingRules
from protocol.rules.words import Direction

RULES = GuessingRules.parse("hollywood")
POSITION = Position.first(("S", "D", "M"), (3, 3, 3), 0)


def heard(text: str, direction: Direction | None = None) -> tuple[GuessingRound, list[Slip]]:
    """What was called in these words, and the faults."""
    words = tuple(Token(*split_token(each)) for each in text.split())
    record = RoundRecord(1, words, (), None, None, direction)
    notes = Notes(record)
    return hear(RULES, POSITION, record, notes), [fault.slip for fault in notes.faults]


def test_legal_calls_make_the_round_that_was_called() -> None:
    found, slips = heard("S4 D4? D5 M3")
    assert (found.is_over, slips) == (True, [])
    assert found.called == {0: 4, 1: 5, 2: 3}


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("S4 D5", Slip.CALL_MISSING),
        ("S4 D5 M3 S6", Slip.CALLS_ARE_OVER),
        ("S4 D4 M3", Slip.CALL_TAKEN),
        ("S4 D5? D6 M3", Slip.CALL_STANDS),
        ("S4 D10 M3", Slip.CALL_TOO_HIGH),
        ("S4 D! M3", Slip.NO_CALL),
        ("S4 X5 M3", Slip.NOBODY),
        ("S4 M3 D5", Slip.NOT_YOUR_CALL),
        ("D4 M5 S3", Slip.WRONG_CALLER),
    ],
)
def test_a_call_that_breaks_a_rule_is_told(text: str, slip: Slip) -> None:
    assert slip in heard(text)[1]


def test_a_round_of_calls_has_no_direction() -> None:
    assert heard("S4 D5 M3", Direction.COUNTER_CLOCKWISE)[1] == [Slip.NO_DIRECTION]
