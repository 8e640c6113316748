"""Another user for a root process, one that sees nothing that is closed to all others.

The kernel gives the process a mount namespace for that: every directory that is closed to others is
replaced by an empty one, which holds only what the process was given.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from spoof_tui.wall import kernel

_FIRST: Final = 0x70000000
_COUNT: Final = 0x0FFFFFFF
"""User ids that no system assigns."""

_NEW_TREE: Final = 0x00020000
_BIND: Final = 4096 | 16384
_PRIVATE: Final = 1 << 18 | 16384
_EMPTY: Final = "mode=755,size=64k"


def become_another(folder: Path, readable: Sequence[Path]) -> bool:
    """Turn this root process into a user of its own, who then owns `folder`; return whether that
    succeeded.

    It can then read `readable`, wherever that is. False if others may not read all of it, or if the
    system does not allow this even to root: then the process is still root, and so is the owner of
    `folder`. After a success, files are created readable for others until a umask is set again.
    """
    user = _FIRST + folder.stat().st_ino % _COUNT
    try:
        if not all(map(_is_readable, readable)):
            raise PermissionError
        kernel.unshare(_NEW_TREE)
        kernel.mount("", "/", "", _PRIVATE)
        _own(folder, user)
        _shut([*readable, folder])
        os.chdir(folder)
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    except OSError:
        if os.geteuid() == 0:
            _own(folder, 0)
        return False
    return True


def _own(folder: Path, user: int) -> None:
    """Make a user the owner of a folder and everything in it."""
    if folder.stat().st_uid == user:
        return
    os.chown(folder, user, user)
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(Path(place, name), user, user, follow_symlinks=False)


def _shut(needed: Iterable[Path]) -> None:
    """Empty the directories that are closed to others, except for what is needed in them."""
    opened = {path: os.open(path, kernel.OPEN_PATH) for path in _places(needed) if path.is_dir()}
    try:
        for place in {shut for path in opened if (shut := _obstacle(path))}:
            kernel.mount("tmpfs", str(place), "tmpfs", 0, _EMPTY)
        os.umask(0o022)
        # Whatever lies inside another comes with it.
        for path, file in sorted(opened.items(), key=lambda each: len(each[0].parts)):
            if not path.is_dir():
                path.mkdir(mode=0o755, parents=True)
                kernel.mount(f"/proc/self/fd/{file}", str(path), "", _BIND)
    finally:
        for file in opened.values():
            os.close(file)


def _places(needed: Iterable[Path]) -> Iterator[Path]:
    for path in needed:
        with contextlib.suppress(OSError):
            yield path.resolve()
            yield path.absolute()


def _obstacle(path: Path) -> Path | None:
    """The first directory on the way to `path` that is closed to others."""
    ways = reversed(path.parents)
    return next((each for each in ways if not each.stat().st_mode & stat.S_IXOTH), None)


def _is_readable(path: Path) -> bool:
    """Whether others may read it, if they can get there; true if it does not exist."""
    return not path.exists() or bool(path.stat().st_mode & stat.S_IROTH)
