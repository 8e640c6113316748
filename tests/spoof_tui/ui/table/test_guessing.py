"""The guessing game on the table screen."""

from protocol.rules.words import Bid
from spoof_tui.ui.table.guessing import struck, told_calls
from spoof_tui.ui.table.middle import middle
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.seat import SeatPicture
from spoof_tui.ui.table.seats import pictures
from spoof_tui.ui.table.tone import Tone
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.table.scenes import draw_bar, draw_side, step
from tests.spoof_tui.ui.table.schools import a_school, by_call, name, scene_of


def seats(scene: Scene) -> dict[str, SeatPicture]:
    """What every seat shows, by name."""
    assert scene.view is not None
    drawn = pictures(scene.view, scene.names, scene.showing, scene.peek)
    return {picture.name: picture for picture in drawn}


def text(scene: Scene, width: int = 24, height: int = 20) -> str:
    return "\n".join(strip.text for strip in draw_side(scene, width, height))


# Calling


def test_all_calls_of_nine_have_room_in_the_column_and_the_talk_keeps_some() -> None:
    table = a_school((1,) * 9, *range(9))
    said = text(scene_of(table.clients[0], 0), height=15)
    assert all(name(client) in said for client in table.clients)
    assert "TALK" in said


# The count


def impossible() -> MemoryTable:
    """Calls of 0, 4 and 5 with three coins in every fist: the first is impossible."""
    return a_school((3, 3, 3), 0, 4, 5)


def test_fists_open_in_the_order_of_calling_with_a_running_sum() -> None:
    table = a_school((1, 2, 3), 9, 8, 7)
    order = [client.guest.key for client in by_call(table)]
    scene = scene_of(table.clients[0], 2)
    assert scene.view is not None
    assert [scene.view.seats[seat].key for seat in scene.order] == order
    hands = [scene.last.hands[seat] for seat in scene.order] if scene.last else []
    centre = middle(scene)
    assert centre.number == sum(hands[:2])
    assert centre.below == f"{hands[0]} + {hands[1]}"


def test_an_impossible_call_is_struck_out_when_its_fist_opens_and_fined_at_the_count() -> None:
    table = impossible()
    caller = name(by_call(table)[0])
    watching = table.clients[0]
    shut, opening, done = (seats(scene_of(watching, opened))[caller] for opened in (0, 1, 3))
    assert (shut.said_tone is Tone.STRUCK, opening.said_tone is Tone.STRUCK) == (False, True)
    assert (shut.tally, opening.tally, done.tally) == ("", "", "▌")
    assert (opening.note == "fined", done.note == "fined") == (False, True)


def test_the_column_strikes_it_out_at_the_same_time() -> None:
    table = impossible()
    scene = scene_of(table.clients[0], 1)
    assert scene.last is not None
    calls = table.clients[0].view.last.words.calls  # type: ignore[union-attr]
    shut = told_calls(calls, scene.last, ())
    opened = told_calls(calls, scene.last, scene.order[:1])
    assert [call.style == struck() for call in shut] == [False, False, False]
    assert [call.style == struck() for call in opened] == [True, False, False]


def test_nothing_that_the_count_decides_is_told_before_it() -> None:
    table = a_school((1, 1, 1), 3, 4, 5)
    leaver = name(by_call(table)[0])
    before, after = (seats(scene_of(table.clients[0], opened))[leaver] for opened in (2, 3))
    assert before.note in ("", "you") and after.note == "leaves"
    assert middle(scene_of(table.clients[0], 3)).above == f"{leaver} leaves"
    assert middle(scene_of(table.clients[0], 3)).below == "Flowers"


def test_the_bar_counts_the_school_again_when_the_count_is_paid() -> None:
    table = a_school((1, 1, 1), 3, 4)
    scene = scene_of(table.clients[0])
    table.say(Bid(5))
    scene.look(table.clients[0].view)
    while not scene.is_counted:
        assert "round 1 · 3 in the school" in draw_bar(scene, 80)[0].text
        step(scene)
    assert "round 2 · 2 in the school" in draw_bar(scene, 80)[0].text


# The end of a school
