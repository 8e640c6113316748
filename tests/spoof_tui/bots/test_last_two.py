"""The last two of a school: a solved table that nobody beats by knowing it."""

from __future__ import annotations

import pytest

from spoof_tui.bots.guessing import HANDS, NUMBERS
from tests.solver.calls import best_against, of_table
from tests.solver.shipped import last_two


def test_the_best_opponent_leaves_first_hardly_more_often_than_half() -> None:
    assert 0.5 <= best_against(of_table(last_two())) <= 0.51


@pytest.mark.parametrize("hand", range(HANDS))
def test_no_call_is_taken_or_impossible(hand: int) -> None:
    for number in (None, *range(NUMBERS)):
        odds = last_two().call_odds(hand, number)
        said = {call for call, chance in enumerate(odds) if chance}
        assert said <= set(range(hand, hand + HANDS)) - {number}
