"""The game in ten lines."""

from protocol.rules.words import Ending
from spoof_tui.ui.wording.sentences import word_name
from spoof_tui.ui.wording.the_game import ending_meanings, how_a_round_goes, how_it_ends


def test_every_ending_word_is_explained() -> None:
    assert [word for word, _meaning in ending_meanings()] == [word_name(word) for word in Ending]


def test_the_rest_are_sentences() -> None:
    *first, last = how_a_round_goes()
    assert all(text.endswith(".") for text in [*first, how_it_ends()])
    assert last.endswith(":")
