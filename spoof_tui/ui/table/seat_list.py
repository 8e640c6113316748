"""The seats as a list, for screens on which no table has room: one line for each, or two columns.

What lies in the middle of a table stands in the line above all, in as few words as there are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len

from protocol.views import FistState
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place, Sheet, fit
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.table.centre import Centre
from spoof_tui.ui.table.ring import Felt
from spoof_tui.ui.table.seat import NAME, SeatPicture, coins
from spoof_tui.ui.table.tone import Tone
from spoof_tui.ui.wording.gestures import gesture_note

_NAMES: Final = 12
_COINS: Final = 4
"""Cells of a name, and of its coins."""

_ROOM: Final = 36
"""Cells of a line in which nothing is cut."""


@dataclass(frozen=True, slots=True)
class SeatLine:
    """One seat in one line."""

    seat: SeatPicture

    def draw(self, sheet: Sheet) -> None:
        """The turn mark, the name, the coins, and what there is to know."""
        seat, is_wide = self.seat, sheet.width >= _ROOM
        names = _NAMES if is_wide else _NAMES - 4
        mark = glyphs().pointer if seat.speaks else ""
        is_mine = seat.speaks and seat.is_me
        tone = Tone.QUIET if seat.faint else Tone.STRONG if seat.is_me else Tone.PLAIN
        sheet.put(0, 0, mark, palette.ON_FELT_MARK)
        style = palette.CHOSEN if is_mine else tone.style
        sheet.put(NAME, 0, seat.named(names), style)
        x = NAME + names + 1
        room = _COINS if is_wide else 0
        sheet.put(x, 0, fit(seat.tally, room) or coins(seat.coins, room), Tone.MONEY.style)
        x += max(room, 2) + 1
        is_open = seat.hand is not None and seat.fist is FistState.OPEN
        if seat.said and (is_wide or not is_open):
            x = sheet.put(x, 0, f" {seat.said} " if is_wide else seat.said, seat.said_tone.style)
            x += 1
        if is_open:
            x = sheet.put(x, 0, f"= {seat.hand}", Tone.STRONG.style) + 1
        note = seat.note or (_("fist in") if self._is_new else "")
        if seat.gesture is not None:
            note = gesture_note(seat.gesture.gesture)
        if cell_len(note) <= sheet.width - x:
            sheet.put(x, 0, note, seat.note_tone.style)

    @property
    def _is_new(self) -> bool:
        return self.seat.fist is FistState.IN and not self.seat.said


def list_parts(seats: Sequence[SeatPicture], place: Place) -> list[Part]:
    """The seats one below the other, in two columns where one is not enough."""
    columns = 1 if len(seats) <= place.height else 2
    width, rows = place.width // columns, -(-len(seats) // columns)
    parts = [Part(place, Felt(has_rim=False))]
    for index, seat in enumerate(seats[: columns * place.height]):
        column, row = divmod(index, rows)
        spot = Place(place.x + column * width, place.y + row, width, 1)
        parts.append(Part(spot, SeatLine(seat)))
    return parts


def in_short(centre: Centre) -> tuple[str, Tone]:
    """What lies in the middle, in one line."""
    number = "" if centre.number is None else str(centre.number)
    if centre.parts is not None:
        number = f"{centre.parts[0]}/{centre.parts[1]}"
    if number and centre.label is Tone.PLAIN and centre.track and centre.track.mark:
        return _("bid {number}").format(number=number), Tone.STRONG
    return f"{centre.above} {number}".strip(), centre.label
