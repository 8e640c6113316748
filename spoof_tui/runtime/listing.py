"""The tables that the lobby lists, and those that the player can go back to.

A table on the way to another host answers now and then; the line of a player's own seat must not
come and go with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from spoof_tui.runtime.launch import Launch

if TYPE_CHECKING:
    from spoof_tui.network.probe import FoundTable
    from spoof_tui.runtime.saved_tables import SavedTable

STEADY: Final = 30.0
"""Seconds for which a table with a seat of the player is listed after its last answer."""


class TableList:
    """What is listed at a time, in seconds by a clock that never goes back."""

    def __init__(self) -> None:
        self.tables: tuple[FoundTable, ...] = ()
        """The list."""
        self.due: float | None = None
        """When it changes though nothing else is found; None: never."""
        self._found: tuple[FoundTable, ...] = ()
        self._seats: frozenset[bytes] = frozenset()
        self._answered: dict[bytes, tuple[FoundTable, float]] = {}
        """What the tables of these seats answered last, and until when they are listed."""

    def follow(self, found: tuple[FoundTable, ...], at: float) -> None:
        """Take the tables that answer now; those before them did so until now."""
        self.look_again(at)
        self._found = found
        self.look_again(at)

    def keep(self, kept: Iterable[SavedTable], at: float) -> None:
        """Take the tables where the player has seats."""
        self._seats = frozenset(each.table for each in kept if each.has_seat)
        self.look_again(at)

    def look_again(self, at: float) -> None:
        """Leave out what has not answered for too long."""
        here = {each.card.table: each for each in self._found if each.card}
        answered = self._answered | {table: (each, at + STEADY) for table, each in here.items()}
        self._answered = {table: last for table, last in answered.items()
                          if table in self._seats and last[1] > at}  # fmt: skip
        expected = {table: last for table, last in self._answered.items() if table not in here}
        self.tables = (*self._found, *(each for each, _until in expected.values()))
        self.due = min((until for _each, until in expected.values()), default=None)


@dataclass(frozen=True, slots=True)
class WaysBack:
    """The tables that the player can go back to."""

    saved: tuple[SavedTable, ...] = ()
    """The tables that were hosted here, and those where the player has a seat, the latest first."""
    is_read: bool = False
    """Whether they have been read."""

    @property
    def resumable(self) -> list[SavedTable]:
        """The saved tables that can be resumed here, even if nobody serves them now."""
        return [each for each in self.saved if each.has_begun]

    @property
    def seats(self) -> frozenset[bytes]:
        """Ids of those where the player has a seat, which needs no code."""
        return frozenset(each.table for each in self.saved if each.has_seat)

    def seat_among(self, tables: Sequence[FoundTable]) -> FoundTable | None:
        """The table among these at which a seat waits for the player; one that another window of
        the player has does not."""
        waiting = {each.table for each in self.saved if each.has_seat and each.is_free}
        return next((each for each in tables if each.card and each.card.table in waiting), None)

    def to(self, table: FoundTable, *, code: str | None = None, sits: bool = True) -> Launch:
        """The way to a table that was found, to the player's seat if there is one; or to watch."""
        seats = (each for each in self.saved if each.table == table.identity and each.has_seat)
        seat = next(seats, None) if sits else None
        return Launch(address=table.address, code=code, sits=sits, saved=seat)
