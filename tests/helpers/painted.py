"""What a terminal is sent when one drawing takes the place of another."""

from __future__ import annotations

from rich.color import ColorSystem
from rich.style import Style

from spoof_tui.ui import terminal
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet


def painted(before: Sheet, after: Sheet) -> str:
    """The sequences that the painter writes for the cells that differ."""
    ground = Style(color=palette.INK, bgcolor=palette.GROUND)
    written: list[str] = []
    look, place = terminal._PLAIN, (-1, -1)
    for y, start, end in after.changes(before):
        if place != (y, start):
            written.append(f"\x1b[{y + 1};{start + 1}H")
        strip = after.rows[y].strip(ground).crop(start, end)
        look = terminal._write(written, strip, look, ColorSystem.TRUECOLOR)
        place = (y, end)
    return "".join([*written, terminal._turn(look, terminal._PLAIN)])
