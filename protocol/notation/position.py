"""Where a game stands before a round, in either game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Position:
    """The table before a round."""

    tags: tuple[str, ...]
    """Tags by seat, clockwise."""
    seats: Mapping[str, int]
    """Seats by tag."""
    coins: tuple[int, ...]
    """Coins of every seat; 0 is out, or has left the school."""
    players: tuple[int, ...]
    """The seats still in."""
    opener: int | None
    """Seat that has to open the round; None if anybody may, or if it cannot be known."""
    is_first: bool
    """Whether the round is the first of the game, which R15 lets somebody open, not R14."""

    @classmethod
    def first(cls, tags: Sequence[str], coins: tuple[int, ...], opener: int | None) -> Position:
        """The position before round 1; who owns no coins opens nothing."""
        seats = {tag: seat for seat, tag in enumerate(tags)}
        opens = opener if opener is not None and coins[opener] else None
        return cls(tuple(tags), seats, coins, _players(coins), opens, is_first=True)

    def after(self, coins: tuple[int, ...], opener: int | None) -> Position:
        """The position before the next round."""
        return Position(self.tags, self.seats, coins, _players(coins), opener, is_first=False)

    @property
    def last_left(self) -> str | None:
        """Tag of the only player still in; None while there are more."""
        return self.tags[self.players[0]] if len(self.players) == 1 else None

    def seat_in(self, tag: str) -> int | None:
        """The seat of a tag, if it is still in."""
        seat = self.seats.get(tag)
        return seat if seat is not None and self.coins[seat] else None


def _players(coins: tuple[int, ...]) -> tuple[int, ...]:
    return tuple([seat for seat, owned in enumerate(coins) if owned])


NOWHERE: Final = Position.first((), (), None)
"""The position after a round that could not be judged."""
