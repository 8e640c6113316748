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
    return _folder("keys", sha256(key).hexdigest()[:_LENGTH])


def folder_of_guest(table: bytes, name: str, word: str) -> Path:
    """The state directory of a guest without a key: it is theirs for as long as the table.

    A guest comes back as who knows their name and their word, from wherever. `table` is empty at a
    door that belongs to none.
    """
    return _folder(_guests(table), _stem_of_guest(name, word))


def is_guest(table: bytes, name: str, word: str) -> bool:
    """Whether a guest of this name and this word has been here."""
    return (doors_folder() / _guests(table) / _stem_of_guest(name, word)).is_dir()


def has_guest(table: bytes, name: str) -> bool:
    """Whether a guest of this name has been here."""
    return any((doors_folder() / _guests(table)).glob(f"{_hash(name.casefold())}-*"))


def _guests(table: bytes) -> str:
    return f"guests-{table.hex()[:_LENGTH] or 'none'}"


def _stem_of_guest(name: str, word: str) -> str:
    return f"{_hash(name.casefold())}-{_hash(name.casefold(), word)}"


def _hash(*texts: str) -> str:
    joined = "\0".join(texts).encode(errors="replace")
    return sha256(joined).hexdigest()[:_LENGTH]


def _folder(kind: str, stem: str) -> Path:
    parent = doors_folder() / kind
    folder = parent / stem
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
        if each.name != _guests(table):
            shutil.rmtree(each, ignore_errors=True)
