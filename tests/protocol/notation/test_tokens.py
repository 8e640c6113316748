"""Tags and numbers: what a token is made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.notation.tokens import (
    LONGEST_NUMBER,
    LONGEST_TAG,
    is_letter,
    is_long_number,
    is_tag,
    number,
    split_token,
)

tags = st.text(st.characters(categories=["Lu"]).filter(is_letter), min_size=1, max_size=3)


@pytest.mark.parametrize("text", ["S", "ОЛ", "名", "max", "ABC"])
def test_a_tag_is_one_to_three_letters_of_any_alphabet(text: str) -> None:
    assert is_tag(text)


@pytest.mark.parametrize("text", ["", "ABCD", "S1", "_", "1", "ㅤ", "e\u0301", "\u200b"])
def test_what_is_no_letter_or_cannot_be_seen_is_no_tag(text: str) -> None:
    assert not is_tag(text)


@pytest.mark.parametrize(
    ("text", "tag", "sign"),
    [
        ("S4", "S", "4"),
        ("S!", "S", "!"),
        ("Smax", "S", "max"),
        ("ABCmax", "ABC", "max"),
        ("max", "max", ""),
        ("M*", "M", "*"),
        ("ABCD4", "", "ABCD4"),
        ("4", "", "4"),
        ("", "", ""),
    ],
)
def test_a_token_is_split_behind_its_letters(text: str, tag: str, sign: str) -> None:
    assert split_token(text) == (tag, sign)


def test_a_letter_that_is_written_in_two_pieces_is_one_letter() -> None:
    assert split_token("E\u03014") == ("É", "4")


@given(tags, st.sampled_from(["", "0", "17", "!", "=", "-", "+", "?", "12?"]))
def test_a_tag_and_a_sign_are_found_again(tag: str, sign: str) -> None:
    found, rest = split_token(tag + sign)
    assert is_tag(found) and len(found) <= LONGEST_TAG
    assert rest == sign


@given(st.integers(0, 10**LONGEST_NUMBER - 1))
def test_a_number_is_read_as_it_is_written(value: int) -> None:
    assert number(str(value)) == value
    assert not is_long_number(str(value))


@pytest.mark.parametrize("sign", ["", "04", "00", "-1", "+1", "4 ", "٤", "²", "1e3", "9" * 10])
def test_what_is_written_otherwise_is_no_number(sign: str) -> None:
    assert number(sign) is None


def test_only_digits_are_a_number_that_is_too_long() -> None:
    assert is_long_number("9" * (LONGEST_NUMBER + 1))
    assert not is_long_number("9" * LONGEST_NUMBER + "x")
    assert not is_long_number("٩" * (LONGEST_NUMBER + 1))
