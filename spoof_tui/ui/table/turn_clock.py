"""The clock of a turn on the screen (G4)."""

from __future__ import annotations

from typing import Final

from protocol.views import TableView
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Piece
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.wording import absence

_CELLS: Final = 10
"""Cells of the bar of a turn clock."""


def time_left(scene: Scene, view: TableView) -> int | None:
    """Seconds on the turn clock: the player's own, else the speaker's (G4)."""
    seat = view.my_seat
    left = absence.time_left(seat, scene.now) if seat else None
    if left is None and view.speaker is not None:
        left = absence.time_left(view.seats[view.speaker], scene.now)
    return left


def clock_bar(left: int, whole: int) -> list[Piece]:
    """The turn clock as a bar that empties, and in digits."""
    full = min(-(-left * _CELLS // max(whole, 1)), _CELLS)
    look = palette.WRONG if left <= absence.HURRY else palette.BRIGHT
    return [
        (" " + "━" * full, look),
        ("╌" * (_CELLS - full), palette.BORDER),
        (f" {absence.duration(left)} ", look),
    ]
