"""A log and the table that it says, kept in step."""

from __future__ import annotations

from collections.abc import Iterable

from protocol.table.fold import fold
from protocol.table.log import Entry, Log
from protocol.table.state import Table


class Replica:
    """One copy of a table: its log, and what that says so far."""

    __slots__ = ("log", "table")

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        """What these entries say; raises `BrokenLog` when one does not follow."""
        self.log = Log()
        self.table: Table | None = None
        for entry in entries:
            self.take(entry)

    def take(self, entry: Entry) -> None:
        """Add the next entry; raises `BrokenLog` when it does not follow, and adds nothing."""
        self.log.check(entry)
        table = fold(self.table, entry)
        self.put(entry, table)

    def put(self, entry: Entry, table: Table) -> None:
        """Add an entry that was checked, after which the table is this one."""
        self.log.add(entry)
        self.table = table

    def move(self, start: int, entries: Iterable[Entry], table: Table | None) -> None:
        """Go on from `start` with other entries, all checked, after which the table is this."""
        self.log.cut(start)
        for entry in entries:
            self.log.add(entry)
        self.table = table
