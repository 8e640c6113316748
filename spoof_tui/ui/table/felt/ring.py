"""Lays out the table: felt with a wooden rim, the seats around it, and the middle between them.

The position of a seat is given as fractions of the felt, across and down, clockwise from the
player's own. Hands are as large as possible without overlapping.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations, product
from typing import Final, NamedTuple, TypeAlias

from rich.style import Style

from protocol.rules.words import Direction
from spoof_tui.text.ascii import is_ascii
from spoof_tui.text.glyphs import glyphs
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place, Sheet
from spoof_tui.ui.canvas.sprite import Size
from spoof_tui.ui.table.felt.centre import MAX_HEIGHT, MIN_HEIGHT, MIN_WIDTH, Centre
from spoof_tui.ui.table.felt.heap import SIZES, Heap, on_the_way
from spoof_tui.ui.table.felt.scars import Carving, Scars
from spoof_tui.ui.table.felt.seat import SeatPicture, seat_size
from spoof_tui.ui.table.felt.tone import Tone

RIMMED: Final = (40, 15)
"""Columns and rows from which the felt has a wooden rim."""

_RIM_KEPT: Final = (56, 14)
"""Columns and rows from which it keeps one if hands and a lower middle fit into it."""

LOW_MIDDLE: Final = MIN_HEIGHT - 1
"""Rows of a middle without an empty row, or with its label beside the number."""

SPARE: Final = 2
"""Extra columns of a seat, if there is room, so that words do not touch the hand."""

_FEW: Final = 6
"""The most seats that leave a heap some room beside the middle."""

_CLEAR: Final = 3
"""Columns between a seat and a heap, so that the heap does not seem to belong to the seat."""

_LIT: Final = 7
"""Cells of a rim's sides that glow, from each corner; more would take many bytes to paint."""

_WHY: Final = "w"
"""The key that a click on a sign presses: it explains all signs."""

_Spots: TypeAlias = tuple[tuple[float, float], ...]

_AROUND: Final[Mapping[int, _Spots]] = {
    1: ((0.5, 1),),
    2: ((0.5, 1), (0.5, 0)),
    3: ((0.5, 1), (0.1, 0), (0.9, 0)),
    4: ((0.5, 1), (0, 0.5), (0.5, 0), (1, 0.5)),
    5: ((0.5, 1), (0, 0.6), (0.2, 0), (0.8, 0), (1, 0.6)),
    6: ((0.5, 1), (0, 0.5), (0.05, 0), (0.5, 0), (0.95, 0), (1, 0.5)),
    7: ((0.5, 1), (0, 0.5), (0, 0), (1 / 3, 0), (2 / 3, 0), (1, 0), (1, 0.5)),
    8: ((0.5, 1), (0.05, 1), (0, 0.5), (0.05, 0), (0.5, 0), (0.95, 0), (1, 0.5), (0.95, 1)),
    9: (
        (0.5, 1), (0.06, 1), (0, 0.5), (0, 0), (1 / 3, 0), (2 / 3, 0), (1, 0), (1, 0.5), (0.94, 1),
    ),
}  # fmt: skip
"""Positions of the seats, by their number, all around the table."""

_APART: Final[Mapping[int, _Spots]] = {
    2: ((0, 1), (1, 0)),
    3: ((0.5, 1), (0, 0), (1, 0)),
}
"""Positions on a low table, where no seats face each other up and down."""

_LOW: Final[Mapping[int, _Spots]] = {
    2: ((0, 1), (0.5, 0)),
    3: ((0, 1), (0.25, 0), (0.75, 0)),
    4: ((0, 1), (0.05, 0), (0.5, 0), (0.95, 0)),
    5: ((0, 1), (0, 0), (1 / 3, 0), (2 / 3, 0), (1, 0)),
}
"""Positions on a still lower table: the others in a row, the middle beside the player's own
seat."""


