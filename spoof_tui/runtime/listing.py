"""The tables that the lobby lists, and those that the player can go back to.

A table that is moving to another host answers only now and then, but the line of a table with a
seat of the player must not come and go with its answers.
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
    """The tables that are listed; all times are in monotonic seconds."""

    def __init__(self) -> None:
        self.tables: tuple[FoundTable, ...] = ()
        """The tables to list now."""
        self.due: float | None = None
        """When `tables` changes even if nothing else is found; None for never."""
        self._found: tuple[FoundTable, ...] = ()
        self._seats: frozenset[bytes] = frozenset()
        self._answered: dict[bytes, tuple[FoundTable, float]] = {}
        """The last answer of each table with a seat of the player, and until when it is listed."""

    def follow(self, found: tuple[FoundTable, ...], at: float) -> None:
        """Take in the tables that answer now; those given before answered until now."""
        self.look_again(at)
        self._found = found
        self.look_again(at)

    def keep(self, kept: Iterable[SavedTable], at: float) -> None:
        """Take in the tables where the player has seats."""
        self._seats = frozenset(each.table for each in kept if each.has_seat)
        self.look_again(at)

    def look_again(self, at: float) -> None:
        """Leave out the tables that have not answered for too long."""
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
    """Whether `saved` has been read from disk."""

    @property
    def resumable(self) -> list[SavedTable]:
        """The saved tables that can be resumed here, even if nobody serves them now."""
        return [each for each in self.saved if each.has_begun]

    @property
    def seats(self) -> frozenset[bytes]:
        """Ids of the tables where the player has a seat, and so needs no join code."""
        return frozenset(each.table for each in self.saved if each.has_seat)

    def seat_among(self, tables: Sequence[FoundTable]) -> FoundTable | None:
        """The first of `tables` at which a seat waits for the player; None if there is none. Seats
        that another window of the player uses are left out."""
        waiting = {each.table for each in self.saved if each.has_seat and each.is_free}
        return next((each for each in tables if each.card and each.card.table in waiting), None)

    def to(self, table: FoundTable, *, code: str | None = None, sits: bool = True) -> Launch:
        """How to go to a table that was found: to the player's seat if there is one, otherwise as a
        newcomer; or with `sits=False` to watch."""
        seats = (each for each in self.saved if each.table == table.identity and each.has_seat)
        seat = next(seats, None) if sits else None
        return Launch(address=table.address, code=code, sits=sits, saved=seat)
