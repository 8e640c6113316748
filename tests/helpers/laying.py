"""The parts of a stage on one sheet, as tests look at them."""

from __future__ import annotations

from collections.abc import Iterable

from spoof_tui.ui.canvas.cells import Part, Sheet


def drawn(parts: Iterable[Part], width: int, height: int) -> Sheet:
    """All parts on one sheet."""
    sheet = Sheet(width, height)
    for part in parts:
        sheet.lay(part.sheet(), part.place.x, part.place.y)
    return sheet