@dataclass(frozen=True, slots=True)
class Felt:
    """The surface of the table, as a picture."""

    has_rim: bool = True
    direction: Direction | None = None
    """The direction of play, shown at both edges; None for none."""
    glow: Tone | None = None
    """The plaque whose colour the rim takes after a verdict; None for wood."""
    is_whole: bool = False
    """Whether all of the rim glows, instead of no more than takes few bytes to paint."""
    coins: tuple[tuple[int, int], ...] = ()
    """Columns and rows of coins in motion, which pass below everything else."""

    def draw(self, sheet: Sheet) -> None:
        """Cover the sheet with felt, with the coins on it, and, if `has_rim`, draw the rim around
        it; then the direction."""
        width, height = sheet.width, sheet.height
        for y in range(height):
            sheet.put(0, y, " " * width, palette.SURFACE)
        for x, y in self.coins:
            sheet.put(x, y, glyphs().coin, Tone.MONEY.style)
        if not self.has_rim:
            self._draw_direction(sheet, palette.ON_FELT_QUIET)
            return
        wood = self.glow.wood if self.glow else palette.WOOD
        # A loss can be told by the shape of the rim, too.
        dash, gap = (2, 2) if self.glow is Tone.NO else (width, 0)
        upper, edge, lower = "###" if is_ascii() else "▄█▀"
        for y, sign in ((0, upper), (height - 1, lower)):
            sheet.put(0, y, (sign * dash + " " * gap) * (width // dash), wood)
        for y in range(1, height - 1):
            is_lit = self.is_whole or min(y, height - 1 - y) <= _LIT
            sign = " " if gap and is_lit and y % 2 else edge
            for x in (0, width - 1):
                sheet.put(x, y, sign, wood if is_lit else palette.WOOD)
        self._draw_direction(sheet, palette.CARVED)

    def _draw_direction(self, sheet: Sheet, style: Style) -> None:
        if self.direction is None:
            return
        signs, middle = glyphs(), sheet.height // 2
        is_clockwise = self.direction is Direction.CLOCKWISE
        left, right = (signs.up, signs.down) if is_clockwise else (signs.down, signs.up)
        sheet.put(0, middle, left, style)
        sheet.put(sheet.width - 1, middle, right, style)


class Layout(NamedTuple):
    """Places on the felt, relative to its upper left corner."""

    seats: tuple[Place, ...]
    """Places of the seats, clockwise from the player's own."""
    middle: Place
    heap: Place = Place(0, 0, 0, 0)
    """Place of the pile and the pot; its size is 0 if there is no room."""


Lay: TypeAlias = Callable[[int, int, int], Layout]
"""Lays out a number of seats on felt of some width and height."""


def ring_parts(
    seats: Sequence[SeatPicture],
    me: int | None,
    centre: Centre,
    place: Place,
    direction: Direction | None = None,
    heap: Heap | None = None,
    glow: Tone | None = None,
    flights: Mapping[int, float] | None = None,
    scars: Scars | None = None,
    lay: Lay | None = None,
) -> list[Part]:
    """The parts of the whole table at `place`: the player's seat at the bottom, the others
    clockwise.

    `lay` lays it out, `lay_out` if None. `me` is the player's seat, `glow` the colour of the rim,
    `flights` how far coins have moved, by seat.
    """
    x, y, width, height = place
    inset = inset_of(place, len(seats))
    lay = lay or partial(lay_out, rows=middle_rows(place, len(seats)))
    layout = lay(len(seats), width - 2 * inset, height - 2 * inset)
    parts = [Part(_moved(layout.middle, x + inset, y + inset), centre, _WHY)]
    if heap and not heap.is_bare and layout.heap.height:
        parts.append(Part(_moved(layout.heap, x + inset, y + inset), heap, _WHY))
    first = me or 0
    places: dict[int, Place] = {}
    for step, spot in enumerate(layout.seats):
        index = (first + step) % len(seats)
        places[index] = _moved(spot, x + inset, y + inset)
        parts.append(Part(places[index], seats[index]))
    if scars is not None and inset:
        around = tuple(_moved(places[index], -x, -y) for index in sorted(places))
        parts.append(Part(place, Carving(scars, around)))
    pile = _moved(layout.heap if layout.heap.height else layout.middle, x + inset, y + inset)
    moving = (flights or {}).items()
    ways = (on_the_way(part, places[seat], pile) for seat, part in moving if seat in places)
    coins = tuple((column - x, row - y) for column, row in ways)
    return [Part(place, Felt(bool(inset), direction, glow, coins=coins)), *parts]


def has_room_for_rim(place: Place) -> bool:
    """Whether a rim fits here without taking room from what is drawn inside it."""
    return place.width >= RIMMED[0] and place.height >= RIMMED[1]


def inset_of(place: Place, seats: int) -> int:
    """Cells that the rim of a table at this place takes at each edge: 1, or 0 without a rim."""
    if has_room_for_rim(place):
        return 1
    if place.width < _RIM_KEPT[0] or place.height < _RIM_KEPT[1]:
        return 0
    return int(_are_hands(lay_out(seats, place.width - 2, place.height - 2, rows=LOW_MIDDLE)))


def middle_rows(place: Place, seats: int) -> int:
    """The fewest rows for the middle of a table at this place; one less where that keeps the
    rim."""
    is_kept = place.height < RIMMED[1] and inset_of(place, seats)
    return LOW_MIDDLE if is_kept else MIN_HEIGHT


def _moved(place: Place, x: int, y: int) -> Place:
    return place._replace(x=place.x + x, y=place.y + y)


@lru_cache(maxsize=64)
def lay_out(
    seats: int, width: int, height: int, least: int = MIN_WIDTH, rows: int = MIN_HEIGHT
) -> Layout:
    """Places for this many seats on felt of this size, with the largest hands that leave room for a
    heap and `least` columns for the middle, which has at least `rows` rows.

    If no hands do, the largest that fit; without any that fit, no seats.
    """
    tight: Layout | None = None
    for spots, size, spare in _ways():
        if seats in spots:
            places = tuple(_spots(spots[seats], size, spare, width, height))
            widest = max(least, _widest(seats, width))
            middle = _middle(places, width, height, rows, widest, aside=spots is _LOW)
            if middle is not None:
                heap = free_for_heap((*places, middle), middle, width, height)
                layout = Layout(places, middle, heap)
                if (heap.height or seats == 1) and middle.width >= least:
                    return layout
                tight = tight or layout
    return tight or Layout((), Place(0, 0, max(width, 0), max(height, 0)))


def _ways() -> Iterator[tuple[Mapping[int, _Spots], Size, int]]:
    """Ways to lay the table, the best first: positions, size of the hands, and spare columns."""
    *sizes, tiny = reversed(Size)
    for hands in (sizes, [tiny]):
        yield from product((_AROUND, _APART, _LOW), hands, (SPARE, 0))


def has_hands(seats: int, place: Place) -> bool:
    """Whether a table with this many seats at this place has room for hands of more than one
    row."""
    inset = inset_of(place, seats)
    rows = middle_rows(place, seats)
    return _are_hands(lay_out(seats, place.width - 2 * inset, place.height - 2 * inset, rows=rows))


def _are_hands(layout: Layout) -> bool:
    return any(each.height > seat_size(Size.TINY)[1] for each in layout.seats)


def _spots(spots: _Spots, size: Size, spare: int, width: int, height: int) -> Iterator[Place]:
    columns, rows = seat_size(size)
    columns += spare
    for across, down in spots:
        x, y = round(across * (width - columns)), round(down * (height - rows))
        yield Place(x, y, columns, rows)


def _widest(seats: int, width: int) -> int:
    """The most columns of the middle, so that it leaves a heap some room: two seats leave it
    corners, and many no room at all."""
    return width - 2 * (SIZES[1][0] + _CLEAR + 1) if 2 < seats <= _FEW else width


def _middle(
    seats: Sequence[Place], width: int, height: int, rows: int, widest: int, *, aside: bool
) -> Place | None:
    """The largest free place near the middle, of at least `rows` rows and up to `widest` columns;
    None if seats overlap or leave no room.

    `aside`: it may be left or right of the middle.
    """
    overlap = any(_meet(one, two) for one, two in combinations(seats, 2))
    if overlap or not all(_is_inside(seat, width, height) for seat in seats):
        return None
    columns = range(width - MIN_WIDTH + 1) if aside else [(width - MIN_WIDTH) // 2]
    corners = [(x, y) for x in columns for y in range(height - rows + 1)]
    ideal = ((width - MIN_WIDTH) / 2, (height - rows) / 2)
    corners.sort(key=lambda at: (abs(at[0] - ideal[0]) + 2 * abs(at[1] - ideal[1]), at))
    for x, y in corners:
        found = Place(x, y, MIN_WIDTH, rows)
        if not any(_meet(found, seat) for seat in seats):
            return _grown(found, seats, width, height, widest)
    return None


def free_for_heap(taken: Sequence[Place], middle: Place, width: int, height: int) -> Place:
    """A free place for a heap, as large as possible and far from the player's own seat.

    If possible it is beside no seat, below none, and on no row of the player's own. Its size is 0
    if there is no room.
    """
    mine = taken[0]
    x, y = mine.x + mine.width / 2, mine.y + mine.height / 2
    beside = [place._replace(x=place.x - _CLEAR, width=place.width + 2 * _CLEAR) for place in taken]
    apart = [place._replace(height=place.height + 1) for place in beside]
    apart.append(Place(0, mine.y, width, mine.height))
    for kept, (columns, rows) in product((apart, beside, taken), SIZES):
        corners = product(range(width - columns + 1), range(height - rows + 1))
        places = [Place(left, top, columns, rows) for left, top in corners]
        places.sort(key=lambda at: (-_distance(at, x, y), at))
        free = (place for place in places if not any(_meet(place, each) for each in kept))
        if found := next(free, None):
            return found
    return Place(0, 0, 0, 0)


def _distance(place: Place, x: float, y: float) -> float:
    """The distance of a place's middle from a point in columns; a row counts as two."""
    return abs(place.x + place.width / 2 - x) + 2 * abs(place.y + place.height / 2 - y)


def _grown(place: Place, seats: Sequence[Place], width: int, height: int, widest: int) -> Place:
    """The place enlarged, first in width to `widest` columns, as far as it touches no seat."""
    for dx, dy in ((1, 0), (0, 1)):
        while place.width < widest if dx else place.height < MAX_HEIGHT:
            larger = [
                place._replace(
                    x=place.x - dx, y=place.y - dy,
                    width=place.width + 2 * dx, height=place.height + 2 * dy,
                ),
                place._replace(width=place.width + dx, height=place.height + dy),
                place._replace(
                    x=place.x - dx, y=place.y - dy,
                    width=place.width + dx, height=place.height + dy,
                ),
            ]  # fmt: skip
            inside = (each for each in larger if _is_inside(each, width, height))
            free = (each for each in inside if not any(_meet(each, seat) for seat in seats))
            if (next_one := next(free, None)) is None:
                break
            place = next_one
    return place


def _is_inside(place: Place, width: int, height: int) -> bool:
    across = 0 <= place.x <= place.x + place.width <= width
    return across and 0 <= place.y <= place.y + place.height <= height


def _meet(one: Place, two: Place) -> bool:
    across = one.x < two.x + two.width and two.x < one.x + one.width
    return across and one.y < two.y + two.height and two.y < one.y + one.height
