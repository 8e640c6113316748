"""What is drawn where a terminal has few signs: each that it lacks as one that is like it."""

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
    "'": "’‘",
    '"': "“”«»",
}

_TABLE: Final = str.maketrans({sign: ascii_ for ascii_, signs in _LIKE.items() for sign in signs})

_OLD_FONT: Final = str.maketrans(
    "╭╮╰╯╴╶╵╷━┃╌▘▝▖▗▁▂▃▅▆▇◇◆▶▸◂★✓✗▬•◉", "┌┐└┘──││═║·▀▀▄▄▄▄▄███◊♦►►◄*√×■●●"
)
"""Of WGL4, the signs that every font of an old Windows console has."""


def is_ascii() -> bool:
    """Whether the locale says that the terminal shows ASCII, and nothing else as it is written."""
    said = (os.environ.get(each) for each in ("LC_ALL", "LC_CTYPE", "LANG"))
    locale = next(filter(None, said), "")
    letters = locale.partition("@")[0].partition(".")[2].lower()
    return locale in ("C", "POSIX") or letters not in ("", "utf-8", "utf8")


def respelling() -> Callable[[str], str] | None:
    """What makes a text such that this terminal shows it; None if it shows everything."""
    if is_ascii():
        return in_ascii
    return in_old_font if console.has_old_font() else None


def in_old_font(text: str) -> str:
    """The same text with signs that the old console of Windows has."""
    return text if text.isascii() else text.translate(_OLD_FONT)


def in_ascii(text: str) -> str:
    """The same text with signs that are like its own; letters of other scripts stay."""
    return text if text.isascii() else text.translate(_TABLE)
