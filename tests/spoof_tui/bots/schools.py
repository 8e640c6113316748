"""Rounds of the guessing game as tests write them, and which of the bots pays."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from protocol.rules.guessing import Call, GuessingRound
from protocol.rules.options import START_COINS, GuessingRules
from spoof_tui.bots.levels import Level
from spoof_tui.bots.player import BotMind
from spoof_tui.bots.tournament import play_game


def guessing(
    players: int, *calls: int, starter: int = 0, rules: str = "hollywood", gone: Sequence[int] = ()
) -> GuessingRound:
    """A round of `players` seats, less those `gone`, after these calls."""
    coins = tuple(0 if seat in gone else START_COINS for seat in range(players))
    running = GuessingRound(GuessingRules.parse(rules), coins, starter)
    for number in calls:
        assert running.speaker is not None
        taken = number not in running.free
        running = replace(running, calls=(*running.calls, Call(running.speaker, number, taken)))
    return running


def bills(
    levels: Sequence[Level], schools: int, seed: int = 1, rules: str = "hollywood"
) -> Mapping[Level, int]:
    """Schools paid for by each level; seats and first calls go round."""
    rng = random.Random(seed)
    paid = dict.fromkeys(levels, 0)
    for number in range(schools):
        seated = [levels[(seat + number) % len(levels)] for seat in range(len(levels))]
        minds = [BotMind(level, rng) for level in seated]
        played = play_game(minds, GuessingRules.parse(rules), rng.randrange(len(levels)))
        assert played.last_in is not None
        paid[seated[played.last_in]] += 1
    return paid
