"""What a replay says, step by step."""

from protocol.rules.options import PRESETS
from spoof_tui.ui.replay.drawing import still_of
from spoof_tui.ui.replay.player import Player
from spoof_tui.ui.table.middle import middle
from tests.protocol.notation.games import SCHOOL, game_of, text_of
from tests.spoof_tui.ui.replay.recordings import FAULTY, TWO_GAMES, picture, player, press, walk
from tests.spoof_tui.ui.table.scenes import draw_table


def text(shown: Player) -> str:
    """What is on the screen, the table itself included."""
    table = [strip.text for strip in draw_table(still_of(shown), 56, 15)]
    return "\n".join([*picture(shown), *table])


def test_the_beginning_tells_who_plays_what_and_when() -> None:
    shown = text(player(TWO_GAMES))
    for part in ("Night train Kyiv-Lviv", "Three Coins", "2026-11-21", "game 1"):
        assert part in shown
    assert "Round the table: Svitlana (S), Dmytro (D), Maria (M)." in shown


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


def test_the_rounds_so_far_tell_nothing_of_a_round_before_its_count() -> None:
    shown = player(TWO_GAMES, "2", "enter", "right")
    rounds = picture(shown)
    assert any("1 call" in row and "Maria -1" in row for row in rounds)
    assert not any("Dmytro -1" in row for row in rounds)
    assert any("Dmytro -1" in row for row in picture(press(shown, "down", "left")))


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


def test_the_end_tells_who_won_or_that_the_game_is_not_over() -> None:
    assert "The record ends here" in text(player(TWO_GAMES, "end"))
    assert "Another game follows: press ]." in text(player(TWO_GAMES, "end"))
    won = text(player(TWO_GAMES, "right_square_bracket", "end"))
    assert "Dmytro wins" in won and "Every round keeps the rules." in won


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


def test_a_void_round_is_told() -> None:
    shown = player(FAULTY, "3", "enter", "right", "right", "right")
    assert "A fist stayed shut" in text(shown) and "round is void" in text(shown)


def test_a_record_without_seats_shows_its_faults() -> None:
    shown = text(player("1. S1 D! (S1 D1) D- = S3 D2"))
    assert "This record does not keep the rules:" in shown
    assert "the header Rules is missing" in shown
    assert "Who plays what?" in shown


def test_a_round_that_nobody_can_judge_says_so() -> None:
    head = '[Rules "milan"]\n[Seats "S:S D:D"]\n[Coins "S1 D3"]\n[Result "D"]\n\n'
    shown = player(head + "1. D1 S! (S0 D1) S- = S0 D3\n2. D1\n", "2", "enter")
    assert "cannot be shown" in text(shown)
    assert "the game is over" in text(shown)


def test_nothing_from_the_file_reaches_the_terminal_raw() -> None:
    evil = "\x1b]0;owned\x07\u202e[@click=app.exit]x[/]\u200d"
    record = TWO_GAMES.replace("Night train", evil).replace("Svitlana", "S" + evil.replace(" ", ""))
    shown = player(record)
    for _still in walk(shown):
        letters = "".join(picture(shown)) + text(shown).replace("\n", "")
        assert letters.isprintable()
        assert not set(letters) & {"\u202e", "\u200d", "\x07", "\x1b"}


def test_names_are_short_and_no_two_alike() -> None:
    seats = 'Seats "S:Svitlana_Olena_Maria D:Svitlana_Olena_Maria"'
    shown = player(f'[Rules "milan"]\n[{seats}]\n[Result "*"]\n')
    assert len(set(still_of(shown).names)) == 2


def test_a_typed_number_is_shown_until_it_is_used() -> None:
    shown = player(TWO_GAMES, "1", "2")
    assert "Go to round: 12" in text(shown)
    assert "Go to round" not in text(press(shown, "enter"))


def test_playing_and_open_hands_are_told_in_the_rule() -> None:
    shown = text(player(TWO_GAMES, "down", "space", "o"))
    assert "playing, 1.5 s a step" in shown and "hands open" in shown


def test_every_size_can_be_drawn() -> None:
    shown = player(FAULTY + text_of(game_of(3, players=9)))
    for width, height in ((1, 1), (20, 3), (40, 6), (80, 8), (200, 60)):
        press(shown, "home")
        for still in walk(shown):
            lines = draw_table(still, width, height)
            assert {strip.cell_length for strip in lines} == {width}
        assert picture(shown, width)


def test_there_is_a_sentence_for_the_start_of_a_game_by_crap() -> None:
    assert "milan" in PRESETS
    record = TWO_GAMES.replace('[Coins "O1 D3"]', '[Coins "O1 D3"]\n[Crap "D"]')
    shown = player(record, "right_square_bracket")
    assert "Dmytro was first out of the last game, and opens (R15)." in text(shown)
