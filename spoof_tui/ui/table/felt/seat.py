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
from spoof_tui.telling.gestures import SHOUTS, gesture_note
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

_SHORT: Final = 4
"""Cells to which a name may be shortened for a note beside it."""

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

    def draw(self, sheet: Sheet) -> None:
        """Draw the name, the hand and the details; dimmed if `in_shadow`."""
        self._draw_all(sheet)
        if self.in_shadow:
            sheet.shade()

    def _draw_all(self, sheet: Sheet) -> None:
        size = _hand_size(sheet.height)
        self._draw_name(sheet)
        self._draw_hand(sheet, size)
        coins, said, note = _ROWS[size]
        x = size.width + (size is not Size.SMALL or sheet.width > seat_size(size)[0])
        if size is Size.TINY:
            self._draw_line(sheet, x)
            self._draw_bubble(sheet, size)
            return
        self._draw_money(sheet, x, coins, sheet.width - x, " " if size is Size.LARGE else "")
        self._draw_word(sheet, x, said)
        self._draw_note(sheet, x, note)
        if self._pose is None:
            sheet.put(NAME, 2, fit(self.mark, sheet.width - NAME), Tone.QUIET.style)
        self._draw_bubble(sheet, size)

    def named(self, width: int) -> str:
        """The name in at most `width` cells, with `MARK` if the player came in through a door."""
        mark = f" {MARK}" if self.by_ssh else ""
        return fit(self.name, width - len(mark)) + mark

    def _draw_name(self, sheet: Sheet) -> None:
        has_state = self._has_state(sheet)
        room = sheet.width - NAME
        name = self.named(room - has_state * (1 + cell_len(self.note)))
        mark = glyphs().pointer if self.speaks else ""
        if self.speaks and self.is_me:
            end = sheet.put(0, 0, f"{mark} {name}", palette.CHOSEN)
        else:
            sheet.put(0, 0, mark, palette.ON_FELT_MARK)
            tone = Tone.QUIET if self.faint else Tone.STRONG if self.is_me else Tone.PLAIN
            end = sheet.put(NAME, 0, name, tone.style)
        if has_state:
            blank = [f" {self.note} "] if self.note_tone.is_plaque else []
            note = first_fitting(sheet.width - end - 1, *blank, self.note)
            sheet.put(end + 1, 0, note, self.note_tone.style)

    def _has_state(self, sheet: Sheet) -> bool:
        """Whether the note stands beside the name, because there is no room beside the hand."""
        size, note = _hand_size(sheet.height), cell_len(self.note)
        if not note or size is Size.TINY or self._pose is None:
            return False
        # Beside a number on the hand, whose it is matters more than what the note hides.
        shortest = _SHORT if self.hand is None else sheet.width
        least = min(cell_len(self.named(sheet.width)), cell_len(self.named(shortest)))
        return note > sheet.width - size.width and NAME + least + 1 + note <= sheet.width

    def _draw_bubble(self, sheet: Sheet, size: Size) -> None:
        """Draw a shout, or a gesture that has no picture, as words in the last row."""
        if self.gesture is None or self._has_picture(size):
            return
        text = gesture_note(self.gesture.gesture)
        y = sheet.height - 1
        sheet.put(0, y, first_fitting(sheet.width, f" {text} ", text), Tone.BUBBLE.style)

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
        """Draw the player's word as a bubble; if there is no room beside the hand, over its
        edge."""
        if not self.said:
            return
        room = sheet.width - x
        # Beside the hand rather than on it; a plaque that must overlap it has a space in between.
        least = self.said.rstrip("!")
        text = first_fitting(room, f" {self.said} ", self.said, f" {least} ", least, "")
        text = text or fit(f" {least}", sheet.width)
        at = min(x, sheet.width - cell_len(text))
        end = sheet.put(at, y, text, self.said_tone.style)
        if cell_len(self.small) <= sheet.width - end:
            sheet.put(end, y, self.small, Tone.QUIET.style)

    def _draw_note(self, sheet: Sheet, x: int, y: int) -> None:
        if not self.note:
            return
        if self._has_state(sheet):
            return
        room = sheet.width - x
        if self._pose is None:
            sheet.put(NAME, 1, fit(self.note, sheet.width - NAME), self.note_tone.style)
            return
        blank = [f" {self.note} "] if self.note_tone.is_plaque else []
        text = first_fitting(room, *blank, self.note, "") or fit(f" {self.note}", sheet.width)
        sheet.put(min(x, sheet.width - cell_len(text)), y, text, self.note_tone.style)

    def _draw_line(self, sheet: Sheet, x: int) -> None:
        """Draw hand, coins, word and note in one row, beside a tiny hand."""
        if self.hand is not None:
            x = sheet.put(x, 1, f"{self.hand}", Tone.STRONG.style) + 1
        if self._pose is None or (self.note and not self.said):
            self._draw_note(sheet, x, 1)
            return
        text = f" {self.said} " if self.said else ""
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
