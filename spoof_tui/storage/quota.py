"""How much of this machine's disk the program of a visitor may fill, and what makes room there."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from spoof_tui.storage import files
from spoof_tui.storage.paths import LOG

QUOTA: Final = 32 << 20
"""Bytes that a visitor's directory may hold: thousands of games."""

MAX_FILES: Final = 4096
"""Files that it may hold."""

_SPARE: Final = 4
"""One part in so many is free when a visitor arrives, and when a game ends."""

_IN_USE: Final = 24 * 3600
"""Seconds for which what was written at a table is not deleted: the visitor may sit there."""


class _Found(NamedTuple):
    path: str
    size: int
    """Bytes that it takes on the disk."""
    time: float
    """When it was written, in seconds since 1970."""


def is_exceeded(folder: Path) -> bool:
    """Whether a visitor is over quota; looks no further than it needs to."""
    used = 0
    for number, found in enumerate(_found(folder)):
        used += found.size
        if used > QUOTA or number >= MAX_FILES:
            return True
    return False


def make_room(folder: Path) -> None:
    """Delete what a visitor whose directory is nearly full needs least, the oldest first: logs of
    other evenings, records of games, the last log, and tables where nobody has spoken for a day."""
    there = list(_found(folder))
    used, count = sum(each.size for each in there), len(there)
    for each in _dispensable(folder):
        if used <= QUOTA - QUOTA // _SPARE and count <= MAX_FILES - MAX_FILES // _SPARE:
            return
        files.delete(Path(each.path))
        used, count = used - each.size, count - 1


def _dispensable(folder: Path) -> Iterator[_Found]:
    games = sorted(_found(folder / "games"), key=lambda each: each.time)
    logs = [each for each in games if each.path.endswith(LOG)]
    yield from logs[:-1]
    yield from (each for each in games if each not in logs)
    yield from logs[-1:]
    since = time.time() - _IN_USE
    tables = (each for each in _found(folder / "tables") if each.time < since)
    yield from sorted(tables, key=lambda each: each.time)


def _found(folder: Path) -> Iterator[_Found]:
    """Everything in a directory except directories, as far as it can be read."""
    waiting = [str(folder)]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for each in entries:
                if each.is_dir(follow_symlinks=False):
                    waiting.append(each.path)
                    continue
                with contextlib.suppress(OSError):
                    found = each.stat(follow_symlinks=False)
                    yield _Found(each.path, found.st_blocks * 512, found.st_mtime)
