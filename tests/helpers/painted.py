"""The bytes that a terminal is sent when one drawing replaces another."""

from __future__ import annotations

from collections.abc import Iterator

from rich.color import ColorSystem
from rich.style import Style

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Ground, Sheet
from spoof_tui.ui.sequences import Piece, cells, written
from spoof_tui.ui.terminal import ShownCells

_GROUND = Style(color=palette.INK, bgcolor=palette.GROUND)


def painted(before: Sheet, after: Sheet) -> str:
    """The sequences that the painter writes for the cells that differ."""
    return written(differing(before, after))


def differing(before: Sheet, after: Sheet) -> Iterator[Piece]:
    """The pieces of a drawing that differ from the one before it."""
    shown = ShownCells()
    list(shown.paint(_pieces(before)))
    return shown.paint(_pieces(after))


def _pieces(sheet: Sheet) -> Iterator[Piece]:
    ground = Ground(_GROUND)
    rows = (row.strip(ground) for row in sheet.rows)
    return ((y, 0, cells(row, ColorSystem.TRUECOLOR)) for y, row in enumerate(rows))
