"""The names of the calls in the guessing game."""

import pytest

from protocol.rules.options import START_COINS
from spoof_tui.ui.wording.calls import NAMED, call_name, call_words

NUMBERS = range(9 * START_COINS + 1)
"""What nine players may call."""


def test_every_name_is_of_one_call() -> None:
    names = [call_name(number) for number in NAMED]
    assert all(names) and len(set(names)) == len(NAMED)


def test_no_name_is_invented() -> None:
    assert {number for number in NUMBERS if call_name(number)} == set(NAMED)


@pytest.mark.parametrize(("number", "words"), [(0, "Spoof (0)"), (6, "6"), (7, "Neves (7)")])
def test_a_call_is_said_by_its_name_and_its_number(number: int, words: str) -> None:
    assert call_words(number) == words


@pytest.mark.parametrize("number", NUMBERS)
def test_whatever_a_call_is_called_its_number_is_said(number: int) -> None:
    assert str(number) in call_words(number)
