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


def read_settings() -> dict[str, Any]:
    """What the settings on disk say; a file that cannot be read says nothing."""
    try:
        text = settings_path().read_text("utf-8")
    except (OSError, ValueError):
        return {}
    import json

    try:
        raw = json.loads(text)
    except ValueError:
        return {}
    return raw if isinstance(raw, dict) else {}


def chosen_language() -> str | None:
    """The language that the player has chosen by a key; None for that of the locale."""
    language = read_settings().get("language")
    return language if isinstance(language, str) else None
