"""What is shipped, as strategies."""

from __future__ import annotations

from protocol.rules.options import BIDDING_PRESETS
from spoof_tui.bots.heads_up import plan_of, table_of
from spoof_tui.bots.last_two import MEMBER, CallPlan
from spoof_tui.bots.levels import Level
from tests.solver.game import Game, Strategies
from tests.solver.tables import read


def strategies(game: Game, preset: str, level: Level) -> Strategies:
    """How a level plays every round of two."""
    found = {}
    for coins, each in game.rounds.items():
        plan = plan_of(BIDDING_PRESETS[preset], level, *coins)
        assert plan
        found[coins] = read(each.tree, plan)
    return found


def last_two() -> CallPlan:
    """How the last two of a school call."""
    table = table_of(MEMBER)
    assert table
    return CallPlan(table)
