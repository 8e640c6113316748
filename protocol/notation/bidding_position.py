"""Where a bidding game stands before a round, and the signs of its records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from protocol.rules import BiddingRules
from protocol.words import Ending

SIGNS: Final[Mapping[str, Ending]] = MappingProxyType(
    {"!": Ending.CALL, "=": Ending.CLIFF, "max": Ending.SPOOF, "0": Ending.ZERO}
)
"""How the words that end a round are written (R5)."""

SHUT: Final = "?"
"""The hand of a fist that stayed shut (G3)."""

CHANGES: Final[Mapping[str, int]] = MappingProxyType({"-": -1, "+": 1})
"""How a coin that moves is written."""

NOTHING: Final = "."
"""How no changes are written."""

_CHANGE_SIGNS: Final = {change: sign for sign, change in CHANGES.items()}


@dataclass(frozen=True, slots=True)
class Position:
    """The table before a round."""

    rules: BiddingRules
    """The rules of the game."""
    seats: Mapping[str, int]
    """Seats by tag, clockwise."""
    coins: tuple[int, ...]
    """Coins of every seat; 0 is out."""
    opener: int | None
    """Seat that has to open the round; None if anybody may, or if it cannot be known."""
    is_first: bool = True
    """Whether the round is the first of the game, which R15 lets somebody open, not R14."""

    @property
    def tags(self) -> tuple[str, ...]:
        """Tags by seat."""
        return tuple(self.seats)

    @property
    def players(self) -> tuple[int, ...]:
        """The seats still in."""
        return tuple(seat for seat, coins in enumerate(self.coins) if coins)

    def seat_in(self, tag: str) -> int | None:
        """The seat of a tag, if it is still in."""
        seat = self.seats.get(tag)
        return seat if seat is not None and self.coins[seat] else None

    def coins_text(self, coins: Mapping[int, int]) -> str:
        """Coins by seat as a record has them."""
        return " ".join(f"{self.tags[seat]}{coins[seat]}" for seat in sorted(coins)) or NOTHING

    def changes_text(self, changes: Mapping[int, int]) -> str:
        """Changes by seat as a record has them."""
        signs = (f"{self.tags[s]}{_CHANGE_SIGNS[changes[s]]}" for s in sorted(changes))
        return " ".join(signs) or NOTHING
