"""The base of every widget that repaints only the cells that changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

Line: TypeAlias = Strip
"""One line of a canvas: pieces of text, each with a style or none."""

Piece: TypeAlias = str | tuple[str, Style]
"""Text in the style of the widget, or with a style laid over it."""

_Cell: TypeAlias = tuple[str, Style | None, int]
"""A letter with its marks, its style, and which of its columns this cell is."""

_WORTH_A_JUMP: Final = 8
"""Unchanged cells that cost less to write again than to move the cursor over."""


def line(*pieces: Piece, width: int | None = None) -> Strip:
    """One line made of `pieces`, cropped or filled with blanks to `width` cells.

    Markup is never interpreted, and a character that prints nothing becomes a blank.
    """
    strip = Strip([_segment(piece) for piece in pieces if piece])
    return strip if width is None else strip.adjust_cell_length(max(width, 0))


def _segment(piece: Piece) -> Segment:
    text, style = piece if isinstance(piece, tuple) else (piece, None)
    if not text.isprintable():
        text = "".join(letter if letter.isprintable() else " " for letter in text)
    return Segment(text, style)


class Canvas(Widget):
    """Shows prepared lines from its top left corner; the rest of it is blank.

    Either hand lines to `show`, or override `draw` and call `redraw` when the data changed.
    Styles without a background get the widget's.
    """

    ALLOW_SELECT = False

    def __init__(
        self, *, name: str | None = None, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(name=name, id=id, classes=classes)
        self._given: Sequence[Strip] = ()
        self._shown: list[Strip] = []
        self._drawn_for = Size(0, 0)
        self._ground = Style.null()

    def draw(self, width: int, height: int) -> Sequence[Strip]:
        """The lines for this size: the ones shown last, unless a subclass draws its own.

        Called while painting too, so it must only read.
        """
        return self._given

    def redraw(self) -> None:
        """Draw again because the data changed, and repaint what is different."""
        self.show(self.draw(*self.size))

    def show(self, lines: Iterable[Strip]) -> None:
        """Show `lines`, and repaint the cells in which they differ from what is shown."""
        self._given = tuple(lines)
        if self._drawn_for != self.size:
            self.refresh()
            return
        fitted = _fit(self._given, self.size)
        changed = list(_changes(self._shown, fitted))
        self._shown = fitted
        if changed:
            self.refresh(*changed)

    def render_line(self, y: int) -> Strip:
        """The line at `y`, drawn anew if the size changed since."""
        if self._drawn_for != self.size:
            self._drawn_for = self.size
            self._shown = _fit(self.draw(*self.size), self.size)
        style = self._ground
        if y >= len(self._shown):
            return Strip.blank(self.size.width, style)
        return self._shown[y].apply_style(style)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of `crop`, all in the one style of the widget, which is slow to find."""
        self._ground = self.rich_style
        return super().render_lines(crop)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """All the width there is, for a canvas whose width is auto."""
        return container.width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """The number of lines drawn, for a canvas whose height is auto."""
        return len(self.draw(width, container.height))


def _fit(lines: Sequence[Strip], size: Size) -> list[Strip]:
    blank = Strip.blank(size.width)
    fitted = [strip.adjust_cell_length(size.width) for strip in lines[: size.height]]
    return fitted + [blank] * (size.height - len(fitted))


def _changes(before: Sequence[Strip], after: Sequence[Strip]) -> Iterator[Region]:
    for y, (old, new) in enumerate(zip(before, after, strict=True)):
        if old is not new and old != new:
            for start, end in changed_spans(old, new):
                yield Region(start, y, end - start, 1)


def changed_spans(old: Strip, new: Strip) -> Iterator[tuple[int, int]]:
    """Where two lines of one width differ: columns [start, end), no letter cut in half.

    Spans are joined when the cells between them cost less than a jump over them.
    """
    cells, others = _cells(old), _cells(new)
    if len(cells) != len(others):
        yield 0, new.cell_length
        return
    start = end = -1
    pairs = enumerate(zip(cells, others, strict=True))
    for column in [column for column, (cell, other) in pairs if cell != other]:
        if start >= 0 and column - end > _WORTH_A_JUMP:
            yield start, end
            start = -1
        first, end = _whole(cells, others, column)
        start = first if start < 0 else start
    if start >= 0:
        yield start, end


def _whole(cells: Sequence[_Cell], others: Sequence[_Cell], column: int) -> tuple[int, int]:
    """The columns of the letters that stand, before or after, in this one."""
    start, end = column, column + 1
    while cells[start][2] or others[start][2]:
        start -= 1
    while end < len(cells) and (cells[end][2] or others[end][2]):
        end += 1
    return start, end


def _cells(strip: Strip) -> list[_Cell]:
    cells: list[_Cell] = []
    for text, style, _ in strip:
        blank = _on_blank(style)
        if _is_simple(text):
            cells += [(letter, blank if letter == " " else style, 0) for letter in text]
            continue
        for letter in text:
            width = cell_len(letter)
            if width == 0 and cells:
                base, base_style, half = cells[-1]
                cells[-1] = (base + letter, base_style, half)
            look = blank if letter == " " else style
            cells += [(letter, look, half) for half in range(width)]
    return cells


@lru_cache(maxsize=1024)
def _is_simple(text: str) -> bool:
    """Whether each letter takes one cell."""
    return text.isascii() or all(cell_len(letter) == 1 for letter in text)


@lru_cache(maxsize=256)
def _on_blank(style: Style | None) -> Style | None:
    """What of a style shows where there is no ink; None if that is nothing."""
    if style is None or not (style.bgcolor or style.underline or style.reverse or style.strike):
        return None
    return style
