"""The chances to win of three and four: rounds of the bots, and the chain that they make."""

from __future__ import annotations

import random

import numpy as np
import pytest

from protocol.rules.options import BIDDING_PRESETS
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from spoof_tui.bots.tournament import play_game
from spoof_tui.bots.values import chance_of, winning_chances
from tests.solver.chances import Outcomes, State, chain, outcomes

SEEN = [
    ("three-coins", (1, 3, 2), (0.049, 0.691, 0.260)),
    ("milan", (2, 1, 2), (0.476, 0.095, 0.429)),
    ("bid-spoof", (3, 1, 1), (0.903, 0.053, 0.045)),
    ("milan", (1, 2, 3), (0.038, 0.194, 0.768)),
    ("milan", (4, 1, 2), (0.917, 0.008, 0.075)),
    ("three-coins", (2, 3, 1, 1), (0.197, 0.740, 0.036, 0.027)),
    ("milan", (1, 3, 2, 2), (0.028, 0.631, 0.167, 0.174)),
    ("bid-spoof", (2, 2, 1, 3), (0.192, 0.178, 0.024, 0.607)),
]
"""How often each won of 8,000 games of the strongest bots; the first one opens."""


@pytest.mark.parametrize(("preset", "coins", "won"), SEEN)
def test_the_chances_are_those_of_games_that_are_played_out(
    preset: str, coins: tuple[int, ...], won: tuple[float, ...]
) -> None:
    assert winning_chances(BIDDING_PRESETS[preset], coins, 0) == pytest.approx(won, abs=0.015)


def test_whoever_opens_and_however_they_sit_matters_and_who_is_out_does_not() -> None:
    rules = BIDDING_PRESETS["milan"]
    opens, waits = (winning_chances(rules, (2, 2, 1), starter)[0] for starter in (0, 1))
    assert abs(opens - waits) > 0.02
    turned = winning_chances(rules, (1, 0, 2, 2), 2)
    assert turned == pytest.approx((turned[0], 0.0, opens, turned[3]))


@pytest.mark.parametrize("preset", BIDDING_PRESETS)
def test_rounds_of_a_batch_come_to_the_same_as_those_of_the_bots(preset: str) -> None:
    rules, state, rounds = BIDDING_PRESETS[preset], (2, 1, 3), 300
    found = outcomes(rules, state, 20 * rounds, np.random.default_rng(1))
    assert sum(found.values()) == pytest.approx(1.0)
    seen: dict[object, int] = {}
    for number in range(rounds):
        minds = [BotMind(Level.HARD, random.Random(f"{number} {seat}")) for seat in range(3)]
        [played] = play_game(minds, rules, 0, rounds=1, coins=state)
        after = played.outcome.coins, played.outcome.next_starter
        seen[after] = seen.get(after, 0) + 1
    for after, share in found.items():
        error = (share * (1 - share) / rounds) ** 0.5
        assert abs(seen.get(after, 0) / rounds - share) < 4 * error + 0.005, after


def test_the_chain_of_a_coin_that_somebody_loses_each_round_is_solved() -> None:
    # Each of three with one coin loses it as often as the others, and the nearest after them opens.
    state: State = (1, 1, 1)
    led: dict[State, Outcomes] = {
        state: {((0, 1, 1), 1): 1 / 3, ((1, 0, 1), 2): 1 / 3, ((1, 1, 0), 0): 1 / 3}
    }
    opens = chance_of("milan", 1, 1, True)
    assert chain("milan", 1, led, {})[state] == pytest.approx(
        (1 / 3 * (1 - opens) + 1 / 3 * opens,) * 3
    )
