"""The dice of a bot: a choice that leans to the best, and is certain of nothing."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TypeVar

_Choice = TypeVar("_Choice")


def soft_odds(worths: Sequence[float], scale: float) -> list[float]:
    """The chance of each choice: one worth `scale` less than another is e times rarer (softmax)."""
    best = max(worths)
    weights = [math.exp((worth - best) / scale) for worth in worths]
    whole = sum(weights)
    return [weight / whole for weight in weights]


def any_hand(coins: int, rng: random.Random) -> int:
    """Any hand, every one as likely."""
    return rng.randint(0, coins)


def softly(
    choices: Sequence[_Choice], worths: Sequence[float], scale: float, rng: random.Random
) -> _Choice:
    """One of the choices, by `soft_odds`."""
    return rng.choices(choices, soft_odds(worths, scale))[0]
