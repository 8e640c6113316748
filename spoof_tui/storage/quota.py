"""How much of this machine's disk the program of a visitor may use, and what is deleted to make
room."""

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
"""Maximum bytes in a visitor's directory: thousands of games."""

MAX_FILES: Final = 4096
"""Maximum number of files in a visitor's directory."""

_SPARE: Final = 4
"""The part of the quota, one in so many, that is made free when a visitor arrives and when a game
ends."""

_IN_USE: Final = 24 * 3600
"""Seconds for which the files of a table are not deleted after the last write, since the visitor
may sit there."""


class _Found(NamedTuple):
    path: str
    size: int
    """Number of bytes that the file takes on disk."""
    time: float
    """When it was written, in seconds since 1970."""


def is_exceeded(folder: Path) -> bool:
    """Whether a visitor's directory exceeds the quota; stops counting as soon as it does."""
    used = 0
    for number, found in enumerate(_found(folder)):
        used += found.size
        if used > QUOTA or number >= MAX_FILES:
            return True
    return False


def make_room(folder: Path) -> None:
    """Delete what a visitor whose directory is nearly full needs least, the oldest first: the logs
    of other evenings, records of games, the last log, and tables to which nothing was written for a
    day."""
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
    """All files in a directory and below, as far as it can be read."""
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
