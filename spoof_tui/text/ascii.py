"""What is drawn where a terminal shows nothing but ASCII: every sign as one that is like it."""

from __future__ import annotations

import os
from typing import Final

_LIKE: Final = {
    "-": "─━╌╴╶═−–—·",
    "|": "│┃║╵╷",
    "+": "╭╮╰╯┌┐└┘├┤┬┴┼╞╡╪╘╛╧✓◇",
    "#": "█▀▄▌▐▖▗▘▝▙▛▜▟▞▚■◆",
    "o": "●",
    ".": "○…",
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


def is_ascii() -> bool:
    """Whether the locale says that the terminal shows nothing but ASCII."""
    said = (os.environ.get(each) for each in ("LC_ALL", "LANG"))
    return next(filter(None, said), "") in ("C", "POSIX")


def in_ascii(text: str) -> str:
    """The same text with signs that are like its own; letters of other scripts stay."""
    return text if text.isascii() else text.translate(_TABLE)
