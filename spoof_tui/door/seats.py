"""Whether a visitor who is not here has a seat somewhere, by what is kept in their directory."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final

from spoof_tui.storage.frames import Frames
from spoof_tui.storage.host_store import HOST_LOG
from spoof_tui.storage.seat_store import seat_of
from spoof_tui.storage.stored_log import folded, read_entries

EVENING: Final = 24 * 3600 * 1000
"""Milliseconds for which a seat is kept between two games."""

BROKEN_OFF: Final = 30 * EVENING
"""Milliseconds for which one is kept in a game that has broken off."""

MAX_LOG: Final = 4 << 20
"""Bytes of a log that is looked into: more than an evening has."""

_LOOKED_INTO: Final = 16
"""Logs of one directory that are looked into, the last ones."""


def has_sat(folder: Path) -> bool:
    """Whether anybody has sat at a table with this directory."""
    return next(_logs(folder), None) is not None


def is_missed(folder: Path, wall: int) -> bool:
    """Whether somebody waits for whoever has this directory; `wall` is the time in milliseconds."""
    logs = sorted(_logs(folder), key=lambda log: log[1], reverse=True)[:_LOOKED_INTO]
    return any(_is_awaited(*log, wall) for log in logs)


def _logs(folder: Path) -> Iterator[tuple[Path, int, int]]:
    """The logs of seats in a directory, each with when it was written, in milliseconds, and how
    long it is."""
    for path in folder.glob("tables/*/*.log"):
        # Nothing in there is to be trusted: a pipe would never end.
        found = os.lstat(path)
        if path.name != HOST_LOG and stat.S_ISREG(found.st_mode):
            yield path, found.st_mtime_ns // 1_000_000, found.st_size


def _is_awaited(path: Path, time: int, size: int, wall: int) -> bool:
    if wall - time > BROKEN_OFF:
        return False
    if size > MAX_LOG:
        return wall - time <= EVENING
    sits, plays = _state(path, time, size)
    return plays or (sits and wall - time <= EVENING)


@lru_cache(maxsize=4096)
def _state(path: Path, time: int, size: int) -> tuple[bool, bool]:
    """Whether the seat whose log this is has one at the table of somebody else, and plays."""
    try:
        table = folded(read_entries(Frames(path).read()))
    except OSError:
        return False, False
    key = seat_of(path, table) if table else None
    if table is None or key is None or key == table.host:
        return False, False
    return True, table.playing(key) is not None
