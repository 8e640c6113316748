"""The paths of this program's files, which are private and all in one folder, `home()`."""

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
"""Suffix of the file with what neither the record of a finished game (`RECORD`) nor its log (`LOG`)
says."""

JOURNAL: Final = ".journal"
"""Suffix of the file in which a participant saves a table."""


def state_folder() -> Path:
    """The state directory of this user, whether it exists or not."""
    named = os.environ.get(STATE_VARIABLE)
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_state_dir("spoof", appauthor=False))


_damaged: Path | None = None
"""The new path of a settings file that could not be read; None if there was no such file."""


def settings_path() -> Path:
    """The path of the file with the player's settings."""
    return state_folder() / "settings.json"


def themes_path() -> Path:
    """The path of the file with the player's own themes."""
    return state_folder() / "themes.json"


def read_settings() -> dict[str, Any]:
    """The settings on disk; empty if there are none, or if the file is damaged (it is then
    renamed)."""
    try:
        return _read(settings_path())
    except ValueError:
        _put_aside(settings_path())
        return {}


def _put_aside(path: Path) -> None:
    """Rename a file, which would otherwise be overwritten, and remember its new path."""
    global _damaged
    _damaged = path
    with contextlib.suppress(OSError):
        _damaged = path.replace(path.with_name(f"{path.stem}-damaged{path.suffix}"))


def damaged_settings() -> Path | None:
    """The new path of a damaged settings file that this process renamed; None if there was none."""
    return _damaged if _damaged and _damaged.parent == state_folder() else None


def read_themes() -> dict[str, Any]:
    """The player's own themes, as written; raises `ValueError` if the file does not contain a JSON
    object."""
    return _read(themes_path())


def _read(path: Path) -> dict[str, Any]:
    """The object in a JSON file, empty if it cannot be read; raises `ValueError` for any other
    contents."""
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
    """The code of the language that the player has chosen; None for that of the locale."""
    language = read_settings().get("language")
    return language if isinstance(language, str) else None


def short(path: Path) -> Path:
    """The path with `~` in place of the user's home directory."""
    try:
        return Path("~") / path.relative_to(Path.home())
    except (ValueError, RuntimeError):
        return path


def home() -> Path:
    """The state directory of this user, which is made if it is missing; raises `OSError`."""
    path = paths.state_folder()
    files.make_private_directory(path)
    return path


def table_folder(table: bytes) -> Path:
    """The path of the folder for the files of one table, which may be missing; raises `OSError`."""
    folder = home() / "tables"
    files.make_private_directory(folder)
    return folder / table.hex()[:32]


def games_folder() -> Path:
    """The folder of finished games, which is made if it is missing; raises `OSError`."""
    folder = home() / "games"
    files.make_private_directory(folder)
    return folder


def keep_trouble(error: BaseException) -> Path | None:
    """Save the place of an unexpected error, without any values; returns the file's path, or None
    if that failed."""
    import traceback

    lines = [*traceback.format_exception_only(error), *traceback.format_tb(error.__traceback__)]
    try:
        path = home() / "trouble.txt"
        files.write_private(path, "".join(lines).encode())
    except OSError:
        return None
    return path
