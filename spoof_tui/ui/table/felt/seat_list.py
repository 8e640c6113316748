"""The seats as a list in one or two columns, for screens too small for a table.

The contents of the middle go below the list or, if no rows are left, shortened into the top line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from protocol.rules.words import Direction
from protocol.views import FistState
from spoof_tui.telling.gestures import gesture_note
from spoof_tui.text.glyphs import glyphs
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place, Sheet, first_fitting, fit
from spoof_tui.ui.table.felt.centre import MIN_HEIGHT, Centre
from spoof_tui.ui.table.felt.ring import Felt
from spoof_tui.ui.table.felt.seat import NAME, SeatPicture, coins
from spoof_tui.ui.table.felt.tone import Tone

_NAMES: Final = 12
_COINS: Final = 4
"""Cells for the coins after a name."""

_MIN_ROWS: Final = 2
"""The fewest rows for the middle: a label with a number, and the track."""

_ROOM: Final = 36
"""The fewest cells of a line in which nothing is cut."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A seat in one line, as a picture."""

    seat: SeatPicture
    next: str = ""
    """An arrow if the turn comes to this seat next; otherwise empty."""

    def draw(self, sheet: Sheet) -> None:
        """Draw the turn mark, the name, the coins and the details."""
        seat, is_wide = self.seat, sheet.width >= _ROOM
        names = _NAMES if is_wide else _NAMES - 4
        mark = glyphs().pointer if seat.speaks else self.next
        is_mine = seat.speaks and seat.is_me
        tone = (
            Tone.QUIET
            if seat.faint or seat.in_shadow
            else Tone.STRONG
            if seat.is_me
            else Tone.PLAIN
        )
        sheet.put(0, 0, mark, palette.ON_FELT_MARK if seat.speaks else Tone.QUIET.style)
        style = palette.CHOSEN if is_mine else tone.style
        named = sheet.put(NAME, 0, seat.named(names), style)
        money = NAME + names + 1
        room = _COINS if is_wide else 0
        sheet.put(money, 0, fit(seat.tally, room) or coins(seat.coins, room), Tone.MONEY.style)
        x = money + max(room, 2) + 1
        if seat.said and (is_wide or seat.hand is None):
            *_longer, least = said = f" {seat.said} ", seat.said, seat.said.rstrip("!")
            # A long word may take the room of the coins, and what the name has left.
            x = next((at for at in (x, money) if cell_len(least) <= sheet.width - at), named + 1)
            word = first_fitting(sheet.width - x, *said[not is_wide :])
            x = sheet.put(x, 0, word, seat.said_tone.style) + 1
        if seat.hand is not None:
            held = _("held {hand}").format(hand=seat.hand), str(seat.hand)
            x = sheet.put(x, 0, first_fitting(sheet.width - x, *held), Tone.STRONG.style) + 1
        is_new = seat.fist is FistState.IN and not seat.said
        fist = _("fist in") if is_new else ""
        notes = [seat.note or fist]
        if fist and seat.note and seat.note_tone is Tone.QUIET:
            notes = [f"{seat.note}, {fist}", seat.note]
        if seat.gesture is not None:
            notes = [gesture_note(seat.gesture.gesture)]
        sheet.put(x, 0, first_fitting(sheet.width - x, *notes, ""), seat.note_tone.style)


def list_parts(
    seats: Sequence[SeatPicture], centre: Centre, place: Place, direction: Direction | None = None
) -> list[Part]:
    """The parts of the list at `place`: the seats, in two columns if one is too long, and the
    middle."""
    signs, following = glyphs(), _after_the_speaker(seats, direction)
    arrow = signs.down if direction is Direction.CLOCKWISE else signs.up
    columns = _columns(len(seats), place.height)
    width, rows = place.width // columns, -(-len(seats) // columns)
    parts = [Part(place, Felt(has_rim=False))]
    for index, seat in enumerate(seats[: columns * place.height]):
        column, row = divmod(index, rows)
        spot = Place(place.x + column * width, place.y + row, width, 1)
        parts.append(Part(spot, SeatLine(seat, arrow if index == following else "")))
    if below := rows_below(len(seats), place.height):
        spot = Place(place.x + 1, place.y + place.height - below, place.width - 2, below)
        parts.append(Part(spot, centre))
    return parts


def _after_the_speaker(seats: Sequence[SeatPicture], direction: Direction | None) -> int | None:
    """Index of the seat whose turn is next; None if there is no turn."""
    playing = [index for index, seat in enumerate(seats) if seat.speaks or not seat.faint]
    speaker = next((index for index in playing if seats[index].speaks), None)
    if direction is None or speaker is None or len(playing) < 2:
        return None
    step = 1 if direction is Direction.CLOCKWISE else -1
    return playing[(playing.index(speaker) + step) % len(playing)]


def rows_below(seats: int, height: int) -> int:
    """Rows left for the middle below this many seats; 0 if they are too few for it."""
    rows = height - -(-seats // _columns(seats, height))
    return rows if rows >= _MIN_ROWS else 0


def least_rows(seats: int, height: int) -> int:
    """Rows that the seats and the middle need; if `height` is less, those of the seats alone."""
    alone = -(-seats // _columns(seats, height))
    return seats + MIN_HEIGHT if seats + MIN_HEIGHT <= height else min(alone, height)


def _columns(seats: int, height: int) -> int:
    return 1 if seats <= height else 2


def in_short(centre: Centre) -> tuple[str, Tone]:
    """The contents of the middle as one line, and its tone."""
    number = centre.code if centre.number is None else str(centre.number)
    if centre.small:
        return f"{centre.above} {glyphs().dot} {centre.small[-1]}", centre.label
    if centre.caption:
        return centre.caption, centre.label
    if centre.is_bid:
        return _("bid {number}").format(number=number), Tone.STRONG
    if centre.flag is not None:
        number = f"{number}/{centre.flag}"
    return f"{centre.above} {number}".strip(), centre.label
