"""The words of a recorded round, judged one after the other."""

from dataclasses import replace

import pytest

from protocol.notation.bidding_words import hear
from protocol.notation.faults import Slip
from protocol.notation.position import Position
from protocol.notation.records import RoundRecord, Token
from protocol.notation.rounds import Notes
from protocol.notation.tokens import split_token
from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BiddingRules, ChosenDirection
from protocol.rules.words import Bid, Direction, Ending

RULES = BiddingRules.parse("milan")
TAGS = ("S", "D", "M")


def heard(
    text: str,
    position: Position | None = None,
    direction: Direction | None = None,
    rules: BiddingRules = RULES,
) -> tuple[BiddingRound, bool, list[Slip]]:
    """The round of these words, whether it can be counted, and its faults."""
    words = tuple(Token(*split_token(each)) for each in text.split())
    record = RoundRecord(1, words, (), None, None, direction)
    notes = Notes(record)
    said, whole = hear(rules, position or Position.first(TAGS, (3, 3, 3), 0), record, notes)
    return said, whole, [fault.slip for fault in notes.faults]


def test_legal_words_make_the_round_that_was_said() -> None:
    said, whole, slips = heard("S2 D4 M!")
    assert (whole, slips) == (True, [])
    assert [word for _seat, word in said.words] == [Bid(2), Bid(4), Ending.CALL]
    assert said.standing == (1, 4)


@pytest.mark.parametrize(
    ("text", "slip"),
    [
        ("D2 M!", Slip.WRONG_OPENER),
        ("S2 M4 S!", Slip.OUT_OF_TURN),
        ("S4 D3 M!", Slip.BID_TOO_LOW),
        ("S10 D!", Slip.BID_TOO_HIGH),
        ("S!", Slip.CALL_NEEDS_BID),
        ("S2 D! M4", Slip.AFTER_ENDING),
        ("S2 X!", Slip.NOBODY),
    ],
)
def test_a_word_that_breaks_a_rule_is_one_fault_and_the_round_can_be_counted(
    text: str, slip: Slip
) -> None:
    _said, whole, slips = heard(text)
    assert (whole, slips) == (True, [slip])


@pytest.mark.parametrize(("text", "slip"), [("S2 D4", Slip.NO_ENDING), ("S? D!", Slip.NO_WORD)])
def test_a_round_without_its_end_or_with_a_word_that_is_none_is_not_counted(
    text: str, slip: Slip
) -> None:
    _said, whole, slips = heard(text)
    assert not whole and slip in slips


def test_who_is_out_does_not_speak() -> None:
    _said, _whole, slips = heard("S2 D4 M!", Position.first(TAGS, (3, 0, 3), 0))
    assert Slip.IS_OUT in slips


def test_where_nobody_has_to_open_anybody_may() -> None:
    said, whole, slips = heard("M2 S!", Position.first(TAGS, (3, 3, 3), None))
    assert (said.starter, whole, slips) == (2, True, [])


def test_after_the_first_round_another_clause_says_who_opens() -> None:
    position = Position.first(TAGS, (3, 3, 3), 0).after((3, 3, 2), 0)
    assert heard("D2 M!", position)[2] == [Slip.WRONG_STARTER]


@pytest.mark.parametrize(
    ("direction", "slips"),
    [
        (ChosenDirection.STARTER, []),
        (ChosenDirection.CLOCKWISE, [Slip.DIRECTION_RULE, Slip.OUT_OF_TURN, Slip.OUT_OF_TURN]),
    ],
)
def test_the_turn_goes_the_other_way_where_the_rules_have_it(
    direction: ChosenDirection, slips: list[Slip]
) -> None:
    rules = replace(RULES, direction=direction)
    turned = Direction.COUNTER_CLOCKWISE
    assert heard("S2 M4 D!", direction=turned, rules=rules)[2] == slips
