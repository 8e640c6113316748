"""The directories of a door and of its visitors: each visitor has a state directory.

Their names are hashes and do not reveal who somebody is. All doors of one user share them.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import shutil
import stat
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from protocol.crypto.join_code import ALPHABET
from spoof_tui.clock import now
from spoof_tui.storage import files, paths
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.journal import seat_of
from spoof_tui.storage.paths import JOURNAL
from spoof_tui.storage.stored_log import folded, read_entries
from spoof_tui.text.i18n import _

EVENING: Final = 24 * 3600 * 1000
"""Milliseconds for which a directory with a seat is kept while no game runs."""

BROKEN_OFF: Final = 30 * EVENING
"""Milliseconds for which a directory with a seat in a game that broke off is kept."""

MAX_LOG: Final = 4 << 20
"""Maximum bytes of a log that is read: more than an evening writes."""

_LOOKED_INTO: Final = 16
"""Maximum number of logs in one directory that are read, the latest ones."""


def has_sat(folder: Path) -> bool:
    """Whether the owner of this directory has ever sat at a table."""
    return next(_logs(folder), None) is not None


def is_missed(folder: Path, wall: int) -> bool:
    """Whether a table may be waiting for the owner of this directory; `wall` is the present time in
    milliseconds since 1970."""
    logs = sorted(_logs(folder), key=lambda log: log[1], reverse=True)[:_LOOKED_INTO]
    return any(_is_awaited(*log, wall) for log in logs)


def _logs(folder: Path) -> Iterator[tuple[Path, int, int]]:
    """The journals in a directory, each with its time of writing in milliseconds since 1970 and its
    size in bytes."""
    for path in folder.glob(f"tables/*/*{JOURNAL}"):
        # Do not trust what is in there: reading a pipe would never end.
        found = os.lstat(path)
        if stat.S_ISREG(found.st_mode):
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
    """Whether this log belongs to a seat at somebody else's table, and whether that seat is in a
    game."""
    try:
        table = folded(read_entries(Frames(path).read()))
    except OSError:
        return False, False
    key = seat_of(path, table) if table else None
    if table is None or key is None or key == table.host:
        return False, False
    return True, table.playing(key) is not None


LENGTH: Final = 12
"""Letters of a return word: 26**12 words are 56 bits."""

_GROUP: Final = 4

MAX_GUESSES: Final = 3
"""Maximum number of words that may be tried on one connection."""

GUESS_DELAY: Final = 1.0
"""Seconds until a wrong word is answered."""


def new_word() -> str:
    """A new random return word, in groups of four letters."""
    letters = [secrets.choice(ALPHABET) for _ in range(LENGTH)]
    return "-".join("".join(letters[at : at + _GROUP]) for at in range(0, LENGTH, _GROUP))


def read_word(typed: str) -> str:
    """The usual form of a typed word, which may be in capitals or small letters, with or without
    blanks and dashes."""
    letters = "".join(filter(str.isalnum, typed.upper()))[: LENGTH + 1]
    return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))


MAX_KEPT: Final = 512
"""Maximum number of directories for visitors of one kind; the one unused for longest is deleted
first."""

MAX_OF_PLACE: Final = 128
"""Maximum number of these for visitors who first came from the same place."""

_LENGTH: Final = 32

_GUESTS: Final = "guests-"
_BESIDE: Final = ".from"
"""Suffix of the file beside a directory that contains a hash of where its owner first came from. It
is locked while the owner is here."""

_MAX_ORIGIN: Final = 200
"""Maximum bytes of that file that are read: more than a hash has."""


class Stay:
    """A state directory that is not deleted while its owner is here."""

    def __init__(self, folder: Path, held: files.FileLock) -> None:
        self.folder: Final = folder
        self._held = held

    def end(self) -> None:
        """Release the directory, because its owner has left."""
        self._held.release()


def doors_folder() -> Path:
    """The directory of this user's doors, which is created if it is missing; raises `OSError`."""
    folder = paths.home() / "door"
    files.make_private_directory(folder)
    return folder


def stay_of_key(key: bytes, place: str) -> Stay:
    """The state directory that belongs to this ssh key, given by its public half.

    A new one needs room: raises `OSError` if there are too many directories from the same `place`,
    or in all, and each of them is in use or belongs to a visitor with a seat.
    """
    return _stay("keys", _hashed(key), place)


