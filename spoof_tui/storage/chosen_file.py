"""Files at a path that the player typed: the only module that writes to such a path.

A visitor's program runs on somebody else's computer, with the rights of the user who opened the
door. There all typed paths are refused, and only the program's own files are written.
"""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path

from spoof_tui.storage import files
from spoof_tui.text.i18n import _
from spoof_tui.text.system_errors import reason_of
from spoof_tui.visiting import is_visitor


def why_not() -> str | None:
    """A sentence that says why no file can be chosen in this program; None if one can."""
    if is_visitor():
        return _(
            "You are playing through a door, on somebody else’s computer: no files are written "
            "there."
        )
    return None


def named(typed: str, *, replaces: bool) -> Path:
    """The path that the player typed, made absolute; raises `ValueError` with a sentence if no file
    can be there.

    Raises `FileExistsError` if the file exists, unless it is to be replaced.
    """
    if why := why_not():
        raise ValueError(why)
    if not typed or "\0" in typed:
        raise ValueError(_("Type the name of a file."))
    try:
        path = Path(typed).expanduser().absolute()
    except RuntimeError:  # there is no user of that name
        path = Path(typed).absolute()
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return path
    except OSError as error:
        raise ValueError(reason_of(error)) from None
    if stat.S_ISDIR(mode):
        raise ValueError(_("That is a folder. Type the name of a file in it."))
    if not stat.S_ISREG(mode):
        raise ValueError(_("That is not an ordinary file."))
    if not replaces:
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))
    return path


def write(path: Path, text: str, *, replaces: bool = False) -> None:
    """Write a text to a file; an existing one is replaced only with `replaces`.

    Raises `OSError`, in a visitor's program always, and `ValueError` for a text that cannot be
    encoded.
    """
    if why := why_not():
        raise PermissionError(errno.EACCES, why, str(path))
    data = text.encode()
    if replaces and path.is_file():
        files.write_private(path.resolve(), data)
        return
    file = path.open("xb")
    try:
        with file:
            file.write(data)
    except OSError:
        files.delete(path)
        raise
