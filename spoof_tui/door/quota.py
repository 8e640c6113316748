"""How much of the disk a visitor may use."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from spoof_tui.storage import files

QUOTA: Final = 32 << 20
"""Bytes in the directory of a visitor: hundreds of games."""

MAX_FILES: Final = 4096
"""Files in it."""

_SPARE: Final = QUOTA // 4
"""Bytes that are free when somebody comes."""

_GROWING: Final = ("games", "tables")
"""Where finished games and logs are kept, which nobody needs to go on."""


def is_exceeded(folder: Path) -> bool:
    """Whether a visitor has used up what they may; looks at no more than that takes."""
    used = 0
    for number, found in enumerate(_found(folder)):
        used += _size(found)
        if used > QUOTA or number >= MAX_FILES:
            return True
    return False


def make_room(folder: Path) -> None:
    """Delete the oldest games in the directory of a visitor, if little more could be kept."""
    used = sum(map(_size, _found(folder)))
    old = (found for each in _GROWING for found in _found(folder / each))
    for found in sorted(old, key=_age, reverse=True) if used > QUOTA - _SPARE else ():
        files.delete(Path(found.path))
        used -= _size(found)
        if used <= QUOTA - _SPARE:
            return


def _size(found: os.DirEntry[str]) -> int:
    """Bytes that something takes of the disk; 0 if it is gone."""
    with contextlib.suppress(OSError):
        return found.stat(follow_symlinks=False).st_blocks * 512
    return 0


def _age(found: os.DirEntry[str]) -> float:
    with contextlib.suppress(OSError):
        return -found.stat(follow_symlinks=False).st_mtime
    return 0.0


def _found(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Everything in a directory but directories, as far as it can be looked at."""
    waiting = [str(folder)]
    while waiting:
        with contextlib.suppress(OSError), os.scandir(waiting.pop()) as entries:
            for each in entries:
                if each.is_dir(follow_symlinks=False):
                    waiting.append(each.path)
                else:
                    yield each
