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
"""The characters of WGL4 that every font of an old Windows console has."""


def is_ascii() -> bool:
    """Whether the locale says that the terminal shows only ASCII correctly."""
    locale = console.locale_name()
    if locale in ("C", "POSIX") or console.names_other_than_utf8(locale):
        return True
    return locale in ("", "C.UTF-8") and console.is_in_ascii_tmux()


def respelling(*, of_cells: bool = False) -> Callable[[str], str] | None:
    """The function that makes a text displayable on this terminal; None if everything is.

    That of cells leaves each character one cell.
    """
    if is_ascii():
        return cells_in_ascii if of_cells else in_ascii
    return in_old_font if console.has_old_font() else None


def in_old_font(text: str) -> str:
    """The text in characters that the old Windows console has."""
    return text if text.isascii() else text.translate(_OLD_FONT)


def in_ascii(text: str) -> str:
    """The text with similar ASCII characters; letters of other scripts stay."""
    return cells_in_ascii(text.replace("…", "..."))


def cells_in_ascii(text: str) -> str:
    """The text with similar ASCII characters, one for each character, so that columns stay."""
    return text if text.isascii() else text.translate(_TABLE)
