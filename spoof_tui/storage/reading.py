"""How this program reads its own files: regular ones, of a size that it could have written.

Anything may lie in its folder: a pipe that nobody writes to, a link to a device without an end, a
file from another program. None of them is waited for, and none is read without a bound.
"""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any, BinaryIO, Final

from spoof_tui.text.i18n import _

MAX_LOG: Final = 1 << 28
"""Bytes of a log that are read: a hundred times the longest evening of nine players."""

MAX_RECORD: Final = 1 << 19
"""Bytes of one game's record that are read: five thousand rounds of nine players."""

MAX_JSON: Final = 1 << 16
"""Bytes of a file in JSON that are read: ten times the longest that this program writes."""

WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0)
"""A pipe is opened at once with it. Windows has neither the flag nor such pipes in folders."""

_BINARY: Final = getattr(os, "O_BINARY", 0)


class Unfit(OSError):
    """What is there is not a file that this program wrote; `strerror` says why in words."""


def opened(path: Path, most: int) -> BinaryIO:
    """Open a regular file of `most` bytes at most, for reading; raises `OSError`, of that `Unfit`.

    It may grow afterwards.
    """
    # Some devices do something when they are opened.
    check(path.stat(), most)
    file = os.fdopen(os.open(path, os.O_RDONLY | WITHOUT_WAITING | _BINARY), "rb")
    try:
        check(os.fstat(file.fileno()), most)
    except BaseException:
        file.close()
        raise
    return file


def read(path: Path, most: int) -> bytes:
    """All that is in a regular file of `most` bytes at most; raises as `opened`."""
    with opened(path, most) as file:
        return file.read(most)


def read_json(path: Path) -> Any:
    """What a file in JSON says; raises `OSError`, and `ValueError` where it is not right.

    Text that cannot be written again, such as half of a surrogate pair, is not right either.
    """
    import json

    try:
        raw = json.loads(read(path, MAX_JSON))
        json.dumps(raw, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError(path.name) from error
    return raw


def check(status: os.stat_result, most: int) -> None:
    """Raise `Unfit` unless this is a regular file of `most` bytes at most."""
    if not stat.S_ISREG(status.st_mode):
        raise Unfit(errno.EINVAL, _("it is a folder, a pipe or a device"))
    if status.st_size > most:
        raise Unfit(errno.EFBIG, _("it is larger than {most} kB").format(most=most // 1024))


def newest_first(paths: Iterable[Path]) -> list[Path]:
    """The regular files among these, the one that was changed last first."""
    changed: dict[Path, float] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            status = path.stat()
            check(status, MAX_LOG)
            changed[path] = status.st_mtime
    return sorted(changed, key=changed.__getitem__, reverse=True)
