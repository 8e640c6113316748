"""The log of an old table, to verify the new one that continues it (G8)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from protocol.encoding.framing import FrameReader
from protocol.errors import ProtocolError
from protocol.limits import MAX_ENTRY
from protocol.table.log import Entry
from spoof_tui.storage import folders, reading
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.stored_log import read_entries

LOOKED_AT: Final = 500
"""Files in one folder whose beginning is looked at."""

_HEADER: Final = 4
"""Bytes before the first entry of a log."""


def old_log(table: bytes, length: int, beside: Iterable[Path]) -> list[Entry] | None:
    """The log of `table`, of `length` entries at least if there is one; None if there is none.

    Looked for among the files `beside`, in their folders, in the archive and among the tables
    where somebody sat here.
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
        yield from _logs(folders.table_folder(table))
    for folder in dict.fromkeys(path.parent for path in beside):
        with contextlib.suppress(OSError):
            yield from _logs(folder)
    with contextlib.suppress(OSError):
        yield from _logs(folders.games_folder())


def _logs(folder: Path) -> Iterator[Path]:
    return islice(folder.glob("*.log"), LOOKED_AT)


def _opens(path: Path, table: bytes) -> bool:
    """Whether a file begins with the first entry of this table."""
    try:
        with reading.opened(path, reading.MAX_LOG) as file:
            beginning = file.read(MAX_ENTRY + _HEADER)
        reader = FrameReader(MAX_ENTRY)
        reader.push(beginning)
        first = reader.pop()
        return first is not None and Entry.read(first).hash == table
    except (OSError, ValueError, ProtocolError):
        return False
