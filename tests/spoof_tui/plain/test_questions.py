"""What a table asks, in a line that can be understood alone."""

import pytest

from protocol.rules.words import Bid
from protocol.table.fold import Phase
from protocol.table.statements import NO_ONE, Measure
from spoof_tui.plain.questions import Question, moment, question_line, question_of
from spoof_tui.ui.wording.names import seat_names
from tests.helpers.tables import MemoryTable, SeatedGuest
from tests.spoof_tui.ui.table.scenes import at
from tests.spoof_tui.ui.table.schools import a_school


def line(client: SeatedGuest) -> str:
    return question_line(client.view, seat_names(client.view))


def test_somebody_without_a_seat_is_asked_to_sit_down() -> None:
    table = MemoryTable(2)
    watcher = table.add(sit=False)
    assert question_of(watcher.view) is Question.SEAT
    assert line(watcher) == "You are watching. Press r to sit down for the next game."


def test_between_games_one_is_asked_to_get_ready_once() -> None:
    table = at("ready", players=2)
    assert question_of(table.clients[0].view) is None
    assert line(table.clients[0]) == ""
    assert line(table.clients[1]) == "Everybody is ready but you. Press Enter."


def test_who_is_alone_hears_it() -> None:
    assert line(MemoryTable(1).clients[0]).startswith("Nobody else is here yet.")


def test_at_the_top_one_number_is_left_and_then_none() -> None:
    table = at("speaking")
    table.say(Bid(8))
    assert "Say 9, call, cliff or spoof." in line(table.speaker())
    table.say(Bid(9))
    assert "Say call, cliff or spoof." in line(table.speaker())


def test_a_call_is_asked_for_with_the_free_numbers() -> None:
    table = a_school((1, 1), 2)
    assert line(table.speaker()).endswith("Free numbers: 0, 1, 3, 4, 5, 6.")
    table.say(Bid(2))
    assert line(table.speaker()) == (
        "That number is taken, call another one. Attempts left: 2. Free: 0, 1, 3, 4, 5, 6."
    )


def test_a_turn_clock_is_told_with_the_question() -> None:
    table = MemoryTable(2, clock=30)
    table.ready()
    assert line(table.clients[0]).endswith("You have 30 seconds.")


def test_a_paused_table_asks_nothing() -> None:
    table = at("choosing")
    table.decide(Measure.PAUSE, NO_ONE)
    assert question_of(table.clients[0].view) is None


@pytest.mark.parametrize("rules", ["milan", "hollywood"])
def test_every_question_of_a_game_is_another_moment(rules: str) -> None:
    table = MemoryTable(2, rules)
    table.ready()
    moments: list[object] = []
    while table.host.table.phase is not Phase.GATHERING and len(moments) < 60:
        asked = [each for each in table.clients if question_of(each.view) is not None]
        moments += [(each.guest.key, moment(each.view)) for each in asked]
        if asked[0].view.own_fist_due:
            table.choose(*[0] * len(asked))
        else:
            view = asked[0].view
            table.say(Bid(view.free[0] if view.is_guessing else view.lowest_bid or 0)
                      if view.is_guessing or view.lowest_bid else view.options[0].word)  # fmt: skip
    assert len(set(moments)) == len(moments)
