"""Computes the parts of the table screen from the scene."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Final

from protocol.views import TableView
from spoof_tui.acts.table import MODERATE, PEEK
from spoof_tui.telling import absence
from spoof_tui.ui.canvas.cells import Faded, Part, Place, prose
from spoof_tui.ui.dialogs.labels import is_enough, wanted_size
from spoof_tui.ui.table.felt.heap import flights, heap_of
from spoof_tui.ui.table.felt.middle import direction, glow, middle
from spoof_tui.ui.table.felt.ring import has_hands, lay_out, middle_rows, ring_parts
from spoof_tui.ui.table.felt.scars import scars_of
from spoof_tui.ui.table.felt.seat import SeatPicture
from spoof_tui.ui.table.felt.seat_list import SeatLine, least_rows, list_parts
from spoof_tui.ui.table.felt.seats import pictures
from spoof_tui.ui.table.felt.upright import is_upright, lay_upright
from spoof_tui.ui.table.frame import (
    MARGIN,
    MIN_RING,
    MIN_TABLE,
    Lines,
    fixed,
    frame,
    is_list,
)
from spoof_tui.ui.table.panel.game_over import game_over, game_over_parts
from spoof_tui.ui.table.panel.panel import is_in_game, table_panel, wanted_rows
from spoof_tui.ui.table.panel.side import bar, instead_of_table, short_bar, side_parts
from spoof_tui.ui.table.scene import Scene

_FEW: Final = 6
"""The most seats that are drawn as a table even with hands of one row; more are shown as a list."""


def table_parts(scene: Scene, width: int, height: int) -> list[Part]:
    """The parts of the whole screen: bar, table, side column and panel.

    They are faded if the table may have changed unnoticed, or is over.
    """
    if not is_enough(width, height):
        lines = prose(wanted_size()[0], width - MARGIN)
        return [Part(Place(0, 0, width, height), Lines(fixed(lines)))]
    places = frame(width, height)
    if scene.view is not None:
        least = _least_rows(scene, scene.view, places.ring, is_low=is_list(width, height))
        places = places.with_panel(wanted_rows(scene, places.panel), least)
    if places.side.width:
        table = [*ring(scene, places.ring), *side_parts(scene, places.side)]
    else:
        table = instead_of_table(scene, places.ring) or ring(scene, places.ring)
    table = [_pressing(part, scene) for part in table]
    if scene.is_stale or scene.over:
        table = list(_faded(table))
    above = short_bar(scene, places.ring) if is_list(width, height) else bar(scene)
    return [Part(places.bar, above), *table, *table_panel(scene, places.panel)]


def _least_rows(scene: Scene, view: TableView, place: Place, *, is_low: bool) -> int:
    """The fewest rows that a panel leaves the table at `place`; in a game it stays a table or a
    list, whatever is told below it, unless the connection is lost or a player is away."""
    is_in_trouble = scene.is_stale or bool(absence.votes_due(view, scene.now))
    seats, is_kept = len(view.seats), is_in_game(scene, view) and not is_in_trouble
    is_listed = _is_listed(seats, place)
    if is_low and (is_listed or not is_kept):
        # News may have the seats in two columns.
        return -(-seats // 2) if scene.has_news else least_rows(seats, place.height)
    lower = (place._replace(height=rows) for rows in range(MIN_TABLE, place.height))
    kept = (each.height for each in lower if _is_listed(seats, each) is is_listed)
    return next(kept, place.height)


def _is_listed(seats: int, place: Place) -> bool:
    """Whether this place has no room for this many seats around a table."""
    if place.height < MIN_TABLE:
        return True
    if place.width < MIN_RING[0]:
        return not is_upright(seats, place)
    return seats > _FEW and not has_hands(seats, place)


def _pressing(part: Part, scene: Scene) -> Part:
    """The part of a seat, with the key that a click on it presses: the peek, or measures against
    others."""
    seat = part.picture.seat if isinstance(part.picture, SeatLine) else part.picture
    if not isinstance(seat, SeatPicture) or (scene.is_practice and not seat.is_me):
        return part
    return replace(part, press=PEEK.key if seat.is_me else MODERATE.key)


def ring(scene: Scene, place: Place) -> list[Part]:
    """The parts of the table itself: the seats and the middle; after a game, its end."""
    view = scene.view
    if over := game_over(scene):
        return game_over_parts(over, place)
    seats = _seats(scene, view) if view else ()
    if _is_listed(len(seats), place):
        return list_parts(seats, middle(scene), place, direction(scene))
    me = view.me if view else None
    heap = heap_of(scene.of_pub)
    lit = glow(scene)
    coins = flights(scene.reveal.played, scene.flight) if scene.reveal else None
    scars, centre = scars_of(view), middle(scene)
    lay = (
        lay_upright
        if place.width < MIN_RING[0]
        else partial(lay_out, least=centre.least_width, rows=middle_rows(place, len(seats)))
    )
    return ring_parts(seats, me, centre, place, direction(scene), heap, lit, coins, scars, lay)


def _seats(scene: Scene, view: TableView) -> tuple[SeatPicture, ...]:
    # While nothing is heard, somebody who is away may be back, and a clock may have been stopped.
    now = None if scene.is_stale else scene.now
    return pictures(view, scene.names, scene.showing, scene.peek, now, scene.gestures, scene.unseen)


def _faded(parts: Iterable[Part]) -> Iterable[Part]:
    return (replace(part, picture=Faded(part.picture)) for part in parts)
