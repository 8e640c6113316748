"""Substitutes for characters that a terminal cannot show."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final

from spoof_tui import console

_LIKE: Final = {
    "-": "─━╌╴╶═−–—·",
    "|": "│┃║╵╷",
    "+": "±╭╮╰╯┌┐└┘├┤┬┴┼╞╡╪╘╛╧✓◇",
    "=": "▬",
    "#": "▅▆▇█▀▄▌▐▖▗▘▝▙▛▜▟▞▚■◆",
    "o": "●•",
    "@": "◉",
    ".": "○…▁▂▃",
    ">": "▶▸→",
    "<": "◂←",
    "^": "↑▲",
    "v": "↓▼",
    "*": "★",
    "x": "✗×",
    "'": "’‘▔",
    '"': "“”«»",
}

_TABLE: Final = str.maketrans({sign: ascii_ for ascii_, signs in _LIKE.items() for sign in signs})

_OLD_FONT: Final = str.maketrans(
    "╭╮╰╯╴╶╵╷━┃╌▘▝▔▖▗▁▂▃▅▆▇◇◆▶▸◂★✓✗▬•◉", "┌┐└┘──││═║·▀▀─▄▄▄▄▄███◊♦►►◄*√×■●●"
)
"""The characters of WGL4 that every font of an old Windows console has."""


def is_ascii() -> bool:
    """Whether the locale says that the terminal shows only ASCII correctly."""
    said = (os.environ.get(each) for each in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next(filter(None, said), "")
    letters = locale.partition("@")[0].partition(".")[2].lower()
    return locale in ("C", "POSIX") or letters not in ("", "utf-8", "utf8")


def respelling() -> Callable[[str], str] | None:
    """The function that makes a text displayable on this terminal; None if everything is."""
    if is_ascii():
        return in_ascii
    return in_old_font if console.has_old_font() else None


def in_old_font(text: str) -> str:
    """The text in characters that the old Windows console has."""
    return text if text.isascii() else text.translate(_OLD_FONT)


def in_ascii(text: str) -> str:
    """The text with similar ASCII characters; letters of other scripts stay."""
    return text if text.isascii() else text.translate(_TABLE)
