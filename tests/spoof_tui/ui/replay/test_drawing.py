"""What a replay says, step by step."""

from spoof_tui.ui.replay.drawing import still_of
from spoof_tui.ui.replay.player import Player
from spoof_tui.ui.table.heap import Heap, heap_of
from tests.protocol.notation.games import game_of, text_of
from tests.spoof_tui.ui.replay.recordings import FAULTY, TWO_GAMES, picture, player, press, walk
from tests.spoof_tui.ui.table.scenes import draw_table


def text(shown: Player) -> str:
    """What is on the screen, the table itself included."""
    table = [strip.text for strip in draw_table(still_of(shown), 56, 15)]
    return "\n".join([*picture(shown), *table])


def test_the_rounds_so_far_tell_nothing_of_a_round_before_its_count() -> None:
    shown = player(TWO_GAMES, "2", "enter", "right")
    rounds = picture(shown)
    assert any("1 call" in row and "Maria -1" in row for row in rounds)
    assert not any("Dmytro -1" in row for row in rounds)
    assert any("Dmytro -1" in row for row in picture(press(shown, "down", "left")))


def heap(shown: Player) -> Heap:
    view = still_of(shown).view
    assert view
    return heap_of(view)


def test_the_pile_and_the_pot_lie_on_the_felt_until_the_game_is_over() -> None:
    assert heap(player(TWO_GAMES)) == Heap()
    assert heap(player(TWO_GAMES, "2", "enter")) == Heap(lost=1)
    assert heap(player(TWO_GAMES, "2", "enter", *["right"] * 9)) == Heap(lost=2)
    second = player(TWO_GAMES, "right_square_bracket")
    assert heap(second) == Heap(pot=2)
    assert heap(press(second, "end")) == Heap(lost=1)


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


def test_every_size_can_be_drawn() -> None:
    shown = player(FAULTY + text_of(game_of(3, players=9)))
    for width, height in ((1, 1), (20, 3), (40, 6), (80, 8), (200, 60)):
        press(shown, "home")
        for still in walk(shown):
            lines = draw_table(still, width, height)
            assert {strip.cell_length for strip in lines} == {width}
        assert picture(shown, width)
