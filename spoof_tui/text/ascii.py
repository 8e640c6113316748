"""Substitutes for characters that a terminal cannot show."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from spoof_tui import console

_LIKE: Final = {
    "-": "─━╌╴╶═−–—",
    "|": "│┃║╵╷·",
    "+": "±╭╮╰╯┌┐└┘├┤┬┴┼╞╡╪╘╛╧◇",
    "=": "▬",
    "#": "▅▆▇█▀▄▌▐▖▗▘▝▙▛▜▟▞▚■◆",
    "o": "●•",
    "@": "◉",
    ".": "○…▁▂▃",
    ">": "▶▸→",
    "<": "◂←",
    "^": "↑▲",
    "v": "↓▼✓",
    "*": "★",
    "x": "✗×",
    "'": "’‘▔",
    '"': "“”«»",
}

_TABLE: Final = str.maketrans({sign: ascii_ for ascii_, signs in _LIKE.items() for sign in signs})

_OLD_FONT: Final = str.maketrans(
    "╭╮╰╯╴╶╵╷━┃╌▘▝▔▖▗▁▂▃▅▆▇◇◆▶▸◂★✓✗▬•◉", "┌┐└┘──││═║·▀▀─▄▄▄▄▄███◊♦►►◄*√×■●●"
)
"""Substitutes from WGL4, which every font of an old Windows console has."""


def is_ascii() -> bool:
    """Whether, judging by the locale, the terminal can show ASCII only."""
    locale = console.locale_name()
    if locale in ("C", "POSIX") or console.names_other_than_utf8(locale):
        return True
    return locale in ("", "C.UTF-8") and console.is_in_ascii_tmux()


def respelling(*, of_cells: bool = False) -> Callable[[str], str] | None:
    """The function that replaces what this terminal cannot show; None if it shows everything.

    `of_cells`: the function replaces one character by one, so that columns stay aligned.
    """
    if is_ascii():
        return cells_in_ascii if of_cells else in_ascii
    return in_old_font if console.has_old_font() else None


def in_old_font(text: str) -> str:
    """The text with characters that an old Windows console can show."""
    return text if text.isascii() else text.translate(_OLD_FONT)


def in_ascii(text: str) -> str:
    """The text with similar ASCII characters, an ellipsis as three dots; other scripts are kept."""
    return cells_in_ascii(text.replace("…", "..."))


def cells_in_ascii(text: str) -> str:
    """The text with similar ASCII characters, one for one, so that columns stay aligned."""
    return text if text.isascii() else text.translate(_TABLE)
