"""Large letters: every code and every number can be written, and nothing is taken for another."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.join_code import ALPHABET
from spoof_tui.ui.canvas.big_letters import HUGE_ROWS, LARGE, ROWS, WIDEST, huge, large


def test_every_digit_and_every_letter_of_a_code_is_there() -> None:
    assert set(LARGE) == {*"0123456789/", *ALPHABET}


def test_all_rows_of_a_letter_are_equally_long() -> None:
    for letter, rows in LARGE.items():
        assert len(rows) == ROWS, letter
        assert {len(row) for row in rows} == {len(rows[0])}, letter
        assert 3 <= len(rows[0]) <= WIDEST, letter


def test_no_two_letters_of_a_code_look_the_same() -> None:
    assert [pair for pair in combinations(ALPHABET, 2) if LARGE[pair[0]] == LARGE[pair[1]]] == []


@given(st.text(ALPHABET, min_size=1, max_size=9))
def test_a_text_is_as_wide_as_its_letters_with_a_column_between(text: str) -> None:
    width = sum(len(LARGE[letter][0]) for letter in text) + len(text) - 1
    assert [len(row) for row in large(text)] == [width] * ROWS


def test_huge_digits_are_equally_wide_and_differ() -> None:
    digits = [huge(digit) for digit in "0123456789/"]
    assert {len(digit) for digit in digits} == {HUGE_ROWS}
    assert {len(row) for digit in digits for row in digit} == {6}
    assert len(set(digits)) == len(digits)
