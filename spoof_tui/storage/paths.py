"""Where this program keeps its files; light enough for every command to import."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final

STATE_VARIABLE: Final = "SPOOF_STATE"
"""Environment variable that names another state directory."""


def state_folder() -> Path:
    """The state directory of this user, whether it is there or not."""
    named = os.environ.get(STATE_VARIABLE)
    if named:
        return Path(named)
    import platformdirs

    return Path(platformdirs.user_state_dir("spoof", appauthor=False))


def settings_path() -> Path:
    """Where the player's settings are."""
    return state_folder() / "settings.json"


def themes_path() -> Path:
    """Where the player writes themes of their own."""
    return state_folder() / "themes.json"


def read_settings() -> dict[str, Any]:
    """What the settings on disk say; a file that cannot be read says nothing."""
    try:
        return _read(settings_path())
    except ValueError:
        return {}


def read_themes() -> dict[str, Any]:
    """The player's own themes, as they are written; raises `ValueError` if they are not JSON."""
    return _read(themes_path())


def _read(path: Path) -> dict[str, Any]:
    """The object in a file, empty without one; raises `ValueError` if there is something else."""
    try:
        text = path.read_text("utf-8")
    except OSError:
        return {}
    import json

    raw = json.loads(text)
    if not isinstance(raw, dict):
        raise ValueError(path.name)
    return raw


def chosen_language() -> str | None:
    """The language that the player has chosen by a key; None for that of the locale."""
    language = read_settings().get("language")
    return language if isinstance(language, str) else None
