"""The word and the port of a door's page, kept with its table, so that a link to it stays true."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

from spoof_tui.door.folders import doors_folder, new_word, read_word
from spoof_tui.storage import files

_MAX: Final = 256
"""Bytes of a file: more than it has."""

_MAX_PAGES: Final = 64
"""Pages that are kept: those of as many tables."""


class KeptPage(NamedTuple):
    """What the address of a page is made of."""

    word: str
    port: int
    """0 before it has one."""


def recall(table: bytes) -> KeptPage:
    """The page of a table's door, or a new one; raises `OSError`. `table` is empty at a door that
    belongs to no table."""
    try:
        said = json.loads(files.read(_path(table), _MAX))
        word, port = str(said["word"]), int(said["port"])
    except (FileNotFoundError, files.Unfit, ValueError, TypeError, KeyError):
        return KeptPage(new_word(), 0)
    fresh = new_word()
    is_whole = len(word) == len(fresh) and read_word(word) == word
    return KeptPage(word if is_whole else fresh, port if 0 <= port < 1 << 16 else 0)


def keep(table: bytes, page: KeptPage) -> None:
    """Keep it, and forget those that were opened longest ago; raises `OSError`."""
    path = _path(table)
    files.make_private_directory(path.parent)
    files.write_private(path, json.dumps(page._asdict()).encode())
    for each in files.newest_first(path.parent.iterdir())[_MAX_PAGES:]:
        files.delete(each)


def _path(table: bytes) -> Path:
    return doors_folder() / "pages" / (table.hex()[:32] or "none")
