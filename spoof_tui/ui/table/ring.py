"""The table in the middle of the screen: the seats round it, fists, coins, and what stands.

`SeatPicture` is what a seat shows, `Centre` what lies in the middle; each is a part of its own.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from protocol.rules.words import Direction
from protocol.views import FistState
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.big_letters import large
from spoof_tui.ui.canvas.cells import Part, Place, Sheet, fit
from spoof_tui.ui.canvas.palette import glyphs

SEAT_WIDTH: Final = 14
SEAT_HEIGHT: Final = 4
_FIST_WIDTH: Final = 6
INFO_WIDTH: Final = SEAT_WIDTH - _FIST_WIDTH - 1
"""Cells beside a fist."""

_MIN_CENTRE: Final = 12
"""Cells without which nothing can be written in the middle."""

_CLOSED: Final = ("╭┬┬┬┬╮", "├┴┴┴╯│", "╰────╯")
_AWAITED: Final = ("╭╴  ╶╮", "      ", "╰╴  ╶╯")

_PLACES: Final[Mapping[int, tuple[tuple[float, float], ...]]] = {
    1: ((0.5, 1),),
    2: ((0.5, 1), (0.5, 0)),
    3: ((0.5, 1), (0.12, 0), (0.88, 0)),
    4: ((0.5, 1), (0, 0.5), (0.5, 0), (1, 0.5)),
    5: ((0.5, 1), (0, 0.5), (0.2, 0), (0.8, 0), (1, 0.5)),
    6: ((0.5, 1), (0, 0.5), (0.05, 0), (0.5, 0), (0.95, 0), (1, 0.5)),
    7: ((0.5, 1), (0, 0.5), (0, 0), (1 / 3, 0), (2 / 3, 0), (1, 0), (1, 0.5)),
    8: ((0.5, 1), (0.05, 1), (0, 0.5), (0.05, 0), (0.5, 0), (0.95, 0), (1, 0.5), (0.95, 1)),
    9: (
        (0.5, 1), (0.05, 1), (0, 0.5), (0, 0), (1 / 3, 0), (2 / 3, 0), (1, 0), (1, 0.5), (0.95, 1),
    ),
}  # fmt: skip
"""Where the seats are, by their number: across and down, 0 to 1, clockwise from my own."""


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """What one seat shows."""

    name: str
    fist: FistState
    """What the fist looks like; between games a fist says that its owner is ready."""
    coins: int
    hand: int | None = None
    """Coins in the open hand."""
    speaks: bool = False
    faint: bool = False
    """Out, or only waiting for the next game."""
    said: str = ""
    """The last word, or what the round changed."""
    said_style: Style = field(default_factory=lambda: palette.TEXT)
    small: str = ""
    """What stands after the word in small print."""
    tally: str = ""
    """Stands in the place of the coins, where these are always the same."""
    note: str = ""
    """Presence, readiness or a role."""
    note_style: Style = field(default_factory=lambda: palette.QUIET)
    is_me: bool = False

    def draw(self, sheet: Sheet) -> None:
        """The name, the fist, and beside it what there is to know."""
        sheet.put(0, 0, glyphs().pointer if self.speaks else "", palette.STRONG)
        indent = 2 if self.speaks else 0
        sheet.put(indent, 0, fit(self.name, SEAT_WIDTH - indent), self._name_style)
        for row, (text, style) in enumerate(_fist(self), 1):
            sheet.put(0, row, text, style)
        if self.fist is FistState.OPEN and self.hand:
            sheet.put(1, 2, _in_hand(self.hand), palette.MONEY)
        self._draw_info(sheet, _FIST_WIDTH + 1)

    @property
    def _name_style(self) -> Style:
        if self.faint:
            return palette.QUIET
        return palette.STRONG if self.speaks else palette.BOLD if self.is_me else palette.TEXT

    def _draw_info(self, sheet: Sheet, x: int) -> None:
        if self.tally:
            sheet.put(x, 1, fit(self.tally, INFO_WIDTH), palette.WRONG)
        else:
            sheet.put(x, 1, coins(self.coins, INFO_WIDTH), palette.MONEY)
        said = sheet.put(x, 2, fit(self.said, INFO_WIDTH), self.said_style)
        sheet.put(said, 2, fit(self.small, INFO_WIDTH - said + x), palette.QUIET)
        note = fit(self.note, INFO_WIDTH + 1)
        # The longest begins beside the fist, so that it is whole at the right edge, too.
        sheet.put(SEAT_WIDTH - max(cell_len(note), INFO_WIDTH), 3, note, self.note_style)


@dataclass(frozen=True, slots=True)
class Centre:
    """What lies in the middle of the table."""

    number: int | None = None
    """Shown large."""
    code: str = ""
    """A join code, shown large where there is room."""
    above: str = ""
    below: str = ""
    style: Style = field(default_factory=lambda: palette.STRONG)
    direction: Direction | None = None
    """Which way the word goes, drawn along the edge."""

    def draw(self, sheet: Sheet) -> None:
        """A frame with all of it in the middle."""
        width, height = sheet.width, sheet.height
        for row in range(1, height - 1):
            sheet.put(1, row, " " * (width - 2), palette.SURFACE)
        sheet.box(0, 0, width, height, palette.BORDER)
        if self.direction:
            _draw_direction(sheet, self.direction)
        rows = _centre_rows(self, width - 2, height - 2)
        top = max((height - len(rows)) // 2, 0)
        for row, (text, style) in enumerate(rows, top):
            sheet.centre(1, row, width - 2, text, style + palette.SURFACE)


def ring_parts(
    seats: Sequence[SeatPicture], me: int | None, centre: Centre, place: Place
) -> list[Part]:
    """The whole table: my own seat below, the others clockwise round it."""
    parts = [*_centre_part(centre, place)]
    first = me or 0
    for step, (across, down) in enumerate(_PLACES.get(len(seats), ())):
        x = place.x + round(across * (place.width - SEAT_WIDTH))
        y = place.y + round(down * (place.height - SEAT_HEIGHT))
        seat = seats[(first + step) % len(seats)]
        parts.append(Part(Place(x, y, SEAT_WIDTH, SEAT_HEIGHT), seat))
    return parts


def _centre_part(centre: Centre, place: Place) -> list[Part]:
    x, y = SEAT_WIDTH + 1, SEAT_HEIGHT
    width, height = place.width - 2 * x, place.height - 2 * y
    if width < _MIN_CENTRE or height < 3:
        return []
    return [Part(Place(place.x + x, place.y + y, width, height), centre)]


def _fist(seat: SeatPicture) -> Sequence[tuple[str, Style]]:
    """Three rows: a fist looks the same whatever it holds."""
    if seat.fist is FistState.IN:
        return [(row, palette.TEXT) for row in _CLOSED]
    if seat.fist is FistState.NOT_IN:
        return [(row, palette.BORDER) for row in _AWAITED]
    if seat.fist is FistState.OPEN:
        number = str(seat.hand)
        bottom = "╰" + "─" * (3 - len(number)) + number + "─╯"
        return [("╭╵╵╵╵╮", palette.TEXT), ("│    │", palette.TEXT), (bottom, palette.TEXT)]
    return []


def _in_hand(hand: int) -> str:
    coin = glyphs().coin
    return f"{coin * hand:^4}" if hand <= 4 else f"{coin}×{hand:<2}"


def coins(count: int, width: int) -> str:
    """So many coins, as signs or, where they do not fit, as a number."""
    sign = glyphs().coin
    return sign * count if count <= width else f"{sign}×{count}"


def _centre_rows(centre: Centre, width: int, height: int) -> list[tuple[str, Style]]:
    if centre.code:
        return _code_rows(centre, width, height)
    if centre.number is None:
        return [(centre.above, centre.style), ("", palette.TEXT), (centre.below, palette.QUIET)]
    digits = [(row, centre.style) for row in large(str(centre.number))]
    return [(centre.above, palette.QUIET), *digits, (centre.below, palette.TEXT)]


def _code_rows(centre: Centre, width: int, height: int) -> list[tuple[str, Style]]:
    rows = large(centre.code)
    if len(rows[0]) > width or len(rows) + 2 > height:
        rows = (" ".join(centre.code),)
    letters = [(row, centre.style) for row in rows]
    return [(centre.above, palette.TEXT), *letters, (centre.below, palette.QUIET)]


def _draw_direction(sheet: Sheet, direction: Direction) -> None:
    signs, right, bottom = glyphs(), sheet.width - 1, sheet.height - 1
    is_clockwise = direction is Direction.CLOCKWISE
    above, below = (signs.right, signs.left) if is_clockwise else (signs.left, signs.right)
    down, up = (signs.down, signs.up) if is_clockwise else (signs.up, signs.down)
    sheet.put(sheet.width // 2, 0, above, palette.BRIGHT)
    sheet.put(sheet.width // 2, bottom, below, palette.BRIGHT)
    sheet.put(right, sheet.height // 2, down, palette.BRIGHT)
    sheet.put(0, sheet.height // 2, up, palette.BRIGHT)
