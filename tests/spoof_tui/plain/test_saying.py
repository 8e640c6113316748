"""What is said at a table, each in a line that begins with who says it."""

from protocol.rules.words import Direction, Ending
from spoof_tui.plain.saying import called, listed, sentence, way, word_line
from spoof_tui.ui.wording.names import seat_names
from tests.spoof_tui.ui.table.scenes import at


def test_i_am_called_you_in_the_middle_of_a_line_and_at_its_start() -> None:
    names = ("Olha", "Ben")
    assert [called(seat, names, 0) for seat in (0, 1)] == ["You", "Ben"]
    assert listed((1, 0), names, 0) == ["Ben", "you"]


def test_a_word_begins_with_its_speaker() -> None:
    table = at("answering")
    view = table.clients[0].view
    names = seat_names(view)
    seat, _word = view.words[0]
    assert word_line(view.words, 0, view, names) == f"{called(seat, names, view.me)}: 2."


def test_an_ending_word_says_what_it_claims_of_the_bid_before_it() -> None:
    view = at("answering").clients[0].view
    names = ("Olha", "Ben", "Cleo")
    words = (*view.words, (1, Ending.CALL))
    other = "You call" if view.me == 1 else "Ben calls"
    assert word_line(words, 1, view, names) == f"{other} the 2: “fewer than 2.”"


def test_a_direction_and_a_sentence() -> None:
    assert [way(each) for each in Direction] == ["clockwise", "counter-clockwise"]
    assert [sentence(text) for text in ("you", "", "Ben")] == ["You", "", "Ben"]