def stay_of_guest(table: bytes, name: str, word: str, place: str) -> Stay:
    """The state directory of a guest without a key, which is theirs for as long as the table lasts.

    A guest comes back by giving the same name and word, from anywhere. `table` is the table id;
    empty at a door that belongs to no table. Raises `OSError` as `stay_of_key` does.
    """
    return _stay(_guests_of(table), _stem_of_guest(name, word), place)


def is_guest(table: bytes, name: str, word: str) -> bool:
    """Whether a guest with this name and this word has been here before."""
    return (doors_folder() / _guests_of(table) / _stem_of_guest(name, word)).is_dir()


def has_guest(table: bytes, name: str) -> bool:
    """Whether a guest with this name has been here before."""
    return any((doors_folder() / _guests_of(table)).glob(f"{_hashed_name(name)}-*"))


def _stem_of_guest(name: str, word: str) -> str:
    return f"{_hashed_name(name)}-{_hashed(f'{name.casefold()} {word}'.encode(errors='replace'))}"


def _hashed_name(name: str) -> str:
    return _hashed(name.casefold().encode(errors="replace"))


def forget_guests(table: bytes) -> None:
    """Delete the directories of guests of all doors but this table's, unless they are here or have
    a seat."""
    with _alone():
        for parent in doors_folder().glob(f"{_GUESTS}*"):
            if parent.name != _guests_of(table):
                for each in _kept(parent):
                    _evict(each)
                with contextlib.suppress(OSError):
                    parent.rmdir()


def _guests_of(table: bytes) -> str:
    return f"{_GUESTS}{table.hex()[:_LENGTH] or 'none'}"


def _stay(kind: str, stem: str, place: str) -> Stay:
    parent = doors_folder() / kind
    folder, origin = parent / stem, _hashed(place.encode())
    with _alone():
        files.make_private_directory(parent)
        if not folder.is_dir():
            _make_room(parent, origin)
        with files.open_private_append(_beside(folder)) as beside:
            if beside.tell() == 0:
                beside.write(origin.encode())
        held = files.FileLock(_beside(folder), is_shared=True)
        held.acquire()
        if not folder.is_dir():
            files.make_private_directory(folder)
    with contextlib.suppress(OSError):
        folder.touch()
    return Stay(folder, held)


def _make_room(parent: Path, origin: str) -> None:
    """Delete the directory of the visitor who was away longest if there are too many; raises
    `OSError` if that is not possible.

    Visitors who never sat at a table go first.
    """
    kept = _kept(parent)
    origins = {each: _origin(each) for each in kept}
    counts = Counter(origins.values())
    if counts[origin] >= MAX_OF_PLACE:
        kept = [each for each in kept if origins[each] == origin]
    elif len(kept) < MAX_KEPT:
        return
    kept.sort(key=lambda each: (has_sat(each), -counts[origins[each]], _last_seen(each)))
    if not any(_evict(each) for each in kept):
        why = _(
            "Too many players are registered here already; only they can come in. Try again later."
        )
        raise OSError(errno.EDQUOT, why)


def _evict(folder: Path) -> bool:
    """Delete the directory of a visitor who is not here and has no seat; returns whether that was
    possible."""
    with files.FileLock(_beside(folder)) as held:
        if not held.acquire() or is_missed(folder, now().wall):
            return False
        shutil.rmtree(folder, ignore_errors=True)
        files.delete(_beside(folder))
    return True


@contextlib.contextmanager
def _alone() -> Iterator[None]:
    """Keep other doors of this user from changing the directories within this context."""
    with files.FileLock(doors_folder() / "lock") as held:
        held.acquire(waits=True)
        yield


def _kept(parent: Path) -> list[Path]:
    return [each for each in parent.iterdir() if each.is_dir()]


def _beside(folder: Path) -> Path:
    return folder.with_suffix(_BESIDE)


def _origin(folder: Path) -> str:
    with contextlib.suppress(OSError):
        return files.read(_beside(folder), _MAX_ORIGIN).decode("ascii", "replace")
    return ""


def _hashed(what: bytes) -> str:
    return sha256(what).hexdigest()[:_LENGTH]


def _last_seen(folder: Path) -> float:
    with contextlib.suppress(OSError):
        return folder.stat().st_mtime
    return 0.0
