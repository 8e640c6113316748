"""The fists of a recorded round."""

import pytest

from protocol.notation.faults import Slip
from protocol.notation.hands import NO_HANDS, HandRules, Hands, look
from protocol.notation.position import Position
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes
from protocol.notation.tokens import split_token

RULES = HandRules("H4", Slip.HAS_LEFT)
POSITION = Position.first(("S", "D", "M"), (3, 0, 2), None)
"""D is out."""


def looked_at(text: str | None) -> tuple[Hands, list[tuple[Slip, str]]]:
    """The hands of a round that are written so, and its faults with their clauses."""
    tokens = None if text is None else tuple(Token(*split_token(each)) for each in text.split())
    record = RoundRecord(1, (), tokens, None, None)
    notes = Notes(record)
    hands = look(POSITION, record, RULES, notes)
    return hands, [(fault.slip, fault.clause) for fault in notes.faults]


def test_a_round_without_hands_shows_nothing() -> None:
    assert looked_at(None) == (NO_HANDS, [])


def test_the_hands_of_all_who_are_in_are_whole() -> None:
    assert looked_at("M0 S3") == (Hands({0: 3, 2: 0}, (), whole=True), [])


def test_a_fist_that_stayed_shut_is_there_and_shows_nothing() -> None:
    hands, faults = looked_at("S? M1")
    assert (hands, faults) == (Hands({2: 1}, (0,), whole=True), [])
    assert hands.shown == {0: None, 2: 1}


def test_a_hand_of_more_coins_than_are_owned_is_a_fault_by_the_clause_of_the_game() -> None:
    hands, faults = looked_at("S1 M3")
    assert faults == [(Slip.HAND_TOO_BIG, "H4")]
    assert hands.open == {0: 1, 2: 3}


def test_who_is_in_and_shows_no_fist_is_missing() -> None:
    hands, faults = looked_at("S1")
    assert faults == [(Slip.HAND_MISSING, "H4")]
    assert not hands.whole


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("S1 M1 D1", (Slip.HAS_LEFT, "H10")),
        ("S1 M!", (Slip.UNREADABLE, "notation")),
        ("S1 M1 X1", (Slip.NOBODY, "notation")),
        ("S1 M1 S2", (Slip.TWICE, "notation")),
    ],
)
def test_every_other_fault_is_told_once(text: str, fault: tuple[Slip, str]) -> None:
    assert looked_at(text)[1] == [fault]


def test_what_is_missing_cannot_be_said_where_something_is_of_nobody() -> None:
    assert looked_at("S1 X1")[1] == [(Slip.NOBODY, "notation")]
