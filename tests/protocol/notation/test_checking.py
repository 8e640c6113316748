"""Checking what every game has: headers, numbers and results."""

import pytest

from protocol.notation import Slip, check
from tests.protocol.notation.games import KYIV, faults, only, records


def test_the_example_of_the_kyiv_guide_is_right() -> None:
    assert faults(KYIV) == []


def test_the_example_is_recomputed_as_the_notation_shows_it() -> None:
    game = only("\n".join(KYIV.splitlines()[:7])).as_json()
    assert game == {
        "rules": "three-coins",
        "seats": ["S", "D", "M"],
        "winner": None,
        "errors": [],
        "rounds": [
            {
                "round": 1,
                "starter": "D",
                "direction": ">",
                "words": [["D", 4], ["M", 6], ["S", "call"]],
                "hands": {"S": 0, "D": 2, "M": 2},
                "total": 4,
                "ending": "call",
                "right": True,
                "changes": {"M": -1},
                "coins": {"S": 3, "D": 3, "M": 2},
                "out": [],
                "next_starter": "S",
            }
        ],
    }


@pytest.mark.parametrize("name", ["Rules", "Seats", "Result"])
def test_a_header_that_is_needed_is_missed_where_the_game_begins(name: str) -> None:
    text = "\n" + KYIV.replace(f"[{name}", "[Other")
    assert faults(text) == [(2, "notation")]


@pytest.mark.parametrize(
    ("right", "wrong", "line", "clause"),
    [
        ('"three-coins"', '"hollywood-nights"', 3, "notation"),
        ('"three-coins"', '"milan cap=x"', 3, "notation"),
        ('"three-coins"', f'"milan {"x" * 300}"', 3, "notation"),
        ("S:Svitlana ", "S: ", 4, "notation"),
        ("S:Svitlana ", "S ", 4, "notation"),
        ("S:Svitlana ", "1:Svitlana ", 4, "notation"),
        ("S:Svitlana ", "Abcd:Svitlana ", 4, "notation"),
        ("D:Dmytro ", "S:Dmytro ", 4, "notation"),
        ("S:Svitlana D:Dmytro M:Maria", "S:Svitlana", 4, "G6"),
        ("M:Maria", " ".join(f"{tag}:x" for tag in "MABCEFGH"), 4, "G6"),
        ("2026-11-21", "2026-13-21", 2, "notation"),
        ("2026-11-21", "yesterday", 2, "notation"),
        ('[Result "*"]', '[Result "*"] [Crap "X"]', 5, "notation"),
        ('[Result "*"]', '[Result "*"] [Coins "S3 D3 M3 X3"]', 5, "notation"),
        ('[Result "*"]', '[Result "*"] [Coins "S3 D3"]', 5, "notation"),
        ('[Result "*"]', '[Result "*"] [Coins "S3 D3 M3 M3"]', 5, "notation"),
        ('[Result "*"]', '[Result "*"] [Coins "S3 D0 M0"]', 5, "R13"),
        ('[Result "*"]', '[Result "X"]', 5, "notation"),
        ('[Result "*"]', '[Result "S"]', 5, "R13"),
        ("\n2. ", "\n7. ", 8, "notation"),
        ("\n2. ", "\n0. ", 8, "notation"),
        ("\n1. ", "\n99999999999999999999. ", 7, "notation"),
    ],
)
def test_a_wrong_header_or_number_is_one_fault(
    right: str, wrong: str, line: int, clause: str
) -> None:
    assert faults(KYIV.replace(right, wrong)) == [(line, clause)]


def test_a_gap_in_the_numbers_is_told_once() -> None:
    text = KYIV.replace("\n3. ", "\n4. ").replace("\n2. ", "\n3. ")
    assert faults(text) == [(8, "notation")]


def test_an_event_a_date_and_unknown_headers_are_not_needed() -> None:
    text = KYIV.replace("[Event", "[Place").partition("\n[Date")
    assert faults(text[0] + text[2][text[2].index("\n") :]) == []


def test_the_coins_before_round_1_can_be_others() -> None:
    text = '[Rules "milan"]\n[Seats "S:a D:b M:c"]\n[Coins "S2 M0 D1"]\n[Result "S"]\n'
    assert faults(text + "1. S3 D! (S2 D1) D- = S2 D0") == []
    assert faults(text + "1. S4 D! (S2 D1) S- = S1 D1") == [(4, "R13"), (5, "R6")]


def test_rounds_of_unknown_rules_are_numbered_and_not_judged() -> None:
    text = KYIV.replace("three-coins", "poker").replace("M- = S3", "D+ = S9")
    game = only(text.replace("\n3. ", "\n5. "))
    assert [fault.slip for fault in game.faults] == [Slip.BAD_RULES, Slip.WRONG_NUMBER]
    assert (game.rules, len(game.rounds)) == (None, 3)


def test_the_winner_is_recomputed_and_not_believed_r13() -> None:
    text = '[Rules "milan"]\n[Seats "S:a D:b"]\n[Coins "S1 D1"]\n[Result "D"]\n'
    game = only(text + "1. S2 D! (S1 D1) D- = S1 D0\n2. Smax (S1) . = S1")
    assert [(fault.line, fault.clause) for fault in game.faults] == [(4, "R13"), (6, "R13")]
    assert game.winner == "S"


def test_the_values_of_headers_are_found_by_name() -> None:
    (record,) = records(KYIV)
    assert record.value("Rules") == "three-coins"
    assert record.value("Crap") is None


def test_a_message_quotes_a_file_without_what_a_terminal_obeys() -> None:
    text = KYIV.replace('"*"', '"Олена\u202e"')
    (fault,) = check(records(text)[0]).faults
    assert fault.message == "'Олена\\u202e' is the tag of no seat"
