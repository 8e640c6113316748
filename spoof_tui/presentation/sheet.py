"""A rectangle of cells to draw on, piece by piece, that becomes the lines of a canvas."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from spoof_tui.presentation.palette import TEXT


class Sheet:
    """`width` × `height` blank cells. What would lie outside is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width = width
        self.height = height
        self._cells: list[list[tuple[str, Style | None]]] = [
            [(" ", None)] * width for _ in range(height)
        ]

    def put(self, x: int, y: int, text: str, style: Style = TEXT) -> int:
        """Draw `text` from column `x` of row `y`; the column after it."""
        for letter in text:
            size = cell_len(letter)
            if 0 <= y < self.height and x >= 0 and x + size <= self.width and size:
                self._clear(y, x, x + size)
                self._cells[y][x] = (letter, style)
                for covered in range(x + 1, x + size):
                    self._cells[y][covered] = ("", style)
            x += size
        return x

    def _clear(self, y: int, start: int, end: int) -> None:
        """Make room; a wide letter of which one half goes is blank in the other half, too."""
        row = self._cells[y]
        while start and not row[start][0]:
            start -= 1
        while end < self.width and not row[end][0]:
            end += 1
        row[start:end] = [(" ", None)] * (end - start)

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
        return [_strip(row) for row in self._cells]


def _strip(row: Sequence[tuple[str, Style | None]]) -> Strip:
    segments: list[Segment] = []
    text, style = "", row[0][1] if row else None
    for letter, own in row:
        if own != style and not (letter == " " and own is None and not _is_marked(style)):
            segments.append(Segment(text, style))
            text, style = "", own
        text += letter
    segments.append(Segment(text, style))
    return Strip([segment for segment in segments if segment.text])


def _is_marked(style: Style | None) -> bool:
    """Whether the style shows on a blank."""
    return style is not None and bool(style.bgcolor or style.underline or style.reverse)


def fit(text: str, width: int) -> str:
    """`text` cut to `width` cells, with an ellipsis where something is missing."""
    if cell_len(text) <= width:
        return text
    if width < 1:
        return ""
    return set_cell_size(text, width - 1).rstrip() + "…"


def wrap(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells, broken at blanks where there are any."""
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
