"""How this program reads its own files: only regular ones, of a size that it could have written.

Anything may be in its folder: a pipe that nobody writes to, a link to an endless device, a file
from another program. It waits for none of them, and reads none without a limit.
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
"""Bytes of a JSON file that are read: ten times the longest that this program writes."""

WITHOUT_WAITING: Final = getattr(os, "O_NONBLOCK", 0)
"""Makes opening a pipe return at once. Windows has neither the flag nor named pipes in folders."""

_BINARY: Final = getattr(os, "O_BINARY", 0)


class Unfit(OSError):
    """What is there is not a file that this program wrote; `strerror` says why in words."""


def opened(path: Path, most: int) -> BinaryIO:
    """Open a regular file of at most `most` bytes for reading; raises `OSError`, such as `Unfit`.

    It may grow afterwards.
    """
    # Opening some devices has side effects.
    check(path.stat(), most)
    file = os.fdopen(os.open(path, os.O_RDONLY | WITHOUT_WAITING | _BINARY), "rb")
    try:
        check(os.fstat(file.fileno()), most)
    except BaseException:
        file.close()
        raise
    return file


def read(path: Path, most: int) -> bytes:
    """The contents of a regular file of at most `most` bytes; raises as `opened` does."""
    with opened(path, most) as file:
        return file.read(most)


def read_json(path: Path) -> Any:
    """Parse a JSON file; raises `OSError`, and `ValueError` if it is invalid.

    Text that cannot be written again, such as half of a surrogate pair, is invalid, too.
    """
    import json

    try:
        raw = json.loads(read(path, MAX_JSON))
        json.dumps(raw, ensure_ascii=False).encode()
    except RecursionError as error:
        raise ValueError(path.name) from error
    return raw


def check(status: os.stat_result, most: int) -> None:
    """Raise `Unfit` unless this is a regular file of at most `most` bytes."""
    if not stat.S_ISREG(status.st_mode):
        raise Unfit(errno.EINVAL, _("it is a folder, a pipe or a device"))
    if status.st_size > most:
        raise Unfit(errno.EFBIG, _("it is larger than {most} kB").format(most=most // 1024))


def newest_first(paths: Iterable[Path]) -> list[Path]:
    """The regular files among these, the one changed last first."""
    changed: dict[Path, float] = {}
    for path in paths:
        with contextlib.suppress(OSError):
            status = path.stat()
            check(status, MAX_LOG)
            changed[path] = status.st_mtime
    return sorted(changed, key=changed.__getitem__, reverse=True)
