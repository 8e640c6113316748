"""The signs of a record: what follows a tag, in either game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from protocol.rules.words import Ending

SIGNS: Final[Mapping[str, Ending]] = MappingProxyType(
    {"!": Ending.CALL, "=": Ending.CLIFF, "max": Ending.SPOOF, "0": Ending.ZERO}
)
"""How the words that end a round of the bidding game are written (R5)."""

SHUT: Final = "?"
"""The hand of a fist that stayed shut (G3)."""

CHANGES: Final[Mapping[str, int]] = MappingProxyType({"-": -1, "+": 1})
"""How a coin that moves is written."""

TAKEN: Final = "?"
"""What stands behind a call that was refused because the number was taken (H8)."""

LEAVES: Final = "*"
"""How a right guess is written, by which its player leaves the school (H10)."""

FINED: Final = "$"
"""How a fine is written (H13)."""

NOTHING: Final = "."
"""How no changes are written."""


def school_changes(left: Iterable[int], fined: Iterable[int]) -> list[tuple[int, str]]:
    """Seats and signs of the changes of a guessing round, in the order in which they are written.

    `fined` has a seat once for each fine.
    """
    changes = [(seat, LEAVES) for seat in left] + [(seat, FINED) for seat in fined]
    return sorted(changes, key=lambda change: (change[0], change[1] == FINED))
