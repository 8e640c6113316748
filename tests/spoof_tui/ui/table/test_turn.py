"""My turn as one question over a table of words."""

from __future__ import annotations

import itertools

import pytest
from rich.cells import cell_len

from protocol.rules.options import PRESETS, BiddingRules
from protocol.rules.words import Bid
from protocol.views import TableView
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.turn import prices, turn_lines
from tests.spoof_tui.ui.table.scenes import at, seen

BIDDING = [name for name, rules in PRESETS.items() if isinstance(rules, BiddingRules)]


def mine(*bids: int, players: int = 3, rules: str = "milan") -> Scene:
    """The scene of whoever is to speak."""
    table = at("speaking", players, rules)
    table.say(*map(Bid, bids))
    return seen(table.speaker())


def view_of(scene: Scene) -> TableView:
    assert scene.view
    return scene.view


def told(scene: Scene, width: int = 78, height: int = 8) -> list[str]:
    lines = turn_lines(scene, view_of(scene), width, height)
    return ["".join(text for text, _style in line) for line in lines]


@pytest.mark.parametrize("rules", BIDDING)
@pytest.mark.parametrize("bids", [(), (1,), (2, 5), (9,)])
def test_the_prices_are_those_of_the_rules(rules: str, bids: tuple[int, ...]) -> None:
    view = view_of(mine(*bids, rules=rules))
    for option in view.options:
        if option.forbidden is None:
            right, wrong = prices(option.word, view)
            assert right.verdict.ender_is_right and not wrong.verdict.ender_is_right


@pytest.mark.parametrize("bids", [(), (2,), (8,)])
@pytest.mark.parametrize("rules", BIDDING)
def test_nothing_is_wider_or_higher_than_the_panel(rules: str, bids: tuple[int, ...]) -> None:
    scene = mine(*bids, players=9, rules=rules)
    for width, height in itertools.product([38, 58, 78, 118], [6, 8, 11]):
        lines = told(scene, width, height)
        assert max(map(cell_len, lines)) <= width
        assert len(lines) <= height - 2
