"""The panel of a replay: what a step says, what is wrong in it, and the keys."""

from protocol.rules.options import PRESETS
from spoof_tui.ui.replay.drawing import still_of
from spoof_tui.ui.table.middle import middle
from tests.protocol.notation.games import SCHOOL
from tests.spoof_tui.ui.replay.recordings import FAULTY, TWO_GAMES, player, press
from tests.spoof_tui.ui.replay.test_drawing import text


def test_every_word_has_its_sentence() -> None:
    shown = player(TWO_GAMES, "down")
    assert "Dmytro opens." in text(shown)
    assert "Dmytro opens with 4" in text(press(shown, "right"))
    assert "Maria raises 4 to 6." in text(press(shown, "right"))
    assert "Svitlana: call! Fewer than 6" in text(press(shown, "right"))
    counted = text(press(shown, "right"))
    assert "Svitlana 0 + Dmytro 2 + Maria 2 = 4" in counted
    assert "Maria bid 6: too high. Maria loses a coin." in counted
    assert "Maria: cliff! Exactly 3" in text(player(TWO_GAMES, "3", "enter", "right", "right"))


def test_spoof_and_zero_have_their_sentences_too() -> None:
    head = '[Rules "milan"]\n[Seats "S:S D:D"]\n[Result "*"]\n\n'
    shown = player(head + "1. Smax (S3 D3) . = S3 D3\n2. S0 (S1 D0) S- = S2 D3\n", "down")
    assert "S: spoof! All 6 coins" in text(press(shown, "right"))
    assert "SPOOF!" in middle(still_of(shown)).above
    assert "S: zero! Every fist is empty." in text(press(shown, "down", "right"))


def test_faults_of_words_are_told_at_once_and_faults_of_the_count_with_it() -> None:
    shown = player(FAULTY, "down")
    assert "This round does not keep the rules:" in text(shown)
    assert "'S3' is not above the standing bid of 4 (R6)" in text(shown)
    assert "the total is 2" not in text(shown)
    assert "the total is 2: the changes are S- and not D- (R7)" in text(press(shown, "o"))
    counted = text(press(shown, "o", "down", "left"))
    assert "the total is 2: the changes are S- and not D- (R7)" in counted


def test_faults_of_the_end_are_told_at_the_end() -> None:
    shown = text(player(FAULTY, "end"))
    assert "This record does not keep the rules:" in shown
    assert "the result is * and not 'S' (R13)" in shown
    assert "Rounds that do not keep the rules: 2." in shown


def test_the_guessing_game_is_told_by_its_own_words() -> None:
    shown = player(SCHOOL, "down")
    assert "Sam calls first." in text(shown)
    assert "Sam calls Skins (4)." in text(press(shown, "right"))
    taken = text(press(shown, "right"))
    assert "Dan calls Skins (4): it is taken" in taken and "4?" in taken
    counted = text(press(shown, "down", "left"))
    assert "Sam called it, and leaves." in counted
    assert "Fined" in counted
    end = text(press(shown, "end"))
    assert "Mia pays" in end and "honoured to pay (H12)" in end


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
