"""The last two of a school: a solved table that nobody beats by knowing it."""

from __future__ import annotations

import pytest

from spoof_tui.bots.guessing import HANDS, NUMBERS, call_plan
from spoof_tui.bots.levels import Level
from tests.solver.calls import best_against, met_by, of_table


def test_the_best_opponent_of_hard_leaves_first_hardly_more_often_than_half() -> None:
    assert 0.5 <= best_against(of_table(call_plan(Level.HARD))) <= 0.51


def test_a_level_is_stronger_than_the_one_below_it_by_every_measure() -> None:
    easy, medium, hard = (of_table(call_plan(level)) for level in Level)
    beaten = [best_against(each) for each in (easy, medium, hard)]
    assert beaten == sorted(beaten, reverse=True) and beaten[0] < 0.645
    by_hard = [met_by(each, hard) for each in (easy, medium, hard)]
    assert by_hard == sorted(by_hard, reverse=True) and by_hard[-1] == pytest.approx(0.5)
    assert met_by(easy, medium) > 0.5


@pytest.mark.parametrize("level", Level)
@pytest.mark.parametrize("hand", range(HANDS))
def test_no_call_is_taken_or_impossible(hand: int, level: Level) -> None:
    for number in (None, *range(NUMBERS)):
        odds = call_plan(level).call_odds(hand, number)
        said = {call for call, chance in enumerate(odds) if chance}
        assert said <= set(range(hand, hand + HANDS)) - {number}
