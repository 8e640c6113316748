"""The table in the middle of the screen: the seats round it, fists, coins, and what stands.

`SeatPicture` says what a seat shows, `Centre` what lies in the middle; both are drawn on a sheet
of any size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from protocol.rules.words import Direction
from protocol.views import FistState
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.big_letters import large
from spoof_tui.ui.canvas.cells import Sheet, fit
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
    said_style: Style = palette.TEXT
    small: str = ""
    """What stands after the word in small print."""
    tally: str = ""
    """Stands in the place of the coins, where these are always the same."""
    note: str = ""
    """Presence, readiness or a role."""
    note_style: Style = palette.QUIET


@dataclass(frozen=True, slots=True)
class Centre:
    """What lies in the middle of the table."""

    number: int | None = None
    """Shown large."""
    code: str = ""
    """A join code, shown large where there is room."""
    above: str = ""
    below: str = ""
    style: Style = palette.STRONG
    direction: Direction | None = None
    """Which way the word goes, drawn along the edge."""


def draw_ring(
    seats: Sequence[SeatPicture], me: int | None, centre: Centre, width: int, height: int
) -> list[Strip]:
    """The whole table: my own seat below, the others clockwise round it."""
    sheet = Sheet(width, height)
    _draw_centre(sheet, centre)
    first = me or 0
    places = _PLACES.get(len(seats), ())
    for step, (across, down) in enumerate(places):
        x = round(across * (width - SEAT_WIDTH))
        y = round(down * (height - SEAT_HEIGHT))
        seat = (first + step) % len(seats)
        _draw_seat(sheet, seats[seat], x, y, is_me=seat == me)
    return sheet.lines()


def _draw_seat(sheet: Sheet, seat: SeatPicture, x: int, y: int, is_me: bool) -> None:
    name_style = palette.STRONG if seat.speaks else palette.BOLD if is_me else palette.TEXT
    if seat.faint:
        name_style = palette.QUIET
    marker = glyphs().pointer + " " if seat.speaks else ""
    sheet.put(x, y, marker, palette.STRONG)
    sheet.put(x + len(marker), y, fit(seat.name, SEAT_WIDTH - len(marker)), name_style)
    for row, (text, style) in enumerate(_fist(seat), 1):
        sheet.put(x, y + row, text, style)
    if seat.fist is FistState.OPEN and seat.hand:
        sheet.put(x + 1, y + 2, _in_hand(seat.hand), palette.MONEY)
    info = x + _FIST_WIDTH + 1
    if seat.tally:
        sheet.put(info, y + 1, fit(seat.tally, INFO_WIDTH), palette.WRONG)
    else:
        sheet.put(info, y + 1, coins(seat.coins, INFO_WIDTH), palette.MONEY)
    said = sheet.put(info, y + 2, fit(seat.said, INFO_WIDTH), seat.said_style)
    sheet.put(said, y + 2, fit(seat.small, INFO_WIDTH - said + info), palette.QUIET)
    note = fit(seat.note, INFO_WIDTH + 1)
    # The longest begins beside the fist, so that it is whole at the right edge, too.
    sheet.put(x + SEAT_WIDTH - max(cell_len(note), INFO_WIDTH), y + 3, note, seat.note_style)


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


def _draw_centre(sheet: Sheet, centre: Centre) -> None:
    x, y = SEAT_WIDTH + 1, SEAT_HEIGHT
    width, height = sheet.width - 2 * x, sheet.height - 2 * y
    if width < _MIN_CENTRE or height < 3:
        return
    for row in range(y + 1, y + height - 1):
        sheet.put(x + 1, row, " " * (width - 2), palette.SURFACE)
    sheet.box(x, y, width, height, palette.BORDER)
    if centre.direction:
        _draw_direction(sheet, centre.direction, x, y, width, height)
    rows = _centre_rows(centre, width - 2, height - 2)
    top = y + max((height - len(rows)) // 2, 0)
    for row, (text, style) in enumerate(rows):
        sheet.centre(x + 1, top + row, width - 2, text, style + palette.SURFACE)


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


def _draw_direction(
    sheet: Sheet, direction: Direction, x: int, y: int, width: int, height: int
) -> None:
    signs = glyphs()
    clockwise = direction is Direction.CLOCKWISE
    top, bottom = (signs.right, signs.left) if clockwise else (signs.left, signs.right)
    right, left = (signs.down, signs.up) if clockwise else (signs.up, signs.down)
    sheet.put(x + width // 2, y, top, palette.BRIGHT)
    sheet.put(x + width // 2, y + height - 1, bottom, palette.BRIGHT)
    sheet.put(x + width - 1, y + height // 2, right, palette.BRIGHT)
    sheet.put(x, y + height // 2, left, palette.BRIGHT)
