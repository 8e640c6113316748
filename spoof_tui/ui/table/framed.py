"""The parts round a table that is only looked at: a panel of sentences and keys, and a bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeAlias

from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Sheet, fit, wrap
from spoof_tui.ui.table.ring import draw_ring
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.seats import pictures

Piece: TypeAlias = tuple[str, Style]
"""Text and how it looks."""

Line: TypeAlias = Sequence[Piece]
"""Pieces of one row."""

Hint: TypeAlias = tuple[str, str]
"""A key and what it does."""

MARGIN: Final = 1
"""Columns left free at both sides of a panel."""


def draw_table(scene: Scene, width: int, height: int) -> list[Strip]:
    """The seats round the table, and what lies in its middle."""
    view = scene.view
    seats = pictures(view, scene.names, scene.showing, scene.peek) if view else ()
    return draw_ring(seats, view.me if view else None, scene.centre(), width, height)


def draw_panel(
    title: Line, beside: Line, lines: Sequence[Line], keys: Sequence[Hint], width: int, height: int
) -> list[Strip]:
    """A rule with a title at its left and something at its right, lines, and below the keys.

    What does not fit is left out: the last lines, and the last keys.
    """
    sheet = Sheet(width, height)
    rows = _key_rows(keys, width - 2 * MARGIN)
    if len(lines) + len(rows) + 1 > height:
        rows = rows[:1]
    sheet.put(0, 0, "─" * width, palette.BORDER)
    _on_rule(sheet, 2, title)
    length = sum(cell_len(text) for text, _style in beside)
    if beside and length + 4 < width - sum(cell_len(text) for text, _style in title) - 4:
        _on_rule(sheet, width - length - 4, beside)
    for row, pieces in enumerate(lines[: height - 1 - len(rows)], 1):
        sheet.pieces(MARGIN, row, pieces)
    for row, pieces in enumerate(rows, height - len(rows)):
        sheet.pieces(MARGIN, row, pieces)
    return sheet.lines()


def _on_rule(sheet: Sheet, x: int, pieces: Line) -> None:
    if pieces:
        sheet.pieces(x, 0, [(" ", palette.TEXT), *pieces, (" ", palette.TEXT)])


def _key_rows(keys: Sequence[Hint], width: int) -> list[Line]:
    rows: list[list[Piece]] = [[]]
    used = 0
    for key, meaning in keys:
        size = cell_len(key) + 1 + cell_len(meaning)
        if used and used + 2 + size > width:
            rows.append([])
            used = 0
        if used:
            rows[-1].append(("  ", palette.QUIET))
        rows[-1] += [(key, palette.KEY), (" ", palette.QUIET), (meaning, palette.QUIET)]
        used += size + (2 if used else 0)
    return list(rows)


def prose(text: str, width: int, style: Style = palette.TEXT) -> list[Line]:
    """A sentence in lines of a panel of this width; none for no sentence."""
    return [[(row, style)] for row in wrap(text, max(width - 2 * MARGIN, 1))] if text else []


def draw_bar(name: str, about: str, end: str, width: int) -> list[Strip]:
    """One line: what is looked at, what there is to say about it, and at the right where."""
    sheet = Sheet(width, 1)
    room = width - cell_len(end) - 3
    x = sheet.put(1, 0, fit(name, room), palette.STRONG)
    sheet.put(x + 2, 0, fit(about, room - x - 1), palette.QUIET)
    sheet.put(width - cell_len(end) - 1, 0, end, palette.QUIET)
    return sheet.lines()
