"""What a judge of rounds notes down, and whose token is whose."""

import pytest

from protocol.notation.faults import Slip
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes, first, seats_of

SEATS = {"S": 0, "D": 1, "M": 2}


@pytest.fixture
def notes() -> Notes:
    """Notes of round 3, which begins on line 9."""
    return Notes(RoundRecord(3, (), None, None, None, line=9))


def slips(notes: Notes) -> list[Slip]:
    return [fault.slip for fault in notes.faults]


def test_a_fault_stands_where_its_token_stands_or_else_where_its_round_begins(notes: Notes) -> None:
    notes.add(Slip.NO_HANDS)
    notes.add(Slip.TWICE, Token("S", "4"), tag="S")
    notes.add(Slip.TWICE, Token("S", "4", line=11), tag="S")
    assert [fault.line for fault in notes.faults] == [9, 9, 11]
    assert {fault.round for fault in notes.faults} == {notes.number} == {3}


def test_another_clause_than_that_of_the_kind_may_decide(notes: Notes) -> None:
    notes.add(Slip.HAND_MISSING, tag="S")
    notes.add_by("H4", Slip.HAND_MISSING, tag="S")
    assert [fault.clause for fault in notes.faults] == ["R2", "H4"]


def test_of_what_cannot_be_read_a_number_that_is_too_long_is_told_as_such(notes: Notes) -> None:
    notes.unreadable(Token("S", "x"))
    notes.unreadable(Token("S", "x"), Slip.NO_WORD)
    notes.unreadable(Token("S", "9" * 60), Slip.NO_WORD)
    assert slips(notes) == [Slip.UNREADABLE, Slip.NO_WORD, Slip.BIG_NUMBER]
    assert len(notes.faults[-1].message) < 100


def test_tokens_are_found_by_the_seat_of_their_tag(notes: Notes) -> None:
    tokens = Token("M", "2"), Token("S", "1")
    assert seats_of(tokens, SEATS, notes) == ({2: tokens[0], 0: tokens[1]}, True)
    assert slips(notes) == []


@pytest.mark.parametrize(
    ("token", "slip"),
    [
        (Token("", "17"), Slip.UNREADABLE),
        (Token("X", "1"), Slip.NOBODY),
        (Token("S", "2"), Slip.TWICE),
    ],
)
def test_a_token_that_is_of_no_seat_of_its_own_is_noted_and_left_out(
    notes: Notes, token: Token, slip: Slip
) -> None:
    assert seats_of([Token("S", "1"), token], SEATS, notes) == ({0: Token("S", "1")}, False)
    assert slips(notes) == [slip]


def test_a_part_stands_where_its_first_token_stands_if_it_has_one() -> None:
    assert first((Token("S", "1"), Token("D", "2"))) == Token("S", "1")
    assert first(()) is first(None) is None
