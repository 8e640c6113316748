"""Where this program keeps its files; light enough for every command to import."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Any, Final

from spoof_tui.storage import reading

STATE_VARIABLE: Final = "SPOOF_STATE"
"""Environment variable that names another state directory."""

RECORD: Final = ".spoof"
LOG: Final = ".log"
BESIDE: Final = ".json"
"""How the names of a finished game's files end: its record, its log, and what neither says."""

JOURNAL: Final = ".journal"
"""How the name of what a participant keeps of a table ends."""


def state_folder() -> Path:
    """The state directory of this user, whether it is there or not."""
    named = os.environ.get(STATE_VARIABLE)
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_state_dir("spoof", appauthor=False))


_damaged: Path | None = None
"""Where the settings are that could not be read."""


def settings_path() -> Path:
    """Where the player's settings are."""
    return state_folder() / "settings.json"


def themes_path() -> Path:
    """Where the player writes themes of their own."""
    return state_folder() / "themes.json"


def read_settings() -> dict[str, Any]:
    """What the settings on disk say; a file that is damaged says nothing, and is put aside."""
    try:
        return _read(settings_path())
    except ValueError:
        _put_aside(settings_path())
        return {}


def _put_aside(path: Path) -> None:
    """Rename a file that would be overwritten, and keep in mind where it is."""
    global _damaged
    _damaged = path
    with contextlib.suppress(OSError):
        _damaged = path.replace(path.with_name(f"{path.stem}-damaged{path.suffix}"))


def damaged_settings() -> Path | None:
    """Where settings are that this process could not read; None: it read all that it asked for."""
    return _damaged if _damaged and _damaged.parent == state_folder() else None


def read_themes() -> dict[str, Any]:
    """The player's own themes, as they are written; raises `ValueError` if they are not JSON."""
    return _read(themes_path())


def _read(path: Path) -> dict[str, Any]:
    """The object in a file, empty without one; raises `ValueError` if there is something else."""
    try:
        raw = reading.read_json(path)
    except reading.Unfit as error:
        raise ValueError(error.strerror) from error
    except OSError:
        return {}
    if not isinstance(raw, dict):
        raise ValueError(path.name)
    return raw


def chosen_language() -> str | None:
    """The language that the player has chosen by a key; None for that of the locale."""
    language = read_settings().get("language")
    return language if isinstance(language, str) else None
