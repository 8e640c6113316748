"""What a shell can suggest for an argument, kept with the argument itself."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Final

FILES: Final = "FILE"
"""As a suggestion: the names of files."""

_NAME: Final = "suggestions"


def suggest(action: argparse.Action, words: Iterable[str]) -> None:
    """Have these words be suggested for an argument that has no choices of argparse."""
    setattr(action, _NAME, tuple(words))


def suggestions(action: argparse.Action) -> tuple[str, ...]:
    """The words to suggest for an argument: its choices, or what was given to `suggest`."""
    given: tuple[str, ...] = getattr(action, _NAME, ())
    return given if action.choices is None else tuple(str(each) for each in action.choices)
