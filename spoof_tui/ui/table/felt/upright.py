"""Lays out a table on a screen that is higher than wide.

The others sit above, clockwise: up the left column, along the top, down the right one. The player's
own seat is below, and the middle between them is as wide as the screen.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from spoof_tui.ui.canvas.cells import Place
from spoof_tui.ui.canvas.sprite import Size
from spoof_tui.ui.table.felt.centre import HUGE_FROM
from spoof_tui.ui.table.felt.ring import LOW_MIDDLE, SPARE, Layout, free_for_heap, inset_of
from spoof_tui.ui.table.felt.seat import seat_size

_MOST: Final = 3
"""The most seats in a row."""

_LEAST: Final = {Size.LARGE: HUGE_FROM, Size.MIDDLE: HUGE_FROM, Size.SMALL: LOW_MIDDLE}
"""Sizes of the others' hands, the best first, each with the fewest rows that it must leave the
middle."""


def is_upright(seats: int, place: Place) -> bool:
    """Whether this layout has room for this many seats at this place."""
    inset = inset_of(place, seats)
    return lay_upright(seats, place.width - 2 * inset, place.height - 2 * inset).seats != ()


@lru_cache(maxsize=64)
def lay_upright(seats: int, width: int, height: int) -> Layout:
    """Places for this many seats on felt of this size, with the largest hands that fit.

    Without places for seats if none fit.
    """
    for size, least in _LEAST.items():
        columns, rows = seat_size(size)
        for beside in range(1, min(_MOST, width // columns) + 1):
            above = rows * len(_rows(seats - 1, beside))
            if above + least + rows <= height:
                return _laid(seats, beside, size, width, height)
    return Layout((), Place(0, 0, max(width, 0), max(height, 0)))


def _laid(seats: int, beside: int, size: Size, width: int, height: int) -> Layout:
    rows = _rows(seats - 1, beside)
    above = seat_size(size)[1] * len(rows)
    own = next(
        each for each in reversed(Size)
        if each is size or above + HUGE_FROM + seat_size(each)[1] <= height
    )  # fmt: skip
    columns, high = seat_size(own)
    columns = min(columns + SPARE, width)
    mine = Place((width - columns) // 2, height - high, columns, high)
    places = {0: mine, **dict(_others(rows, size, width))}
    middle = Place(0, above, width, height - above - high)
    every = tuple(places[step] for step in range(seats))
    return Layout(every, middle, free_for_heap((*every, middle), middle, width, height))


def _rows(others: int, beside: int) -> list[list[int]]:
    """The others in each row from the top, by their distance clockwise from the player's own
    seat."""
    steps = [*range(1, others + 1)]
    if beside == 1:
        return [[each] for each in reversed(steps)]
    top = others if others <= beside else beside - (others - beside) % 2
    pairs = (others - top) // 2
    sides = ([steps[row], steps[-1 - row]] for row in reversed(range(pairs)))
    return [steps[pairs : pairs + top], *sides]


def _others(rows: list[list[int]], size: Size, width: int) -> Iterator[tuple[int, Place]]:
    columns, high = seat_size(size)
    for y, row in enumerate(rows):
        # A pair sits at the edges, where the rows above have theirs.
        for x, step in enumerate(row):
            room = width - columns
            left = room // 2 if len(row) == 1 else x * room // (len(row) - 1)
            yield step, Place(left, y * high, columns, high)
