"""What the player chose once and for all."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from protocol.limits import MAX_NAME
from spoof_tui import system
from spoof_tui.storage import folders, paths
from spoof_tui.text import i18n


@dataclass(frozen=True, slots=True)
class Settings:
    """What the player chose once and for all."""

    name: str = ""
    """Name at the tables; empty until the first run made one up."""
    confirm_endings: bool = True
    """Whether an ending word asks for a second press."""
    language: str | None = None
    """Code of the language that the program speaks; None for that of the locale."""
    theme: str | None = None
    """Name of the theme; None, or one that there is not, for the usual one."""

    @classmethod
    def load(cls) -> Settings:
        """The settings on disk; a file that cannot be read counts as none."""
        return cls._from(paths.read_settings())

    @classmethod
    def _from(cls, raw: dict[str, Any]) -> Settings:
        name, confirm = raw.get("name"), raw.get("confirm_endings")
        language, theme = raw.get("language"), raw.get("theme")
        return cls(
            name=name if isinstance(name, str) and _is_name(name) else "",
            confirm_endings=confirm if isinstance(confirm, bool) else True,
            language=language if language in tuple(i18n.LANGUAGES) else None,
            theme=theme if isinstance(theme, str) else None,
        )

    def save(self) -> None:
        """Write the settings; raises `OSError`."""
        raw = {
            "name": self.name,
            "confirm_endings": self.confirm_endings,
            "language": self.language,
            "theme": self.theme,
        }
        text = json.dumps(raw, ensure_ascii=False, indent=1)
        folders.home()
        system.write_private(paths.settings_path(), text.encode())


def _is_name(name: str) -> bool:
    """Whether others could be told this name."""
    return name.isprintable() and len(name.encode(errors="replace")) <= MAX_NAME
