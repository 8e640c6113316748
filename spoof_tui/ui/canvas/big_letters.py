"""Large letters and digits, three rows each: numbers on the table, and join codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

ROWS: Final = 3
"""Rows of a large letter."""

WIDEST: Final = 5
"""Columns of the widest."""

LARGE: Final[Mapping[str, tuple[str, str, str]]] = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▀█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", "  █", "  ▀"),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
    "A": ("▄▀▄", "█▀█", "▀ ▀"),
    "C": ("▄▀▀", "█  ", " ▀▀"),
    "D": ("█▀▄", "█ █", "▀▀ "),
    "E": ("█▀▀", "█▀▀", "▀▀▀"),
    "F": ("█▀▀", "█▀▀", "▀  "),
    "G": ("▄▀▀", "█ █", " ▀▀"),
    "H": ("█ █", "█▀█", "▀ ▀"),
    "J": ("  █", "▄ █", " ▀ "),
    "K": ("█ █", "█▀▄", "▀ ▀"),
    "L": ("█  ", "█  ", "▀▀▀"),
    "M": ("█▄ ▄█", "█ ▀ █", "▀   ▀"),
    "N": ("█▄ █", "█ ▀█", "▀  ▀"),
    "P": ("█▀▄", "█▀ ", "▀  "),
    "Q": ("▄▀▀▄", "█ ▄▀", " ▀ ▀"),
    "R": ("█▀▄", "█▀▄", "▀ ▀"),
    "T": ("▀█▀", " █ ", " ▀ "),
    "U": ("█ █", "█ █", "▀▀▀"),
    "V": ("█ █", "█ █", " ▀ "),
    "W": ("█   █", "█▄▀▄█", "▀   ▀"),
    "X": ("█ █", "▄▀▄", "▀ ▀"),
    "Y": ("█ █", " █ ", " ▀ "),
}
"""Every digit, and the letters of join codes."""


def large(text: str) -> tuple[str, ...]:
    """The rows of `text`, whose letters are all in `LARGE`."""
    return tuple(" ".join(LARGE[letter][row] for letter in text) for row in range(ROWS))
