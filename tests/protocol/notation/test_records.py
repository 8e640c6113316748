"""A game as it stands on paper."""

import pytest

from protocol.notation.faults import Fault, Slip
from protocol.notation.records import (
    GameEnd,
    GameHead,
    GameRecord,
    Header,
    RoundRecord,
    Token,
    first_header,
)
from protocol.rules.words import Direction
from tests.protocol.notation.games import KYIV, SCHOOL, records

WORDS = (Token("S", "4"), Token("D", "!"))


def record(**parts: tuple[Token, ...] | None) -> RoundRecord:
    return RoundRecord(
        3, WORDS, parts.get("hands"), parts.get("changes"), parts.get("after"), line=9
    )


@pytest.mark.parametrize("text", [KYIV, SCHOOL])
def test_a_round_is_written_as_it_was_read(text: str) -> None:
    [game] = records(text)
    lines = [line for line in text.splitlines() if line[:1].isdigit()]
    assert [each.text for each in game.rounds] == lines


def test_a_part_that_is_empty_is_written_and_one_that_is_missing_is_not() -> None:
    hands = (Token("S", "1"), Token("D", "?"))
    assert record().text == "3. S4 D!"
    assert record(hands=hands).text == "3. S4 D! (S1 D?)"
    assert record(hands=hands, changes=()).text == "3. S4 D! (S1 D?) ."
    assert record(hands=hands, changes=(), after=(Token("S", "2"),)).text == (
        "3. S4 D! (S1 D?) . = S2"
    )


def test_a_direction_stands_right_behind_the_number() -> None:
    turned = RoundRecord(1, WORDS, None, None, None, Direction.COUNTER_CLOCKWISE)
    assert turned.text == f"1.{Direction.COUNTER_CLOCKWISE.value} S4 D!"


def test_where_something_stood_does_not_make_it_another_thing() -> None:
    assert Token("S", "4", 7) == Token("S", "4", 8)
    assert Header("Date", "2026-11-21", 2) == Header("Date", "2026-11-21")
    assert record() == RoundRecord(3, WORDS, None, None, None, line=1)


def test_of_a_header_that_stands_twice_the_first_counts() -> None:
    headers = Header("Date", "1"), Header("Event", "2"), Header("Date", "3")
    game = GameRecord(headers, ())
    assert first_header(headers, "Date") is headers[0]
    assert (game.value("Date"), game.value("Result")) == ("1", None)


def test_a_record_is_found_again_in_the_order_of_reading() -> None:
    headers, fault = (Header("Date", "1"),), Fault.at(4, None, Slip.STRAY, text="x")
    game = GameRecord(headers, (record(),), (fault,), line=2)
    assert list(game.pieces()) == [GameHead(headers, 2), fault, record(), GameEnd()]
