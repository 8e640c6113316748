"""Text to read: rows in two columns, scrolled in a frame or on a whole screen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet, fit, wrap

Pieces: TypeAlias = Sequence[tuple[str, Style]]
"""One row: pieces of text, each with its look."""

BRIGHT: Final = "bright"
"""The anchor of the rows that have the focus."""

_MARGIN: Final = 3
"""Columns between a frame and its text."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a page."""

    pieces: Pieces = ()
    anchor: str = ""
    """What the row belongs to, the same on another page about the same thing."""


def paragraph(text: str, width: int, look: Style = palette.TEXT) -> list[Row]:
    """A text over the whole width."""
    return [Row([(line, look)]) for line in wrap(text, width)] if text else []


def entry(
    label: Pieces, text: str, column: int, width: int, look: Style = palette.TEXT, anchor: str = ""
) -> list[Row]:
    """A label, and a text from `column` on, beside it and below."""
    length = sum(cell_len(piece) for piece, _look in label)
    if length >= column:
        # The label is too long for its column and stands above its text.
        below = wrap(text, width - column)
        rows = [Row(label, anchor)]
    else:
        first, *below = wrap(text, width - column)
        rows = [Row([*label, (" " * (column - length), look), (first, look)], anchor)]
    return [*rows, *(Row([(" " * column + line, look)], anchor) for line in below)]


def most_top(rows: Sequence[Row], room: int) -> int:
    """The row to begin with at the end of the page."""
    return max(len(rows) - room, 0)


def find(rows: Sequence[Row], anchor: str) -> int | None:
    """The first row of what `anchor` names."""
    return next((y for y, row in enumerate(rows) if row.anchor == anchor), None)


def following(rows: Sequence[Row], top: int, room: int) -> int:
    """The row to begin with so that what is bright is to be seen; near `top`."""
    bright = [y for y, row in enumerate(rows) if row.anchor == BRIGHT]
    if bright:
        top = min(max(top, bright[-1] + 1 - room), bright[0])
    return max(min(top, most_top(rows, room)), 0)


def draw_rows(sheet: Sheet, x: int, y: int, rows: Iterable[Row]) -> None:
    """Draw rows one below the other."""
    for offset, row in enumerate(rows):
        sheet.pieces(x, y + offset, row.pieces)


def draw_bar(sheet: Sheet, x: int, y: int, room: int, top: int, length: int) -> None:
    """Draw beside `room` rows which part of `length` rows they are; nothing if they are all."""
    if length <= room:
        return
    size = max(room * room // length, 1)
    first = round(top * (room - size) / (length - room))
    for row in range(room):
        if first <= row < first + size:
            sheet.put(x, y + row, "▐", palette.QUIET)


def inside(width: int) -> int:
    """The columns of text in a frame of `width`."""
    return width - 2 * _MARGIN


def framed_room(length: int, height: int) -> int:
    """The rows of `length` that a frame of at most `height` shows at once."""
    return min(length, max(height - 2 - 2 * _gap(length, height), 1))


def _gap(length: int, height: int) -> int:
    """Blank rows above and below the text, where there is room."""
    return 1 if length + 4 <= height else 0


def draw_framed(
    title: str,
    keys: Sequence[tuple[str, str]],
    rows: Sequence[Row],
    width: int,
    height: int,
    top: int = 0,
) -> list[Strip]:
    """Rows in a frame as high as they need, at most `height`; scrolled where that is too low."""
    gap, room = _gap(len(rows), height), framed_room(len(rows), height)
    top = min(top, most_top(rows, room))
    sheet = Sheet(width, room + 2 + 2 * gap)
    draw_frame(sheet, title, keys)
    draw_rows(sheet, _MARGIN, 1 + gap, rows[top : top + room])
    draw_bar(sheet, width - 1, 1 + gap, room, top, len(rows))
    return sheet.lines()


def draw_frame(sheet: Sheet, title: str, keys: Sequence[tuple[str, str]]) -> None:
    """The frame of a dialog, with its title and its keys in the border."""
    width, bottom = sheet.width, sheet.height - 1
    sheet.box(0, 0, width, sheet.height, palette.BRIGHT)
    sheet.put(2, 0, f" {fit(title, width - 6)} ", palette.STRONG)
    pieces: list[tuple[str, Style]] = []
    for key, words in keys:
        more: list[tuple[str, Style]] = [(f" {key}", palette.KEY), (f" {words} ", palette.TEXT)]
        if _length(pieces + more) <= width - 6:
            pieces += [*([("─", palette.BRIGHT)] if pieces else []), *more]
    sheet.pieces(width - 2 - _length(pieces), bottom, pieces)


def _length(pieces: Pieces) -> int:
    return sum(cell_len(text) for text, _look in pieces)
