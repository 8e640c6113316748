"""What a client may say of its terminal: its size, its kind, its language, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MAX_COLUMNS: Final = 500
MAX_ROWS: Final = 200
"""The largest terminal that is drawn for; a picture of it takes memory."""

MAX_VALUE: Final = 64
"""Letters of a value at most."""

_USUAL: Final = 80, 24
_USUAL_LANGUAGE: Final = "C.UTF-8"
_USUAL_TERMINAL: Final = "xterm-256color"

_WORD: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+@-]*")
_LANGUAGES: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@:-]*")
_PLACE: Final = re.compile(r"[A-Za-z0-9]+(?:[/+_-][A-Za-z0-9]+)*")
"""A time zone by its name: no path leads out of where those are kept."""

TAKEN: Final[Mapping[str, re.Pattern[str]]] = {
    "TERM": _WORD,
    "COLORTERM": _WORD,
    "NO_COLOR": _WORD,
    "LANG": _LANGUAGES,
    "LANGUAGE": _LANGUAGES,
    "TZ": _PLACE,
}
"""Variables that a client may set, each with what it may be; so may be those that begin with
`LC_`."""

MAX_TAKEN: Final = 24
"""Variables that are taken of one client: a few more than there are."""


@dataclass(frozen=True, slots=True)
class Size:
    """A terminal's size in cells."""

    columns: int
    rows: int

    @classmethod
    def asked(cls, columns: int, rows: int) -> Size:
        """The size that a client asks for, as far as it is drawn; 0 means unknown."""
        return cls(
            min(columns, MAX_COLUMNS) or _USUAL[0],
            min(rows, MAX_ROWS) or _USUAL[1],
        )


def is_taken(name: str, value: str) -> bool:
    """Whether a client may set this variable to this value."""
    shape = _LANGUAGES if re.fullmatch("LC_[A-Z]{1,20}", name) else TAKEN.get(name)
    return shape is not None and len(value) <= MAX_VALUE and shape.fullmatch(value) is not None


def environment(terminal: str, said: Mapping[str, str]) -> dict[str, str]:
    """The variables of a visitor's program that its client decides; `terminal` is its kind."""
    taken = {name: value for name, value in said.items() if is_taken(name, value)}
    taken["TERM"] = terminal if is_taken("TERM", terminal) else _USUAL_TERMINAL
    if not any(name == "LANG" or name.startswith("LC_") for name in taken):
        taken["LANG"] = _USUAL_LANGUAGE
    return taken
