"""Rounds of the guessing game as tests write them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from protocol.rules.guessing import Call, GuessingRound
from protocol.rules.options import START_COINS, GuessingRules


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
