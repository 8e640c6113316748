"""What a terminal is sent when one drawing takes the place of another."""

from __future__ import annotations

from rich.color import ColorSystem
from rich.style import Style

from spoof_tui.ui import sequences
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet


def painted(before: Sheet, after: Sheet) -> str:
    """The sequences that the painter writes for the cells that differ."""
    ground = Style(color=palette.INK, bgcolor=palette.GROUND)
    pieces = (
        (y, start, after.rows[y].strip(ground).crop(start, end))
        for y, start, end in after.changes(before)
    )
    return sequences.written(pieces, ColorSystem.TRUECOLOR)
