"""Makes text that another person typed safe to draw, log or save; such text is shown in no other
way."""

from __future__ import annotations

import unicodedata
from functools import lru_cache
from itertools import accumulate
from typing import Final

from rich.cells import cell_len

from protocol.encoding.untrusted import ForeignText
from spoof_tui.text.i18n import with_ellipsis

NOTHING: Final = "?"
"""Shown instead of a text without any visible character."""

_MAX_MARKS: Final = 2
"""The most combining marks in a row: enough for any living script, too few to reach other lines."""

_NEVER: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn"})
"""Unicode categories never shown: they control a terminal, reorder text, or look different
everywhere."""

_INVISIBLE: Final = frozenset(
    map(
        chr,
        (
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0),  # fillers and joiners
            *(*range(0x180B, 0x1810), *range(0xFE00, 0xFE10)),  # variation selectors
            *range(0xE0100, 0xE01F0),
        ),
    )
)
"""Characters never shown although they are letters or marks by category: they draw nothing, or
change how their neighbour is drawn."""

_BLANKS: Final = frozenset({"\u2800"})
"""Characters that look blank, though they are no white space by category."""

_LONGEST_FILE_NAME: Final = 32
_UNNAMED: Final = "unnamed"
_RESERVED: Final = frozenset(
    {"CON", "PRN", "AUX", "NUL"} | {f"{port}{n}" for port in ("COM", "LPT") for n in range(10)}
)
"""File names, with any extension, that Windows reserves for devices."""


def show(text: ForeignText, cells: int) -> str:
    """What may be drawn of `text`: one line of 1 to `cells` terminal cells, never empty.

    It is in NFC, without control, format, private or unassigned characters and variation selectors,
    with at most two combining marks in a row, none at the start of a word, and single spaces. A
    text that is too long ends in an ellipsis. `cells` below 1 count as 1.
    """
    return _fit(with_ellipsis(_clean(text.raw)), max(cells, 1)) or NOTHING


def show_lines(text: ForeignText) -> str:
    """The lines of `text` without characters that control a terminal or reorder text."""
    return "\n".join("".join(filter(str.isprintable, line)) for line in text.raw.split("\n"))


def own_text(text: str, most: int) -> ForeignText:
    """What this player typed, cut to at most `most` bytes of UTF-8."""
    return ForeignText(text.encode(errors="replace")[:most].decode(errors="ignore"))


def file_name(text: ForeignText) -> str:
    """A part of a file name made from `text`: 1 to 32 letters, digits and inner dashes.

    It is valid on Linux, macOS and Windows, and never the name of a device.
    """
    kept = "".join(_file_letter(letter) for letter in _clean(text.raw))
    words = [word for word in map(_thin, kept.split("-")) if word]
    name = "-".join(words)[:_LONGEST_FILE_NAME].rstrip("-") or _UNNAMED
    return f"{name}-" if name.upper() in _RESERVED else name


@lru_cache(maxsize=256)
def _clean(raw: str) -> str:
    visible = "".join(map(_visible, unicodedata.normalize("NFC", raw)))
    # What was dropped may have kept a letter and its accent apart: compose once more.
    composed = unicodedata.normalize("NFC", visible)
    return " ".join(_thin(composed).split())


def _visible(letter: str) -> str:
    if letter.isspace() or letter in _BLANKS:
        return " "
    if letter in _INVISIBLE or unicodedata.category(letter) in _NEVER:
        return ""
    return letter


def _thin(text: str) -> str:
    """The text without marks at the start of a word, and without those beyond the limit in a
    row."""
    kept = []
    marks = _MAX_MARKS
    for letter in text:
        # A space counts as full, so that no word starts with a mark.
        full = letter == " "
        marks = _MAX_MARKS if full else marks + 1 if _is_mark(letter) else 0
        if marks <= _MAX_MARKS:
            kept.append(letter)
    return "".join(kept)


def _is_mark(letter: str) -> bool:
    # A letter without width, such as a lone Hangul vowel, would lengthen a text endlessly.
    return unicodedata.category(letter).startswith("M") or cell_len(letter) == 0


def _fit(text: str, cells: int) -> str:
    if cell_len(text) <= cells:
        return text
    sign = with_ellipsis("…")[:cells]
    room = cells - len(sign)
    end = sum(width <= room for width in accumulate(map(cell_len, text)))
    return text[:end].rstrip() + sign


def _file_letter(letter: str) -> str:
    category = unicodedata.category(letter)
    return letter if category.startswith("L") or category == "Nd" else "-"
