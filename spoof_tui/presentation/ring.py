"""The table in the middle of the screen: the seats round it, fists, coins, and what stands.

`SeatPicture` says what a seat shows, `Centre` what lies in the middle; both are made from a view
and then drawn on a sheet of any size.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from rich.style import Style
from textual.strip import Strip

from protocol.guessing import ATTEMPTS
from protocol.table import Phase
from protocol.views import FistState, Presence, SeatView, TableView
from protocol.words import Direction
from spoof_tui.i18n import _
from spoof_tui.presentation import palette
from spoof_tui.presentation.palette import glyphs
from spoof_tui.presentation.sentences import word_name
from spoof_tui.presentation.sheet import Sheet, fit

SEAT_WIDTH: Final = 14
SEAT_HEIGHT: Final = 4
_FIST_WIDTH: Final = 6
_INFO_WIDTH: Final = SEAT_WIDTH - _FIST_WIDTH - 1

_LEAST_CENTRE: Final = 12
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

_DIGITS: Final[Mapping[str, tuple[str, str, str]]] = {
    "0": ("█▀█", "█ █", "▀▀▀"),
    "1": ("▀█ ", " █ ", "▀▀▀"),
    "2": ("▀▀█", "█▀▀", "▀▀▀"),
    "3": ("▀▀█", " ▀█", "▀▀▀"),
    "4": ("█ █", "▀▀█", "  ▀"),
    "5": ("█▀▀", "▀▀█", "▀▀▀"),
    "6": ("█▀▀", "█▀█", "▀▀▀"),
    "7": ("▀▀█", "  █", "  ▀"),
    "8": ("█▀█", "█▀█", "▀▀▀"),
    "9": ("█▀█", "▀▀█", "▀▀▀"),
}
"""Large digits, three rows each."""


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
    note: str = ""
    """Presence, readiness or a role."""
    note_style: Style = palette.QUIET


@dataclass(frozen=True, slots=True)
class Centre:
    """What lies in the middle of the table."""

    number: int | None = None
    """Shown large."""
    above: str = ""
    below: str = ""
    style: Style = palette.STRONG
    direction: Direction | None = None
    """Which way the word goes, drawn along the edge."""


@dataclass(frozen=True, slots=True)
class Showing:
    """What of the last round is still on the screen."""

    coins: Sequence[int]
    """Coins of every player at the start of the round."""
    hands: Mapping[int, int]
    """Hands that are opened so far."""
    changes: Mapping[int, int]
    """Coins won and lost; empty until the count is done."""


def pictures(
    view: TableView, names: Sequence[str], showing: Showing | None, peek: int | None
) -> tuple[SeatPicture, ...]:
    """What every seat shows, by index."""
    last_words = dict(view.words)
    drawn = []
    for index, seat in enumerate(view.seats):
        said = word_name(last_words[index]) if index in last_words else ""
        picture = _picture(seat, names[index], said)
        if view.is_guessing:
            picture = _with_call(picture, view, index)
        if view.standing and view.standing[0] == index:
            picture = replace(picture, said_style=palette.STRONG)
        if showing:
            picture = _with_last_round(picture, index, seat, showing)
        elif view.phase is Phase.GATHERING:
            picture = _between_games(picture, seat)
        if seat.is_me and peek is not None:
            picture = _with_peek(picture, peek)
        drawn.append(picture)
    return tuple(drawn)


def _picture(seat: SeatView, name: str, said: str) -> SeatPicture:
    note, note_style = _note(seat)
    return SeatPicture(
        name=name,
        fist=seat.fist,
        coins=seat.coins,
        hand=seat.hand,
        speaks=seat.speaks,
        faint=seat.coins == 0,
        said=said,
        said_style=palette.BOLD,
        note=note,
        note_style=note_style,
    )


def _with_call(picture: SeatPicture, view: TableView, index: int) -> SeatPicture:
    """The call that stands, or the attempts that did not (H8)."""
    own = [call for call in view.calls if call.seat == index]
    note = picture.note
    owed = view.slate.owed(view.seats[index].key)
    if owed:
        note = "$" * owed if owed <= _INFO_WIDTH else f"${owed}"
    if not own:
        return replace(picture, note=note)
    last = own[-1]
    said = f"{last.number}" if not last.taken else f"{len(own)}/{ATTEMPTS}"
    style = palette.BOLD if not last.taken else palette.WRONG
    return replace(picture, said=said, said_style=style, note=note)


def _between_games(picture: SeatPicture, seat: SeatView) -> SeatPicture:
    fist = FistState.IN if seat.ready else FistState.NOT_IN
    return replace(picture, fist=fist, coins=0, faint=seat.presence is Presence.GONE)


def _note(seat: SeatView) -> tuple[str, Style]:
    if seat.presence is Presence.AWAY:
        return _("away"), palette.WRONG
    if seat.presence is Presence.UNSTEADY:
        return _("unsteady"), palette.BRIGHT
    if seat.presence is Presence.GONE:
        return _("left"), palette.QUIET
    if seat.ready:
        return _("ready"), palette.RIGHT
    if seat.plays and not seat.coins:
        return _("out"), palette.QUIET
    if seat.is_crap:
        return _("crap"), palette.QUIET
    return (_("you"), palette.QUIET) if seat.is_me else ("", palette.QUIET)


def _with_last_round(
    picture: SeatPicture, index: int, seat: SeatView, showing: Showing
) -> SeatPicture:
    had = showing.coins[index] if index < len(showing.coins) else 0
    fist = FistState.OPEN if index in showing.hands else FistState.IN
    change = showing.changes.get(index, 0)
    return replace(
        picture,
        fist=fist if had else FistState.NONE,
        coins=seat.coins if showing.changes else had,
        hand=showing.hands.get(index),
        faint=not had,
        said=f"{change:+d}" if change else "",
        said_style=palette.RIGHT if change > 0 else palette.WRONG,
    )


def _with_peek(picture: SeatPicture, peek: int) -> SeatPicture:
    return replace(picture, fist=FistState.OPEN, hand=peek, note=_("only you"))


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
    sheet.put(info, y + 1, coins(seat.coins, _INFO_WIDTH), palette.MONEY)
    sheet.put(info, y + 2, fit(seat.said, _INFO_WIDTH), seat.said_style)
    sheet.put(info, y + 3, fit(seat.note, _INFO_WIDTH + 1), seat.note_style)


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
    if width < _LEAST_CENTRE or height < 3:
        return
    for row in range(y + 1, y + height - 1):
        sheet.put(x + 1, row, " " * (width - 2), palette.SURFACE)
    sheet.box(x, y, width, height, palette.BORDER)
    if centre.direction:
        _draw_direction(sheet, centre.direction, x, y, width, height)
    rows = _centre_rows(centre)
    top = y + max((height - len(rows)) // 2, 0)
    for row, (text, style) in enumerate(rows):
        sheet.centre(x + 1, top + row, width - 2, text, style + palette.SURFACE)


def _centre_rows(centre: Centre) -> list[tuple[str, Style]]:
    if centre.number is None:
        return [(centre.above, centre.style), ("", palette.TEXT), (centre.below, palette.QUIET)]
    digits = [
        (" ".join(_DIGITS[digit][row] for digit in str(centre.number)), centre.style)
        for row in range(3)
    ]
    return [(centre.above, palette.QUIET), *digits, (centre.below, palette.TEXT)]


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
