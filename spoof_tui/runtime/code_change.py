"""Why a join code changes: what the table knows and the screen tells."""

from __future__ import annotations

from enum import Enum


class CodeChange(Enum):
    """Why a table has another join code than at first."""

    GUESSED = "guessed"
    """Too many wrong codes were tried."""
    BARRED = "barred"
    """Somebody who knows the old one is refused (G5)."""
    ASKED = "asked"
    """The host wanted another one."""
