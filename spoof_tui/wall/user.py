"""Another user for a process of root, who sees nothing of what is shut to all others.

The kernel gives a process a tree of files of its own for that: where a directory is shut to
others, an empty one stands, with nothing in it but what the process was given.
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
"""Numbers of users that no system gives to anybody."""

_NEW_TREE: Final = 0x00020000
_BIND: Final = 4096 | 16384
_PRIVATE: Final = 1 << 18 | 16384
_EMPTY: Final = "mode=755,size=64k"


def become_another(folder: Path, readable: Sequence[Path]) -> bool:
    """Have this process of root be the user to whom `folder` belongs; whether it is one now.

    It can read `readable` then, wherever that is. False where others may not read all of that, or
    where the system does not let even root do it: then it is still root, and `folder` is root's.
    Who can be another user makes files that others may read, until a umask is set again.
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
    """Make a folder somebody's, with all that is in it."""
    if folder.stat().st_uid == user:
        return
    os.chown(folder, user, user)
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(Path(place, name), user, user, follow_symlinks=False)


def _shut(needed: Iterable[Path]) -> None:
    """Empty the directories that are shut to others, but for what is needed of them."""
    opened = {path: os.open(path, kernel.OPEN_PATH) for path in _places(needed) if path.is_dir()}
    try:
        for place in {shut for path in opened if (shut := _obstacle(path))}:
            kernel.mount("tmpfs", str(place), "tmpfs", 0, _EMPTY)
        os.umask(0o022)
        # What lies in something else comes with it.
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
    """The first directory on the way to `path` that is shut to others."""
    ways = reversed(path.parents)
    return next((each for each in ways if not each.stat().st_mode & stat.S_IXOTH), None)


def _is_readable(path: Path) -> bool:
    """Whether others may read it, if they come to where it is; what is not there may be."""
    return not path.exists() or bool(path.stat().st_mode & stat.S_IROTH)
