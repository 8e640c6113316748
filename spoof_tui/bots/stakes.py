"""What coins are worth: a player's chance to win the game, by everybody's coins.

The chance is taken as the player's share of all coins in play. That is exact for a fair game of
chips that are won and lost one by one (the gambler's ruin, where poker's independent chip model
begins), and it has the fears a player should have: the last of one coin is worth more than one
of four, and another's loss is a small gain. Who leads wins more often than the share says,
but bots that believe a steeper law do not win measurably more, and throw last coins away.
"""

from __future__ import annotations

from collections.abc import Sequence


def share(coins: Sequence[int], seat: int, changed: int | None = None, by: int = 0) -> float:
    """The part of all coins that `seat` owns after `changed` won or lost `by` coins."""
    own = coins[seat] + (by if changed == seat else 0)
    whole = sum(coins) + (by if changed is not None else 0)
    return own / whole


def share_alone(coins: Sequence[int], seat: int) -> float:
    """The share of `seat` after everybody else lost a coin (R10)."""
    others = sum(count - 1 for other, count in enumerate(coins) if count and other != seat)
    return coins[seat] / (coins[seat] + others)


def mean_coin(coins: Sequence[int]) -> float:
    """What one coin in play is worth: the measure of what is a large or a small difference."""
    return 1.0 / sum(coins)
