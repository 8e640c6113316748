"""What is shipped is as good as it is said to be: recomputed from the tables of the bots."""

from __future__ import annotations

from functools import cache

import pytest

from protocol.rules.options import BIDDING_PRESETS
from spoof_tui.bots.heads_up import plan_of
from spoof_tui.bots.levels import Level
from tests.solver.game import START, Game, Strategies
from tests.solver.tables import information, read


@cache
def game_of(preset: str) -> Game:
    return Game(BIDDING_PRESETS[preset])


def shipped(preset: str, level: Level) -> Strategies:
    game, found = game_of(preset), {}
    for coins, each in game.rounds.items():
        plan = plan_of(BIDDING_PRESETS[preset], level, *coins)
        assert plan
        found[coins] = read(each.tree, plan)
    return found


@pytest.mark.parametrize(
    ("level", "most"), [(Level.HARD, 0.51), (Level.MEDIUM, 0.62), (Level.EASY, 0.75)]
)
@pytest.mark.parametrize("preset", BIDDING_PRESETS)
def test_who_knows_all_about_a_level_beats_it_no_more_often(
    preset: str, level: Level, most: float
) -> None:
    chances = game_of(preset).chances(shipped(preset, level))
    assert 0.5 <= sum(chances) / 2 <= most


@pytest.mark.parametrize("preset", BIDDING_PRESETS)
def test_a_stronger_level_wins_more_often_than_a_weaker_one(preset: str) -> None:
    easy, medium, hard = (shipped(preset, level) for level in Level)
    for weaker, stronger, least in ((medium, hard, 0.52), (easy, medium, 0.53), (easy, hard, 0.57)):
        assert sum(game_of(preset).chances(weaker, stronger)) / 2 > least


@pytest.mark.parametrize("preset", BIDDING_PRESETS)
def test_the_opening_word_of_hard_tells_next_to_nothing_of_its_hand(preset: str) -> None:
    assert information(shipped(preset, Level.HARD)[START]) <= 0.02


def test_a_round_is_solved_by_who_solves_it() -> None:
    game = Game(BIDDING_PRESETS["three-coins"])
    strategies, worths = game.solve(4, 25, 80, told=lambda _: None)
    chances = game.chances(strategies)
    assert 0.5 <= sum(chances) / 2 < 0.53
    assert chances[0] == pytest.approx(worths[START], abs=0.03)
