"""The whole table as parts of a stage, each a value computed from the scene."""

from __future__ import annotations

from collections.abc import Iterable

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Faded, Part, Place
from spoof_tui.ui.table.framed import frame
from spoof_tui.ui.table.middle import middle
from spoof_tui.ui.table.panel import table_panel
from spoof_tui.ui.table.ring import ring_parts
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.seats import pictures
from spoof_tui.ui.table.side import bar, side_parts


def table_parts(scene: Scene, width: int, height: int) -> list[Part]:
    """Bar, table, column and panel; what may have moved on unseen is faded."""
    places = frame(width, height)
    table = ring(scene, places.ring)
    if places.side.width:
        table += side_parts(scene, places.side)
    if scene.is_stale:
        table = list(_faded(table))
    return [Part(places.bar, bar(scene)), *table, *table_panel(scene, places.panel)]


def ring(scene: Scene, place: Place) -> list[Part]:
    """The seats round the table, and what lies in its middle."""
    view = scene.view
    seats = pictures(view, scene.names, scene.showing, scene.peek, scene.now) if view else ()
    return ring_parts(seats, view.me if view else None, middle(scene), place)


def _faded(parts: Iterable[Part]) -> Iterable[Part]:
    return (Part(part.place, Faded(part.picture, palette.STALE)) for part in parts)
