"""A rectangle of cells to draw on, piece by piece, that becomes the lines of a canvas."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from spoof_tui.ui.canvas.palette import TEXT


class Sheet:
    """`width` × `height` blank cells. What would lie outside is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._letters: list[list[str]] = [[" "] * width for _ in range(height)]
        self._styles: list[list[Style | None]] = [[None] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, style: Style = TEXT) -> int:
        """Draw `text` from column `x` of row `y`; the column after it."""
        end = x + cell_len(text)
        if not 0 <= y < self.height:
            return end
        if x >= 0 and end <= self.width and end - x == len(text) and _is_simple(text):
            self._clear(y, x, end)
            self._letters[y][x:end] = text
            self._styles[y][x:end] = [style] * len(text)
            return end
        return self._put_letters(x, y, text, style)

    def _put_letters(self, x: int, y: int, text: str, style: Style) -> int:
        """The same one by one: letters of several cells or of none, or outside of the sheet."""
        letters, styles = self._letters[y], self._styles[y]
        for letter in text:
            size = cell_len(letter)
            if x >= 0 and x + size <= self.width and size:
                self._clear(y, x, x + size)
                letters[x : x + size] = [letter, *[""] * (size - 1)]
                styles[x : x + size] = [style] * size
            x += size
        return x

    def _clear(self, y: int, start: int, end: int) -> None:
        """Make room; a wide letter of which one half goes is blank in the other half, too."""
        letters = self._letters[y]
        first = start
        while 0 < first < self.width and not letters[first]:
            first -= 1
        last = end
        while last < self.width and not letters[last]:
            last += 1
        letters[first:start] = " " * (start - first)
        letters[end:last] = " " * (last - end)

    def pieces(self, x: int, y: int, pieces: Sequence[tuple[str, Style]]) -> int:
        """Draw several pieces one after the other; the column after them."""
        for text, style in pieces:
            x = self.put(x, y, text, style)
        return x

    def centre(self, x: int, y: int, width: int, text: str, style: Style = TEXT) -> None:
        """Draw `text` in the middle of `width` cells, cut if it is longer."""
        text = fit(text, width)
        self.put(x + (width - cell_len(text)) // 2, y, text, style)

    def box(self, x: int, y: int, width: int, height: int, style: Style) -> None:
        """Draw a rounded frame."""
        self.put(x, y, "╭" + "─" * (width - 2) + "╮", style)
        for row in range(y + 1, y + height - 1):
            self.put(x, row, "│", style)
            self.put(x + width - 1, row, "│", style)
        self.put(x, y + height - 1, "╰" + "─" * (width - 2) + "╯", style)

    def lines(self) -> list[Strip]:
        """The drawing as lines of a canvas."""
        return [_strip(*row) for row in zip(self._letters, self._styles, strict=True)]


_rows: dict[tuple[str, tuple[int, ...]], tuple[Strip, list[Style | None]]] = {}
"""Rows drawn lately, and their styles, which keeps the identities in the keys from being reused."""

_MAX_ROWS: Final = 512


def _strip(letters: Sequence[str], styles: list[Style | None]) -> Strip:
    """The same row gives the same strip, so that who compares rows need not look into them."""
    key = "\0".join(letters), tuple(map(id, styles))
    known = _rows.get(key)
    if known is not None:
        return known[0]
    if len(_rows) >= _MAX_ROWS:
        _rows.clear()
    strip = Strip(_segments(letters, styles), len(letters))
    _rows[key] = strip, styles
    return strip


def _segments(letters: Sequence[str], styles: Sequence[Style | None]) -> list[Segment]:
    segments: list[Segment] = []
    start, style = 0, styles[0] if styles else None
    for end, own in enumerate(styles):
        if own is style or own == style:
            continue
        if own is None and letters[end] == " " and not _is_marked(style):
            continue
        segments.append(Segment("".join(letters[start:end]), style))
        start, style = end, own
    segments.append(Segment("".join(letters[start:]), style))
    return [segment for segment in segments if segment.text]


@lru_cache(maxsize=256)
def _is_simple(text: str) -> bool:
    """Whether each letter takes one cell."""
    return text.isascii() or all(cell_len(letter) == 1 for letter in text)


@lru_cache(maxsize=256)
def _is_marked(style: Style | None) -> bool:
    """Whether the style shows on a blank."""
    return style is not None and bool(style.bgcolor or style.underline or style.reverse)


def faded(lines: Sequence[Strip], color: str) -> list[Strip]:
    """The lines in one colour, on the ground that they have."""
    return [Strip([_fade(each, color) for each in line], line.cell_length) for line in lines]


def _fade(segment: Segment, color: str) -> Segment:
    ground = segment.style.bgcolor if segment.style else None
    return Segment(segment.text, Style(color=color, bgcolor=ground))


def fit(text: str, width: int) -> str:
    """`text` cut to `width` cells, with an ellipsis where something is missing."""
    if cell_len(text) <= width:
        return text
    if width < 1:
        return ""
    return set_cell_size(text, width - 1).rstrip() + "…"


def wrap(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells, broken at blanks where there are any.

    A part of the screen that is not shown has no width: a column is the least.
    """
    width = max(width, 1)
    lines: list[str] = []
    for word in text.split():
        if lines and cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += " " + word
            continue
        while cell_len(word) > width:
            head = set_cell_size(word, width).rstrip() or word[0]
            lines.append(head)
            word = word[len(head) :]
        lines.append(word)
    return lines or [""]
