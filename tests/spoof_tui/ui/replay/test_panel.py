"""The panel of a replay: what a step says, what is wrong in it, and the keys."""

from protocol.rules.options import PRESETS
from tests.spoof_tui.ui.replay.recordings import FAULTY, TWO_GAMES, player, press
from tests.spoof_tui.ui.replay.test_drawing import text


def test_faults_of_words_are_told_at_once_and_faults_of_the_count_with_it() -> None:
    shown = player(FAULTY, "down")
    assert "This round does not keep the rules:" in text(shown)
    assert "'S3' is not above the standing bid of 4 (R6)" in text(shown)
    assert "the total is 2" not in text(shown)
    assert "the total is 2: the changes are S- and not D- (R7)" in text(press(shown, "o"))
    counted = text(press(shown, "o", "down", "left"))
    assert "the total is 2: the changes are S- and not D- (R7)" in counted


def test_a_typed_number_is_shown_until_it_is_used() -> None:
    shown = player(TWO_GAMES, "1", "2")
    assert "Go to round: 12" in text(shown)
    assert "Go to round" not in text(press(shown, "enter"))


def test_playing_and_open_hands_are_told_in_the_rule() -> None:
    shown = text(player(TWO_GAMES, "down", "space", "o"))
    assert "playing, 1.5 s a step" in shown and "hands open" in shown


def test_there_is_a_sentence_for_the_start_of_a_game_by_crap() -> None:
    assert "milan" in PRESETS
    record = TWO_GAMES.replace('[Coins "O1 D3"]', '[Coins "O1 D3"]\n[Crap "D"]')
    shown = player(record, "right_square_bracket")
    assert "Dmytro was first out of the last game, and opens (R15)." in text(shown)
