"""One seat on the felt: its name with the turn mark, the hand, and details beside it.

The size of the hand follows from the height of the seat's place.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from protocol.views import FistState
from spoof_tui.telling.doors import MARK
from spoof_tui.telling.gestures import SHOUTS, gesture_note, shout_in_short
from spoof_tui.text.glyphs import glyphs
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet, first_fitting, fit
from spoof_tui.ui.canvas.sprite import GESTURED, Pose, Size, draw_gesture, draw_hand, opened
from spoof_tui.ui.table.felt.tone import Tone
from spoof_tui.ui.table.felt.wheel import Shown

INFO_WIDTH: Final = 4
"""Cells for details beside the smallest hand of more than one row."""

NAME: Final = 2
"""The column where the name begins; the turn mark stands before it."""

_SHORT: Final = (4, 2)
"""Cells to which a name may be shortened for a word beside it; the latter only if no shorter word
fits."""

_BESIDE: Final[Mapping[Size, int]] = {
    Size.TINY: 8, Size.SMALL: INFO_WIDTH, Size.MIDDLE: 6, Size.LARGE: 7,
}  # fmt: skip
"""For each size of the hand, the fewest cells beside it."""

_ROWS: Final[Mapping[Size, tuple[int, int, int]]] = {
    Size.TINY: (1, 1, 1), Size.SMALL: (1, 2, 3), Size.MIDDLE: (1, 2, 4), Size.LARGE: (2, 4, 6),
}  # fmt: skip
"""For each size of the hand, the rows of the coins, of the word and of the note."""

_DIGIT: Final[Mapping[Size, tuple[int, int]]] = {
    Size.SMALL: (4, 2), Size.MIDDLE: (6, 4), Size.LARGE: (9, 7),
}  # fmt: skip
"""For each size of the hand, the column and row of the number on an open one."""

_ROW_OF_LINES: Final[Mapping[Size, int]] = {Size.SMALL: 3, Size.MIDDLE: 3, Size.LARGE: 5}
"""For each size, the row of the number on an open hand that is drawn in lines."""


def seat_size(size: Size) -> tuple[int, int]:
    """Columns and rows of a seat whose hand has this size."""
    return size.width + _BESIDE[size], size.height + 1


def _hand_size(height: int) -> Size:
    """The size of the hand in a seat of `height` rows."""
    return next((each for each in reversed(Size) if each.height < height), Size.TINY)


@dataclass(frozen=True, slots=True)
class SeatPicture:
    """A seat on the felt, as a picture."""

    name: str
    fist: FistState
    """How the fist looks; between games, a fist means that the player is ready."""
    coins: int
    hand: int | None = None
    """Number on the hand: of an open one, or of the player's own during a peek; None for none."""
    lost: int = 0
    """Number of coins just lost, shown crossed out."""
    speaks: bool = False
    faint: bool = False
    """Whether the player is out, or waits for the next game."""
    said: str = ""
    """The player's last word; empty for none."""
    said_tone: Tone = Tone.BUBBLE
    small: str = ""
    """Small print after the word, if there is room."""
    tally: str = ""
    """Shown in place of the coins, for the guessing game, where all have the same."""
    note: str = ""
    """What the round changed, or whether the player is away or ready, or a role; may be empty."""
    note_tone: Tone = Tone.QUIET
    mark: str = ""
    """A mark below the note, shown if there is no hand."""
    gesture: Shown | None = None
    """The player's gesture on show; None for none."""
    shakes: bool = False
    """Whether the fist is drawn shaking: the count depends on it."""
    in_shadow: bool = False
    """Whether the seat is dimmed, because the count is about others."""
    is_me: bool = False
    by_ssh: bool = False
    """Whether the player came in through a door."""
    is_away: bool = False
    """Whether the player is away: the note, which grows longer, always stands beside the name."""

    def draw(self, sheet: Sheet) -> None:
        """Draw the name, the hand and the details; dimmed if `in_shadow`."""
        self._draw_all(sheet)
        if self.in_shadow:
            sheet.shade(is_flat=_hand_size(sheet.height) is Size.LARGE)

    def _draw_all(self, sheet: Sheet) -> None:
        size = _hand_size(sheet.height)
        coins, said, note = _ROWS[size]
        x = size.width + (size is not Size.SMALL or sheet.width > seat_size(size)[0])
        beside, tone = self._beside_name(size, sheet.width, sheet.width - x)
        self._draw_name(sheet, beside, tone)
        self._draw_hand(sheet, size)
        if size is Size.TINY:
            self._draw_line(sheet, x)
            return
        self._draw_money(sheet, x, coins, sheet.width - x, " " if size is Size.LARGE else "")
        if beside != self.said:
            self._draw_word(sheet, x, said)
        if beside != self.note:
            self._draw_note(sheet, x, note)
        if self._pose is None:
            sheet.put(NAME, 2, fit(self.mark, sheet.width - NAME), Tone.QUIET.style)

    def named(self, width: int) -> str:
        """The name in at most `width` cells, with `MARK` if the player came in through a door."""
        mark = f" {MARK}" if self.by_ssh else ""
        return fit(self.name, width - len(mark)) + mark

    def _draw_name(self, sheet: Sheet, beside: str, tone: Tone) -> None:
        """Draw the name, shortened if need be, and a word beside it, unless this would leave too
        little of the name."""
        room = sheet.width - NAME
        whole = cell_len(self.named(room))
        ways = [each for way in [beside, *self._in_short()] for each in (way, way.rstrip("!"))]
        mark = (1 + len(MARK)) * self.by_ssh
        rooms = [room - 1 - min(short + mark, whole) for short in _SHORT]
        beside = next((way for most in rooms for way in ways if cell_len(way) <= most), "")
        name = self.named(room - (1 + cell_len(beside)) * bool(beside))
        pointer = glyphs().pointer if self.speaks else ""
        if self.speaks and self.is_me:
            end = sheet.put(0, 0, f"{pointer} {name}", palette.CHOSEN)
        else:
            sheet.put(0, 0, pointer, palette.ON_FELT_MARK)
            look = Tone.QUIET if self.faint else Tone.STRONG if self.is_me else Tone.PLAIN
            end = sheet.put(NAME, 0, name, look.style)
        blank = [f" {beside} "] if beside and tone.is_plaque else []
        sheet.put(end + 1, 0, first_fitting(sheet.width - end - 1, *blank, beside), tone.style)

    def _in_short(self) -> list[str]:
        """A shout in one word, if there is one; no word otherwise."""
        if self.gesture is None or self.gesture.gesture not in SHOUTS:
            return []
        return [shout_in_short(self.gesture.gesture)]

    def _beside_name(self, size: Size, width: int, room: int) -> tuple[str, Tone]:
        """What stands beside the name in a seat of `width` cells: a gesture that has no picture, or
        else the word or the note for which the `room` cells beside the hand are not enough; may be
        empty."""
        if self.gesture is not None and not self._has_picture(size):
            return gesture_note(self.gesture.gesture), Tone.BUBBLE
        if self._pose is None:
            return "", Tone.QUIET
        needed = cell_len(self.said)
        if size is Size.TINY or NAME + cell_len(self.named(width)) + 1 + needed > width:
            # The whole name comes before the "!" of a word.
            needed = cell_len(self.said.rstrip("!"))
        is_long = self.is_away or cell_len(self.note) > room
        # What a round costs matters more than the word, which the panel tells.
        if needed > room and not (self.lost and is_long):
            return self.said, self.said_tone
        # A tiny hand has one row for both.
        is_seen = size is not Size.TINY or not self.said
        return (self.note, self.note_tone) if is_seen and is_long else ("", Tone.QUIET)

    def _has_picture(self, size: Size) -> bool:
        """Whether the gesture is drawn on the hand rather than written in words."""
        is_shut = self._pose in (Pose.FIST, Pose.AWAITED)
        is_silent = self.gesture is not None and self.gesture.gesture not in SHOUTS
        return is_silent and is_shut and size in GESTURED and palette.has_pixels()

    def _draw_hand(self, sheet: Sheet, size: Size) -> None:
        pose = self._pose
        if pose is None:
            return
        if self.gesture is not None and self._has_picture(size):
            draw_gesture(sheet, 0, 1, size, pose, self.gesture.picture)
        else:
            draw_hand(sheet, 0, 1, size, pose)
        if self.hand is not None and size in _DIGIT:
            x, row = _DIGIT[size]
            is_skin = palette.has_pixels() and pose is not Pose.AWAITED
            row = row if palette.has_pixels() else _ROW_OF_LINES[size]
            sheet.put(x, row, str(self.hand), _on_skin() if is_skin else palette.ON_FELT_BOLD)

    @property
    def _pose(self) -> Pose | None:
        if self.fist is FistState.NONE:
            return None
        if self.fist is FistState.OPEN:
            return opened(self.hand or 0)
        if self.fist is FistState.NOT_IN:
            return Pose.AWAITED
        return Pose.SHAKING if self.shakes else Pose.FIST

    def _draw_money(self, sheet: Sheet, x: int, y: int, width: int, gap: str) -> int:
        """Draw the coins, or the tally in their place; return the column after them."""
        if self.tally:
            return sheet.put(x, y, fit(self.tally, width), Tone.STRONG.style)
        text = coins(self.coins, width - self.lost, gap)
        end = sheet.put(x, y, text, Tone.MONEY.style)
        return sheet.put(end, y, (gap + glyphs().lost) * self.lost, Tone.QUIET.style)

    def _draw_word(self, sheet: Sheet, x: int, y: int) -> None:
        """Draw the player's word as a bubble beside the hand, if there is room."""
        if not self.said:
            return
        room, least = sheet.width - x, self.said.rstrip("!")
        text = first_fitting(room, f" {self.said} ", self.said, f" {least} ", least, "")
        end = sheet.put(x, y, text, self.said_tone.style)
        if cell_len(self.small) <= sheet.width - end:
            sheet.put(end, y, self.small, Tone.QUIET.style)

    def _draw_note(self, sheet: Sheet, x: int, y: int) -> None:
        if self._pose is None:
            sheet.put(NAME, 1, fit(self.note, sheet.width - NAME), self.note_tone.style)
            return
        blank = [f" {self.note} "] if self.note and self.note_tone.is_plaque else []
        text = first_fitting(sheet.width - x, *blank, self.note, "")
        sheet.put(x, y, text, self.note_tone.style)

    def _draw_line(self, sheet: Sheet, x: int) -> None:
        """Draw hand, coins, word and note in one row, beside a tiny hand."""
        if self.hand is not None:
            x = sheet.put(x, 1, f"{self.hand}", Tone.STRONG.style) + 1
        if self._pose is None or (self.note and not self.said):
            self._draw_note(sheet, x, 1)
            return
        least = self.said.rstrip("!")
        ways = (f" {self.said} ", self.said, f" {least} ", least) if self.said else ()
        text = first_fitting(sheet.width - x, *ways, "")
        room = sheet.width - x - cell_len(text)
        self._draw_money(sheet, x, 1, max(room, 2), "")
        at = sheet.width - cell_len(text)
        sheet.put(at, 1, text, self.said_tone.style)


def _on_skin() -> Style:
    return Style(color=palette.ON_PAPER, bgcolor=palette.SKIN, bold=True)


def coins(count: int, width: int, gap: str = "") -> str:
    """A number of coins in at most `width` cells: a character for each, or a number.

    `gap` stands between the characters.
    """
    sign = glyphs().coin
    signs = gap.join(sign * count)
    if len(signs) <= width:
        return signs
    return sign * count if count <= width else f"{count}{sign}"


_STROKE: Final = "▌"
"""Stands for one drink on the slate."""


def tally(drinks: int, width: int) -> str:
    """The drinks on a slate as strokes; if these need more than `width` cells, as a number."""
    return _STROKE * drinks if drinks <= width else f"{drinks}{_STROKE}"
