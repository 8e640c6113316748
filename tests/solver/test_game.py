"""The shipped tables are as good as claimed; the benchmark of the opponents computes the rest."""

from __future__ import annotations

from functools import cache

import pytest

from protocol.rules.options import BIDDING_PRESETS
from spoof_tui.bots.heads_up import chances_of
from spoof_tui.bots.levels import Level
from tests.benchmarks.opponents import BEATEN
from tests.solver.game import START, Game, Strategies
from tests.solver.shipped import strategies


@cache
def game_of(preset: str) -> Game:
    return Game(BIDDING_PRESETS[preset])


def shipped(preset: str, level: Level) -> Strategies:
    return strategies(game_of(preset), preset, level)


@pytest.mark.parametrize(("level", "most"), [*BEATEN.items()])
@pytest.mark.parametrize("preset", BIDDING_PRESETS)
def test_no_plan_beats_a_level_more_often_not_even_with_all_it_does_in_view(
    preset: str, level: Level, most: float
) -> None:
    chances = game_of(preset).chances(shipped(preset, level), deeper=chances_of(preset))
    assert 0.5 <= sum(chances) / 2 <= most


@pytest.mark.parametrize("preset", BIDDING_PRESETS)
def test_a_stronger_level_wins_more_often_than_a_weaker_one(preset: str) -> None:
    easy, medium, hard = (shipped(preset, level) for level in Level)
    for weaker, stronger, least in (
        (medium, hard, 0.515),
        (easy, medium, 0.58),
        (easy, hard, 0.62),
    ):
        assert sum(game_of(preset).chances(weaker, stronger)) / 2 > least


def test_a_round_is_solved_by_who_solves_it() -> None:
    game = Game(BIDDING_PRESETS["three-coins"])
    strategies, worths = game.solve(4, 25, 80, told=lambda _: None)
    chances = game.chances(strategies)
    assert 0.5 <= sum(chances) / 2 < 0.53
    assert chances[0] == pytest.approx(worths[START], abs=0.03)
