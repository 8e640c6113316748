"""The last two of a school: a solved table that nobody beats by knowing it."""

from __future__ import annotations

import pytest

from spoof_tui.bots.arena import view_of_round
from spoof_tui.bots.last_two import HANDS, NUMBERS, call_plan_for, heard
from spoof_tui.bots.levels import Level
from tests.solver.calls import best_against, of_table
from tests.solver.shipped import last_two
from tests.spoof_tui.bots.schools import guessing


def test_the_best_opponent_leaves_first_hardly_more_often_than_half() -> None:
    assert 0.5 <= best_against(of_table(last_two())) <= 0.51


@pytest.mark.parametrize("hand", range(HANDS))
def test_no_call_is_taken_or_impossible(hand: int) -> None:
    for number in (None, *range(NUMBERS)):
        odds = last_two().call_odds(hand, number)
        said = {call for call, chance in enumerate(odds) if chance}
        assert said <= set(range(hand, hand + HANDS)) - {number}


def test_it_is_for_two_of_the_guessing_game_and_the_strongest_level() -> None:
    two, three = (view_of_round(guessing(players), 0) for players in (2, 3))
    assert call_plan_for(two, Level.HARD)
    assert not call_plan_for(two, Level.MEDIUM) and not call_plan_for(three, Level.HARD)


def test_the_other_ones_call_is_heard() -> None:
    assert heard(view_of_round(guessing(2), 0)) is None
    assert heard(view_of_round(guessing(2, 4), 1)) == 4
