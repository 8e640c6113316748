"""The bytes that a terminal is sent when one drawing replaces another."""

from __future__ import annotations

from collections.abc import Iterator

from rich.color import ColorSystem
from rich.style import Style
from textual.strip import Strip

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Ground, Sheet
from spoof_tui.ui.painting import ShownCells, cells_of
from spoof_tui.ui.sequences import PLAIN, Piece, changed, written

_GROUND = Style(color=palette.INK, bgcolor=palette.GROUND)


def painted(before: Sheet, after: Sheet) -> str:
    """The sequences that the painter writes for the cells that differ."""
    return written(differing(before, after))


def differing(before: Sheet, after: Sheet) -> Iterator[Piece]:
    """The pieces of a drawing that differ from the one before it."""
    shown = ShownCells()
    for sheet in (before, after):
        list(shown.differing())
        for y, row in enumerate(sheet.rows):
            put(shown, y, 0, row.strip(Ground(_GROUND)))
    return shown.differing()


def put(shown: ShownCells, y: int, x: int, strip: Strip) -> None:
    """Have a terminal show a strip."""
    for text, style, _control in strip:
        codes = Strip.render_ansi(style, ColorSystem.TRUECOLOR) if style else ""
        x = shown.put(y, x, list(cells_of(text, changed(PLAIN, codes))))
