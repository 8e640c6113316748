"""Marks of the evening in the wooden rim.

For each lost coin there is a notch in front of the seat; the winners of games are carved in.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from protocol.views import TableView
from spoof_tui.telling.names import name_of
from spoof_tui.text.ascii import is_ascii
from spoof_tui.text.glyphs import glyphs
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Place, Sheet, first_fitting

_STARS: Final = 5
"""The most won games that are shown as stars; more are shown as a number."""

_EDGE: Final = 2
"""Cells between a corner and the names of the winners."""


@dataclass(frozen=True, slots=True)
class Scars:
    """The marks to be drawn in the rim."""

    lost: tuple[int, ...] = ()
    """For each seat, the coins it has lost over the evening."""
    won: tuple[tuple[str, int], ...] = ()
    """Names of winners with the number of games won, the highest first."""


def scars_of(view: TableView | None) -> Scars:
    """The marks of the evening so far; none without a view."""
    if view is None:
        return Scars()
    stakes = view.stakes
    won = sorted(stakes.won.items(), key=lambda each: -each[1])
    return Scars(
        tuple(stakes.lost.get(seat.key, 0) for seat in view.seats),
        tuple((name_of(view, key), games) for key, games in won),
    )


@dataclass(frozen=True, slots=True)
class Carving:
    """The marks in a rim, as a picture that leaves all other cells alone."""

    scars: Scars
    seats: tuple[Place, ...]
    """Places of the seats, by index, relative to the corner of the rim."""

    def draw(self, sheet: Sheet) -> None:
        """Draw the notches in front of each seat, and the winners' names where the rim is free."""
        taken = set[tuple[int, int]]()
        for place, count in zip(self.seats, self.scars.lost, strict=False):
            cells = list(_edge(place, sheet.width, sheet.height))
            taken.update(_draw_notches(sheet, cells, count))
        self._draw_winners(sheet, taken)

    def _draw_winners(self, sheet: Sheet, taken: set[tuple[int, int]]) -> None:
        names = [f"{name.upper()} {_stars(games)}" for name, games in self.scars.won]
        for count in range(len(names), 0, -1):
            text = f" {'  '.join(names[:count])} "
            for y in (sheet.height - 1, 0):
                last = sheet.width - _EDGE - cell_len(text)
                free = (
                    x for x in range(last, _EDGE - 1, -1)
                    if not any((at, y) in taken for at in range(x, x + cell_len(text)))
                )  # fmt: skip
                if (x := next(free, None)) is not None:
                    sheet.put(x, y, text, palette.CARVED)
                    return


def _stars(games: int) -> str:
    star = glyphs().star
    return star * games if games <= _STARS else f"{star}{games}"


def _edge(place: Place, width: int, height: int) -> Iterator[tuple[int, int]]:
    """The cells of the rim next to a seat, from the middle outwards."""
    columns = range(max(place.x, 1), min(place.x + place.width, width - 1))
    rows = range(max(place.y, 1), min(place.y + place.height, height - 1))
    if place.y + place.height >= height - 1 or place.y <= 1:
        y = 0 if place.y <= 1 else height - 1
        return ((x, y) for x in _from_the_middle(columns))
    x = 0 if place.x <= width // 2 else width - 1
    return ((x, y) for y in _from_the_middle(rows))


def _from_the_middle(numbers: Sequence[int]) -> list[int]:
    middle = (numbers[0] + numbers[-1]) / 2 if numbers else 0
    return sorted(numbers, key=lambda each: (abs(each - middle), each))


def _draw_notches(
    sheet: Sheet, cells: Sequence[tuple[int, int]], count: int
) -> Sequence[tuple[int, int]]:
    """Draw a notch for each coin or, if there are too many, their number between two notches along
    the rim; return the cells used."""
    if not count:
        return ()
    # Every other cell, so that each can be seen.
    notched = cells[::2][:count]
    if count > len(notched):
        text = first_fitting(len(cells), f" {count} ", f" {count}", str(count))
        used = sorted(cells[: len(text)])
        for (x, y), sign in zip(used, text, strict=False):
            if sign == " ":
                _draw_notch(sheet, x, y)
            else:
                sheet.put(x, y, sign, palette.CARVED)
        return used
    for x, y in notched:
        _draw_notch(sheet, x, y)
    return notched


def _draw_notch(sheet: Sheet, x: int, y: int) -> None:
    style = palette.NOTCH if 0 < y < sheet.height - 1 else palette.WOOD
    sheet.put(x, y, _notch(x, y, sheet.width), style)


def _notch(x: int, y: int, width: int) -> str:
    """The character of the rim at a cell with a notch."""
    if 0 < x < width - 1:
        return glyphs().notch_below if y else glyphs().notch_above
    if is_ascii():
        return "<" if x else ">"
    return "▐" if x else "▌"
