"""Where a door keeps what belongs to it and to its visitors: each of those has a state directory.

Nothing in there says who somebody is: its names are hashes.
"""

from __future__ import annotations

import contextlib
import shutil
from hashlib import sha256
from pathlib import Path
from typing import Final

from spoof_tui.storage import files, folders

MAX_KEPT: Final = 512
"""Visitors of one kind whose directories are kept; who was away longest loses theirs."""

_LENGTH: Final = 32


def doors_folder() -> Path:
    """The directory of this user's doors, made if it is not there."""
    folder = folders.home() / "door"
    files.make_private_directory(folder)
    return folder


def folder_of_key(key: bytes) -> Path:
    """The state directory of whoever has this ssh key, given by its public half."""
    return _folder("keys", key)


def folder_of_guest(table: bytes, address: str, name: str) -> Path:
    """The state directory of a guest without a key: it is theirs for as long as the table.

    A guest comes back as who calls from the same address by the same name. `table` is empty at a
    door that belongs to none.
    """
    what = b"\0".join((address.encode(), name.encode(errors="replace")))
    return _folder(f"guests-{table.hex()[:_LENGTH] or 'none'}", what)


def _folder(kind: str, who: bytes) -> Path:
    parent = doors_folder() / kind
    folder = parent / sha256(who).hexdigest()[:_LENGTH]
    if not folder.exists():
        files.make_private_directory(parent)
        _make_room(parent)
    files.make_private_directory(folder)
    with contextlib.suppress(OSError):
        folder.touch()
    return folder


def _make_room(parent: Path) -> None:
    """Forget those who were away longest, if there are too many."""
    kept = sorted((each for each in parent.iterdir() if each.is_dir()), key=_last_seen)
    for each in kept[: max(0, len(kept) - MAX_KEPT + 1)]:
        shutil.rmtree(each, ignore_errors=True)


def _last_seen(folder: Path) -> float:
    with contextlib.suppress(OSError):
        return folder.stat().st_mtime
    return 0.0


def forget_guests(table: bytes) -> None:
    """Forget the guests of all doors but those of this table: theirs are closed."""
    for each in doors_folder().glob("guests-*"):
        if each.name != f"guests-{table.hex()[:_LENGTH] or 'none'}":
            shutil.rmtree(each, ignore_errors=True)
