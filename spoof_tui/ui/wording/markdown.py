"""Sentences as Markdown, in which nothing that they hold is taken for a sign of it."""

from __future__ import annotations

import re
from typing import Final

_SIGNS: Final = re.compile(r"([\\`*_{}\[\]<>()#+!|&~.:@-])")


def literal(text: str) -> str:
    """The text so that it is read as it stands."""
    return _SIGNS.sub(r"\\\1", text)
