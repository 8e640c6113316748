"""The folders in which this program keeps its files, made private when they are first needed.

Everything is under one directory, `home()`, and none of it is readable by others.
"""

from __future__ import annotations

from pathlib import Path

from spoof_tui.storage import files, paths


def home() -> Path:
    """The state directory of this user, created if it is missing."""
    path = paths.state_folder()
    files.make_private_directory(path)
    return path


def table_folder(table: bytes) -> Path:
    """Where the files of one table are kept."""
    folder = home() / "tables"
    files.make_private_directory(folder)
    return folder / table.hex()[:32]


def games_folder() -> Path:
    """Where finished games are kept, as records and as logs."""
    folder = home() / "games"
    files.make_private_directory(folder)
    return folder


def keep_trouble(error: BaseException) -> Path | None:
    """Write down where an unforeseen error happened, without any values; return the file's path."""
    import traceback

    lines = [*traceback.format_exception_only(error), *traceback.format_tb(error.__traceback__)]
    try:
        path = home() / "trouble.txt"
        files.write_private(path, "".join(lines).encode())
    except OSError:
        return None
    return path
