"""Levels: data within its bounds, and stronger levels win more."""

import pytest

from protocol.rules.options import BIDDING_PRESETS as PRESETS
from spoof_tui.bots.levels import Level
from tests.spoof_tui.bots.arena import wins

GAMES = 240
MARGIN = 0.08
"""Part of all games by which a level must lead the next lower one: over two standard errors."""


@pytest.mark.parametrize("level", Level)
def test_traits_are_within_their_bounds(level: Level) -> None:
    traits = level.traits
    chances = (traits.odds, traits.reading, traits.memory, traits.foresight, traits.bluff)
    assert all(0.0 <= chance <= 1.0 for chance in chances)
    assert traits.whim > 0.0
    assert traits.extremes > 0.0


def test_a_level_is_found_by_its_name() -> None:
    assert [Level(name) for name in ("easy", "medium", "hard")] == list(Level)


@pytest.mark.parametrize("rules", PRESETS)
def test_hard_beats_medium_and_medium_beats_easy(rules: str) -> None:
    won = wins(list(Level), GAMES, seed=5, rules=rules)
    assert won[Level.HARD] - won[Level.MEDIUM] > MARGIN * GAMES
    assert won[Level.MEDIUM] - won[Level.EASY] > MARGIN * GAMES


def test_hard_beats_easy_face_to_face() -> None:
    assert wins([Level.HARD, Level.EASY], 2 * GAMES)[Level.HARD] > 0.53 * 2 * GAMES
