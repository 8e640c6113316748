"""The parts of a stage on one sheet, as tests look at them."""

from __future__ import annotations

from collections.abc import Iterable

from spoof_tui.ui.canvas.cells import Part, Place, Sheet


def drawn(parts: Iterable[Part], width: int, height: int) -> Sheet:
    """All parts on one sheet."""
    sheet = Sheet(width, height)
    for part in parts:
        lay(sheet, part.sheet(), part.place)
    return sheet


def lay(sheet: Sheet, other: Sheet, place: Place) -> None:
    """Copy a sheet drawn for this place."""
    for row in range(other.height):
        if 0 <= place.y + row < sheet.height:
            sheet.lay_row(place.x, place.y + row, other, row)
