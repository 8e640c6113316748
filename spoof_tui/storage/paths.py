"""Where this program keeps its files: private, and all under one folder, `home()`."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any, Final

from spoof_tui.storage import files, paths

STATE_VARIABLE: Final = "SPOOF_STATE"
"""Environment variable that names another state directory."""

RECORD: Final = ".spoof"
LOG: Final = ".log"
BESIDE: Final = ".json"
"""Suffixes of a finished game's files: its record, its log, and what neither says."""

JOURNAL: Final = ".journal"
"""Suffix of the file in which a participant keeps a table."""


def state_folder() -> Path:
    """The state directory of this user, whether it exists or not."""
    named = os.environ.get(STATE_VARIABLE)
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_state_dir("spoof", appauthor=False))


_damaged: Path | None = None
"""The renamed settings file that could not be read."""


def settings_path() -> Path:
    """Where the player's settings are."""
    return state_folder() / "settings.json"


def themes_path() -> Path:
    """The file for the player's own themes."""
    return state_folder() / "themes.json"


def read_settings() -> dict[str, Any]:
    """The settings on disk; a damaged file counts as empty and is put aside."""
    try:
        return _read(settings_path())
    except ValueError:
        _put_aside(settings_path())
        return {}


def _put_aside(path: Path) -> None:
    """Rename a file that would be overwritten, and remember its new path."""
    global _damaged
    _damaged = path
    with contextlib.suppress(OSError):
        _damaged = path.replace(path.with_name(f"{path.stem}-damaged{path.suffix}"))


def damaged_settings() -> Path | None:
    """The damaged settings file that this process put aside; None if there was none."""
    return _damaged if _damaged and _damaged.parent == state_folder() else None


def read_themes() -> dict[str, Any]:
    """The player's own themes, as written; raises `ValueError` if they are not JSON."""
    return _read(themes_path())


def _read(path: Path) -> dict[str, Any]:
    """The object in a JSON file, empty if there is no file; raises `ValueError` for
    anything else."""
    try:
        raw = files.read_json(path)
    except files.Unfit as error:
        raise ValueError(error.strerror) from error
    except OSError:
        return {}
    if not isinstance(raw, dict):
        raise ValueError(path.name)
    return raw


def chosen_language() -> str | None:
    """The language that the player has chosen with a key; None for that of the locale."""
    language = read_settings().get("language")
    return language if isinstance(language, str) else None


def short(path: Path) -> Path:
    """The path with the user's home directory as ~."""
    try:
        return Path("~") / path.relative_to(Path.home())
    except (ValueError, RuntimeError):
        return path


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
