"""The word and the port of a door's web page, saved for each table so that a link to the page stays
valid."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

from spoof_tui.door.folders import doors_folder, new_word, read_word
from spoof_tui.storage import files

_MAX: Final = 256
"""Maximum bytes of such a file: more than it has."""

_MAX_PAGES: Final = 64
"""Maximum number of saved pages, one for each table."""


class KeptPage(NamedTuple):
    """The parts of a page's link that are saved."""

    word: str
    port: int
    """Port of the page; 0 before it has one."""


def recall(table: bytes) -> KeptPage:
    """The saved page of the door of this table, or a new one; raises `OSError`. `table` is the
    table id; empty at a door that belongs to no table."""
    try:
        said = json.loads(files.read(_path(table), _MAX))
        word, port = str(said["word"]), int(said["port"])
    except (FileNotFoundError, files.Unfit, ValueError, TypeError, KeyError):
        return KeptPage(new_word(), 0)
    fresh = new_word()
    is_whole = len(word) == len(fresh) and read_word(word) == word
    return KeptPage(word if is_whole else fresh, port if 0 <= port < 1 << 16 else 0)


def keep(table: bytes, page: KeptPage) -> None:
    """Save the page of a table's door, and delete those that were saved longest ago; raises
    `OSError`."""
    path = _path(table)
    files.make_private_directory(path.parent)
    files.write_private(path, json.dumps(page._asdict()).encode())
    for each in files.newest_first(path.parent.iterdir())[_MAX_PAGES:]:
        files.delete(each)


def _path(table: bytes) -> Path:
    return doors_folder() / "pages" / (table.hex()[:32] or "none")
