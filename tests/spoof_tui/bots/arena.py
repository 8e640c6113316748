"""Rounds of the bidding game as tests write them, and what bots win against each other."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from protocol.rules.bidding import BiddingRound
from protocol.rules.options import BiddingRules, Rules
from protocol.rules.words import Direction, Word
from spoof_tui.bots.levels import Level
from spoof_tui.bots.mind import BotMind
from spoof_tui.bots.tournament import play_game, view_of_round

__all__ = ["bidding", "last_in", "view_of_round"]


def bidding(
    coins: Sequence[int],
    *words: tuple[int, Word],
    starter: int = 0,
    rules: str = "milan",
    direction: Direction = Direction.CLOCKWISE,
) -> BiddingRound:
    """A round after these words."""
    return BiddingRound(BiddingRules.parse(rules), tuple(coins), starter, direction, words)


def last_in(
    levels: Sequence[Level], games: int, seed: int = 1, rules: str = "milan"
) -> Mapping[Level, int]:
    """How often each level is the last one in: it has won, or pays for a school.

    Seats and the opening go round, so that neither favours anybody.
    """
    rng = random.Random(seed)
    found = dict.fromkeys(levels, 0)
    for game in range(games):
        seated = [levels[(seat + game) % len(levels)] for seat in range(len(levels))]
        minds = [BotMind(level, rng) for level in seated]
        played = play_game(minds, Rules.parse(rules), rng.randrange(len(levels)))
        assert played[-1].outcome.winner is not None
        found[seated[played[-1].outcome.winner]] += 1
    return found
