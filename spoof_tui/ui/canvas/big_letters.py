"""Large letters and digits, three rows high: numbers on the table, join codes, and who won."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from spoof_tui.text.ascii import is_ascii

ROWS: Final = 3
"""Rows of a large letter."""

LARGE: Final[Mapping[str, tuple[str, str, str]]] = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▀█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", " ▐▌", " ▀ "),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
    "/": (" ▗▘", "▗▘ ", "▘  "),
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
"""The rows of every digit, and of the letters of join codes."""

_OPEN: Final[Mapping[str, tuple[str, str, str]]] = {
    "0": ("█▀▀█", "█  █", "▀▀▀▀"),
    "6": ("█▀▀▀", "█▀▀█", "▀▀▀▀"),
    "8": ("█▀▀█", "█▀▀█", "▀▀▀▀"),
    "9": ("█▀▀█", "▀▀▀█", "▀▀▀▀"),
}
"""Digits with larger holes, for plaques; while a number counts up, the others need fewer bytes."""

_OTHERS: Final[Mapping[str, tuple[str, str, str]]] = {
    " ": (" ", " ", " "),
    "★": ("▄▄█▄▄", " █▀█ ", "▀   ▀"),
    "B": ("█▀▄", "█▀▄", "▀▀ "),
    "I": ("█", "█", "▀"),
    "O": ("▄▀▄", "█ █", " ▀ "),
    "S": ("▄▀▀", " ▀▄", "▀▀ "),
    "Z": ("▀▀█", "▄▀ ", "▀▀▀"),
    "Б": ("█▀▀", "█▀▄", "▀▀ "),
    "Г": ("█▀▀", "█  ", "▀  "),
    "Ґ": ("▄▄█", "█  ", "▀  "),
    "Д": (" █▀█ ", "▄█▄█▄", "▀   ▀"),
    "Є": ("▄▀▀", "█▀ ", " ▀▀"),
    "Ж": ("█ █ █", " ███ ", "▀ ▀ ▀"),
    "З": ("▀▀▄", " ▀▄", "▀▀ "),
    "И": ("█ ▄█", "█▀ █", "▀  ▀"),
    "Ї": ("▀ ▀", " █ ", " ▀ "),
    "Й": ("█▀▄█", "█▀ █", "▀  ▀"),
    "Л": ("▄▀█", "█ █", "▀ ▀"),
    "П": ("█▀█", "█ █", "▀ ▀"),
    "У": ("█ █", " ▀█", "▀▀ "),
    "Ф": ("▄▀█▀▄", "▀▄█▄▀", "  ▀  "),
    "Ц": ("█ █ ", "█ █ ", "▀▀▀█"),
    "Ч": ("█ █", "▀▀█", "  ▀"),
    "Ш": ("█ █ █", "█ █ █", "▀▀▀▀▀"),
    "Щ": ("█ █ █ ", "█ █ █ ", "▀▀▀▀▀█"),
    "Ь": ("█  ", "█▀▄", "▀▀ "),
    "Ю": ("█ ▄▀▄", "█▀█ █", "▀  ▀ "),
    "Я": ("▄▀█", "▄▀█", "▀ ▀"),
}
"""Other letters of names in both languages, and the winner's star; `_LATIN` maps letters that look
Latin."""

_LATIN: Final = str.maketrans("АВЕКМНОРСТХІ", "ABEKMHOPCTXI")


_STROKES: Final[Mapping[str, tuple[str, str, str]]] = {
    "0": (" _ ", "| |", "|_|"),
    "1": ("   ", "  |", "  |"),
    "2": (" _ ", " _|", "|_ "),
    "3": (" _ ", " _|", " _|"),
    "4": ("   ", "|_|", "  |"),
    "5": (" _ ", "|_ ", " _|"),
    "6": (" _ ", "|_ ", "|_|"),
    "7": (" _ ", "  |", "  |"),
    "8": (" _ ", "|_|", "|_|"),
    "9": (" _ ", "|_|", " _|"),
    "/": ("  /", " / ", "/  "),
}
"""Digits for terminals without block characters."""


def large(text: str, *, is_open: bool = False) -> tuple[str, ...]:
    """The three rows of `text` in large letters; if a letter has none, a spaced single row in the
    middle.

    `is_open`: digits have larger holes.
    """
    letters = _STROKES if is_ascii() else {**LARGE, **_OTHERS, **(_OPEN if is_open else {})}
    text = text.translate(_LATIN)
    if not set(text) <= set(letters):
        return ("", " ".join(text), "")
    return tuple(" ".join(letters[letter][row] for letter in text) for row in range(ROWS))


def is_drawn(text: str) -> bool:
    """Whether `large` can draw every letter of the text on this terminal."""
    return not is_ascii() and set(text.translate(_LATIN)) <= {*LARGE, *_OTHERS}


HUGE_ROWS: Final = 5
"""Rows of a huge digit."""

_SEGMENTS: Final[Mapping[str, str]] = {
    "0": "abcdef", "2": "abged", "3": "abgcd", "4": "fgbc", "5": "afgcd",
    "6": "afgedc", "7": "abc", "8": "abcdefg", "9": "gfabcd",
}  # fmt: skip
"""The segments of each huge digit: a to f clockwise from the top, g in the middle."""


def huge(text: str) -> tuple[str, ...]:
    """The rows of `text` in huge strokes; only digits and a slash are possible."""
    digits = [_huge(letter) for letter in text]
    return tuple("  ".join(digit[row] for digit in digits) for row in range(HUGE_ROWS))


def _huge(letter: str) -> tuple[str, ...]:
    if letter == "/":
        return ("    ██", "   ██ ", "  ██  ", " ██   ", "██    ")
    if letter == "1":
        return ("████  ", *["  ██  "] * 3, "██████")
    lit = _SEGMENTS[letter]
    bars = ["██████" if stroke in lit else _posts(lit, *sides) for stroke, *sides in _BARS]
    return (bars[0], _posts(lit, "f", "b"), bars[1], _posts(lit, "e", "c"), bars[2])


_BARS: Final = (("a", "f", "b"), ("g", "fe", "bc"), ("d", "e", "c"))
"""Each horizontal segment, with the segments that meet at its left and right ends."""


def _posts(lit: str, left: str, right: str) -> str:
    ends = ("██" if set(side) & set(lit) else "  " for side in (left, right))
    return "  ".join(ends)
