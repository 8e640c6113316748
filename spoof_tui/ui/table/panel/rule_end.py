"""The right end of the panel's rule: what holds for the table at any moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.cells import cell_len

from protocol.table.fold import Phase
from spoof_tui.telling import absence, practice
from spoof_tui.telling.durations import duration
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Piece
from spoof_tui.ui.table.frame import beside_length

if TYPE_CHECKING:
    from protocol.views import TableView
    from spoof_tui.ui.table.scene import Scene

_CLOCK: Final = 10
"""Cells of the turn clock's bar."""


def rule_end(scene: Scene, room: int) -> list[list[Piece]]:
    """The right end of the rule: turn clock, table that waits, join code, seal and door."""
    view = scene.view
    if view is None or scene.over:
        return []
    parts: list[list[Piece]] = []
    if not scene.is_stale and (left := _time_left(scene, view)) is not None:
        parts.append(_clock_bar(left, view.clock))
    parts += _waiting_table(scene, room - beside_length(parts) - 3)
    # Between games it is in the middle of the table.
    if scene.code and view.phase is not Phase.GATHERING:
        parts.append([(" " + _("code") + " ", palette.QUIET), (scene.code + " ", palette.STRONG)])
    if scene.is_sealed:
        look = palette.pressing(palette.QUIET, "w")
        word = _("sealed elsewhere") if view.lacks_secret else _("sealed")
        parts.append([(f" {glyphs().sealed} {word} ", look)])
    if scene.door:
        parts.append([(" " + _("door open") + " ", palette.QUIET)])
    while parts and beside_length(parts) > room:
        del parts[-1]
    return parts


def _waiting_table(scene: Scene, room: int) -> list[list[Piece]]:
    """During a practice game, whether the table is heard at which the seat waits; empty if none
    waits."""
    if scene.waiting is None:
        return []
    words = practice.heard_words(scene.waiting)
    shown = next((each for each in words if cell_len(each) <= room), words[-1])
    return [[(f" {shown} ", palette.QUIET if scene.waiting.silence else palette.STRONG)]]


def _time_left(scene: Scene, view: TableView) -> int | None:
    """Seconds left on the turn clock, the player's own or else the speaker's (G4); None without
    one."""
    seat = view.my_seat
    left = absence.time_left(seat, scene.now) if seat else None
    if left is None and view.speaker is not None:
        left = absence.time_left(view.seats[view.speaker], scene.now)
    return left


def _clock_bar(left: int, whole: int) -> list[Piece]:
    """The turn clock as a bar that empties, and in digits; `left` of `whole` seconds."""
    full = min(-(-left * _CLOCK // max(whole, 1)), _CLOCK)
    look = palette.WRONG if left <= absence.HURRY else palette.BRIGHT
    return [
        (" " + "━" * full, look),
        ("╌" * (_CLOCK - full), palette.BORDER),
        (f" {duration(left)} ", look),
    ]
