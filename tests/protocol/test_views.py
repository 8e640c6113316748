"""What a view says of its owner: the own seat, the own turn, the own attempts."""

from protocol.errors import Reason
from protocol.rules.guessing import Call
from protocol.table.statements import Measure
from tests.protocol.stories import Story
from tests.protocol.test_viewer import STRANGER, guessed, seen, speaking


def test_who_has_no_seat_sees_the_same_table_from_nowhere() -> None:
    view = seen(speaking(), STRANGER)
    assert (view.me, view.my_seat, view.my_turn, view.own_fist_due) == (None, None, False, False)
    assert {option.forbidden.reason for option in view.options if option.forbidden} == {
        Reason.NOT_PLAYING
    }


def test_the_caller_sees_the_calls_and_the_numbers_that_are_free_h6_h8() -> None:
    view = seen(guessed({1: 2, 2: 0}, 4, 4), 1)
    assert view.is_guessing and view.my_turn
    assert view.calls == (Call(0, 4, False), Call(1, 4, True))
    assert view.free == (0, 1, 2, 3, 5, 6, 7, 8, 9) and view.most == 9
    assert (view.my_attempts, seen(guessed({1: 2, 2: 0}, 4, 4)).my_attempts) == (1, 0)
    assert (view.lowest_bid, view.may_turn, view.standing) == (None, False, None)
    reasons = {option.forbidden and option.forbidden.reason for option in view.options}
    assert reasons == {Reason.NUMBERS_ONLY}


def test_who_was_removed_and_sits_again_may_say_nothing_in_this_game() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).decide(Measure.REMOVE, 1).sit(1)
    view = seen(story.fists(1, 1), 1)
    assert not view.my_turn and view.lowest_bid is None
    reasons = {option.forbidden and option.forbidden.reason for option in view.options}
    assert reasons == {Reason.NOT_PLAYING}
