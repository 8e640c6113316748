"""The entries of a table as stored in its log on disk."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from protocol.encoding.codec import whole
from protocol.encoding.framing import FrameReader
from protocol.errors import ProtocolError
from protocol.limits import MAX_ENTRY
from protocol.table.fold import Branching, Origin, Table, Taken, fold, origin_of
from protocol.table.log import Entry, position_of
from spoof_tui.storage import files, paths
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.paths import JOURNAL, LOG

NUMBER: Final = whole()


class StoredLog(Branching):
    """A log built from the frames of a file, whatever other frames are among them."""

    def take(self, blob: bytes) -> Taken:
        """Add the entry in a frame and return what changed: nothing if it does not follow.

        An entry stored later may follow, because it was fetched again. Entries by which another
        host replaced earlier ones do not count until the table has moved to that host, as for a
        guest: after a crash, only some of them may be in the file.
        """
        with contextlib.suppress(ProtocolError):
            place = position_of(blob)
            if place < len(self.log) and self.log[place].blob == blob:
                return Taken()
            if self._branch:
                with contextlib.suppress(ProtocolError):
                    return self.hold_aside(blob)
                self.forget_branch()
            if place < len(self.log):
                return self.hold_aside(blob)
            entry = Entry.read(blob, self.table.host if self.table else None)
            self.follow(entry)
            return Taken((entry,))
        return Taken()


def read_entries(blobs: Iterable[bytes]) -> list[Entry]:
    """The entries of a stored log from the first one on, as long as each follows from the one
    before."""
    stored = StoredLog()
    for blob in blobs:
        stored.take(blob)
    return list(stored.log)


def folded(log: Iterable[Entry]) -> Table | None:
    """The table that consistent entries make; None without entries."""
    table: Table | None = None
    for entry in log:
        table = fold(table, entry)
    return table


LOOKED_AT: Final = 500
"""Maximum number of files in one folder whose beginning is read."""

_HEADER: Final = 4
"""Bytes before the first entry of a log file."""


def old_log(table: bytes, length: int, beside: Iterable[Path]) -> list[Entry] | None:
    """The log of the table with this id: one with at least `length` entries, otherwise the longest;
    None if there is none.

    It is searched for among the files `beside`, in their folders, in the archive and among the
    tables where this user sat.
    """
    best: list[Entry] | None = None
    for path in dict.fromkeys(_places(table, tuple(beside))):
        if not _opens(path, table):
            continue
        with contextlib.suppress(OSError):
            entries = read_entries(Frames(path).each())
            if best is None or len(entries) > len(best):
                best = entries
        if best and len(best) >= length:
            break
    return best


def _places(table: bytes, beside: tuple[Path, ...]) -> Iterator[Path]:
    yield from beside
    with contextlib.suppress(OSError):
        yield from _logs(paths.table_folder(table))
    for folder in dict.fromkeys(path.parent for path in beside):
        with contextlib.suppress(OSError):
            yield from _logs(folder)
    with contextlib.suppress(OSError):
        yield from _logs(paths.games_folder())


def _logs(folder: Path) -> Iterator[Path]:
    found = (path for path in folder.iterdir() if path.suffix in (LOG, JOURNAL))
    return islice(found, LOOKED_AT)


def _opens(path: Path, table: bytes) -> bool:
    """Whether a file begins with the first entry of the table with this id."""
    try:
        with files.opened(path, files.MAX_LOG) as file:
            beginning = file.read(MAX_ENTRY + _HEADER)
        reader = FrameReader(MAX_ENTRY)
        reader.push(beginning)
        first = reader.pop()
        return first is not None and Entry.read(first).hash == table
    except (OSError, ValueError, ProtocolError):
        return False


def origin(table: Table | None, beside: Sequence[Path]) -> Origin | None:
    """Whether a new table follows from the log of the old one; None if it goes on from none, or no
    log of that is found."""
    continued = table.continues if table else None
    if continued is None:
        return None
    old = old_log(continued.table, continued.length, beside)
    return None if old is None else origin_of(continued, old)
