"""Typed lines: words of the game, and numbers, in every language and layout."""

import pytest

from protocol.rules.words import Ending
from spoof_tui.acts.table import LETTERS
from spoof_tui.plain.typed import meaning
from spoof_tui.telling.sentences import word_name
from tests.spoof_tui.ui.table.scenes import at

BIDDING = at("answering").clients[0].view
GUESSING = at("answering", rules="hollywood").clients[0].view


@pytest.mark.parametrize("word", Ending)
def test_an_ending_word_is_said_by_its_names_and_its_letter(word: Ending, language: str) -> None:
    for text in (word.value, word.value.upper() + "!", word_name(word), LETTERS[word]):
        assert meaning(text, BIDDING) is word


def test_in_the_guessing_game_a_call_has_a_name() -> None:
    assert meaning("Flowers", GUESSING) == 3
    assert meaning("call", GUESSING) is None


@pytest.mark.parametrize("text", ["", "  ", "-3", "99999", "callx", "9 coins", "³"])
def test_what_means_nothing_is_told_apart(text: str) -> None:
    assert meaning(text, BIDDING) is None
