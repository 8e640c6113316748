"""The head of the lobby: felt with a wooden rim, the name of the game, a fist and an open hand."""

from __future__ import annotations

from typing import Final

from rich.cells import cell_len
from rich.style import Style

from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet
from spoof_tui.ui.canvas.sprite import Pose, Size, draw_hand

_TITLE: Final = (
    "█▀▀▀ █▀▀█ █▀▀█ █▀▀█ █▀▀▀",
    "▀▀▀█ █▀▀▀ █ ●█ █ ●█ █▀▀ ",
    "▀▀▀▀ ▀    ▀▀▀▀ ▀▀▀▀ ▀   ",
)
"""The name of the game, with a coin in each of its two round letters."""

_GAP: Final = 4
"""Columns between a hand and the title."""

FULL: Final = 8
"""Rows of a banner with a motto."""

ROOMY: Final = 12
PLAIN: Final = 5
"""Rows of one with the title alone."""


def banner_rows(height: int) -> int:
    """Rows of the banner in a terminal of this height."""
    if height < 16:
        return 1
    return PLAIN if height < 22 else FULL if height < 34 else ROOMY


def draw_banner(sheet: Sheet, rows: int) -> None:
    """Draw the banner over the first rows of a sheet."""
    for y in range(rows):
        sheet.put(0, y, " " * sheet.width, palette.SURFACE)
    if rows == 1:
        sheet.centre(0, 0, sheet.width, "S P O O F", palette.ON_FELT_MARK)
        return
    _rim(sheet, rows)
    top = 1 if rows < ROOMY else 2
    room = rows - 2 if rows < FULL else rows - 3 - top
    _hands(sheet, top, room)
    _title(sheet, top + (room - len(_TITLE) + 1) // 2)
    if rows >= FULL:
        sheet.centre(1, rows - 2, sheet.width - 2, _motto(sheet.width - 4), palette.ON_FELT)


def _motto(room: int) -> str:
    """How the game goes, in as much as fits."""
    whole = _("How many coins are in all the fists? Bid, bluff, call.")
    return whole if cell_len(whole) <= room else _("Bid, bluff, call.")


def _rim(sheet: Sheet, rows: int) -> None:
    sheet.put(0, 0, "▄" * sheet.width, palette.WOOD + Style(bgcolor=palette.GROUND))
    sheet.put(0, rows - 1, "▀" * sheet.width, palette.WOOD + Style(bgcolor=palette.GROUND))
    for y in range(1, rows - 1):
        sheet.put(0, y, "█", palette.WOOD)
        sheet.put(sheet.width - 1, y, "█", palette.WOOD)


def _hands(sheet: Sheet, top: int, room: int) -> None:
    """A fist and an open hand beside the title, in the largest size that fits."""
    left = (sheet.width - len(_TITLE[0])) // 2
    for size in (Size.LARGE, Size.MIDDLE, Size.SMALL):
        if size.height <= room and left >= size.width + _GAP + 2:
            y = top + (room - size.height) // 2
            draw_hand(sheet, left - _GAP - size.width, y, size, Pose.FIST)
            draw_hand(sheet, left + len(_TITLE[0]) + _GAP, y, size, Pose.THREE)
            return


def _title(sheet: Sheet, y: int) -> None:
    left = (sheet.width - len(_TITLE[0])) // 2
    for row, text in enumerate(_TITLE, y):
        for x, letter in enumerate(text, left):
            if letter == "●":
                sheet.put(x, row, palette.glyphs().coin, palette.ON_FELT_MONEY)
            elif letter != " ":
                sheet.put(x, row, letter, palette.ON_FELT_MARK)
