"""The dice of a bot: a choice that leans to the best, and is certain of nothing."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import TypeVar

_Choice = TypeVar("_Choice")


def softly(
    choices: Sequence[_Choice], worths: Sequence[float], scale: float, rng: random.Random
) -> _Choice:
    """One of the choices, likelier the more it is worth (softmax).

    One that is worth `scale` less than the best is chosen e times less often.
    """
    best = max(worths)
    return rng.choices(choices, [math.exp((worth - best) / scale) for worth in worths])[0]
