"""The head of the lobby: felt with a wooden rim, the name of the game, a fist and an open hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich.cells import cell_len
from rich.style import Style

from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet

_TITLE: Final = (
    "█▀▀▀ █▀▀█ █▀▀█ █▀▀█ █▀▀▀",
    "▀▀▀█ █▀▀▀ █ ●█ █ ●█ █▀▀ ",
    "▀▀▀▀ ▀    ▀▀▀▀ ▀▀▀▀ ▀   ",
)
"""The name of the game, with a coin in each of its two round letters."""

_FIST: Final = ("▄▄▄▄▄▄▄", " │ │ │ ", " ╰───╴ ")
_HAND: Final = ("█ █ █ █", " ● ● ● ", "   3   ")

_GAP: Final = 6
"""Columns between a hand and the title."""

FULL: Final = 8
"""Rows of a banner with a motto."""

ROOMY: Final = 11
PLAIN: Final = 5
"""Rows of one with the title alone."""


def banner_rows(height: int) -> int:
    """Rows of the banner in a terminal of this height."""
    if height < 16:
        return 1
    return PLAIN if height < 22 else FULL if height < 34 else ROOMY


def draw_banner(sheet: Sheet, rows: int) -> None:
    """Draw the banner over the first rows of a sheet."""
    felt = Style(bgcolor=palette.FELT)
    for y in range(rows):
        sheet.put(0, y, " " * sheet.width, felt)
    if rows == 1:
        sheet.centre(0, 0, sheet.width, "S P O O F", palette.STRONG + felt)
        return
    _rim(sheet, rows)
    top = 1 + max((rows - 2 - (len(_TITLE) + 2)) // 2, 0)
    top += rows >= FULL
    _art(sheet, top, felt)
    if rows >= FULL:
        motto = _motto(sheet.width - 4)
        sheet.centre(1, top + 4 + (rows >= ROOMY), sheet.width - 2, motto, palette.TEXT + felt)


def _motto(room: int) -> str:
    """How the game goes, in as much as fits."""
    whole = _("How many coins are in all the fists? Bid, bluff, call.")
    return whole if cell_len(whole) <= room else _("Bid, bluff, call.")


def _rim(sheet: Sheet, rows: int) -> None:
    rim = Style(color=palette.RIM)
    bare = Style(color=palette.RIM, bgcolor=palette.GROUND)
    sheet.put(0, 0, "▄" * sheet.width, bare)
    sheet.put(0, rows - 1, "▀" * sheet.width, bare)
    for y in range(1, rows - 1):
        sheet.put(0, y, "█", rim)
        sheet.put(sheet.width - 1, y, "█", rim)


def _art(sheet: Sheet, y: int, felt: Style) -> None:
    """The title, and the hands beside it where they fit."""
    title, side = len(_TITLE[0]), len(_FIST[0])
    x = (sheet.width - title) // 2
    _letters(sheet, x, y, _TITLE, palette.STRONG + felt, palette.MONEY + felt)
    if x >= side + _GAP + 2:
        skin = Style(color=palette.SKIN, bgcolor=palette.FELT)
        crease = Style(color=palette.CREASE, bgcolor=palette.SKIN)
        coins = Style(color=palette.CREASE, bgcolor=palette.SKIN, bold=True)
        for left, art, look in ((x - side - _GAP, _FIST, crease), (x + title + _GAP, _HAND, coins)):
            sheet.put(left, y, art[0], skin)
            for row, text in enumerate(art[1:], 1):
                sheet.put(left, y + row, text.replace("●", palette.glyphs().coin), look)


def _letters(sheet: Sheet, x: int, y: int, rows: Sequence[str], style: Style, coin: Style) -> None:
    for row, text in enumerate(rows):
        for column, letter in enumerate(text):
            is_coin = letter == "●"
            if letter != " ":
                sign = palette.glyphs().coin if is_coin else letter
                sheet.put(x + column, y + row, sign, coin if is_coin else style)
