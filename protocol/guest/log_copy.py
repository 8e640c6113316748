"""A participant's copy of the log: every entry is checked, and the copy ends where one fails.

*The halt.* A host signs what it puts into the log, so an entry with its signature that does not
follow proves a bug or a cheat, and nothing after it can be trusted. The guest then stops for good:
it takes nothing more, says nothing more, and hands out the entry as evidence. So it must not stop
for something that anybody could have sent. A peer that claims to be a later host or a candidate can
sign anything under its own key: unless the bytes are signed by the host that this copy knows, the
link is closed, and nothing else happens.

*The branch.* When a table moves, the last entries of the old host may be lost: the new one goes on
from an earlier place. So a later host may send entries for places that this copy has filled. They
are held aside and count for nothing until one of them moves the table to this host with enough
support; only then is the copy cut, and what it held instead was never said.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from protocol.errors import BrokenLog, LocalError
from protocol.guest.link import HostLink
from protocol.limits import MAX_LOG
from protocol.table.fold import Branching, Taken
from protocol.table.log import Entry, Intent, is_by, position_of
from protocol.table.state import Phase, Table
from protocol.table.statements import TableContinued, TableOpened, table_of


class LogCopy(Branching):
    """One participant's copy of the log, and which of it is on disk."""

    def __init__(self, table: bytes | None, entries: Iterable[Entry]) -> None:
        """`table` is the id of the table to expect; None takes the first one that greets."""
        super().__init__(entries)
        self.table_id = self.table.id if self.table else table
        self.on_disk = len(self.log)
        """Number of entries that are safely on disk."""

    @property
    def known_table(self) -> Table:
        """The table that the entries make; raises `LocalError` before the first entry."""
        if self.table is None:
            raise LocalError("nothing can be said before the table is known")
        return self.table

    @property
    def has_to_sync(self) -> bool:
        """Whether the copy holds an ending word that is not on disk yet."""
        table = self.table
        if table is None or table.phase is not Phase.WITNESSING:
            return False
        return self.on_disk < table.turn <= self.log.head.length

    def take(self, blob: bytes, by: HostLink, known: Mapping[bytes, Intent] | None = None) -> Taken:
        """Add the next entry; raises `Malformed` or `BrokenLog` if it does not follow.

        `by` is the link that it came on. `known` are intents that this participant signed itself,
        by their encoded bytes: their signatures are not verified again.
        """
        table, length = self.table, self.log.head.length
        if length >= MAX_LOG:
            raise BrokenLog(length, f"a log has {MAX_LOG} entries at the most")
        is_later = table is not None and by.epoch > table.epoch
        if is_later and (self._branch or position_of(blob) < length):
            taken = self.hold_aside(blob)
            if taken.cut is not None:
                self.on_disk = min(self.on_disk, taken.cut)
            return taken
        entry = Entry.read(blob, table.host if table else None, known)
        if table is None:
            self._check_first(entry, by)
        self.follow(entry)
        return Taken((entry,))

    def is_by_stranger(self, blob: bytes, by: HostLink) -> bool:
        """Whether an entry that does not follow is not signed by the table's host, and so proves
        nothing against it."""
        if self.table is None or by.host_key in (None, self.table.host):
            return False
        return not is_by(self.table.host, blob)

    def _check_first(self, entry: Entry, by: HostLink) -> None:
        """Raise `BrokenLog` unless `entry` opens the table that the greeting showed, at the host
        that the entry names."""
        opening, card = entry.statement, by.card
        assert isinstance(opening, TableOpened | TableContinued)
        opened = table_of(opening)
        if entry.hash != self.table_id:
            raise BrokenLog(0, "it opens another table than the greeting named")
        if by.epoch == 0 and by.host_key not in (None, opened.host):
            raise BrokenLog(0, "it names another host than the certificate of this connection")
        shown = card and (card.name, card.rules, card.seats, card.locked)
        if shown != (opened.name, opened.rules, opened.seats, opened.locked):
            raise BrokenLog(0, "it opens another table than the card showed")
