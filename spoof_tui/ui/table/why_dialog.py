"""“Why?” at the table: what may be said now, and what decided the last round."""

from __future__ import annotations

from typing import Final

from rich.style import Style
from textual.binding import Binding

from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.overlay import Reading
from spoof_tui.ui.canvas.page import Row, entry
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.why import Explanation, Line, why, why_opening

_COLUMN: Final = 13
"""Columns of the words and the clause numbers."""


class WhyDialog(Reading):
    """The answers for this moment; they change with the table."""

    BINDINGS = [Binding("w", "close", show=False)]

    def __init__(self, scene: Scene) -> None:
        super().__init__(_("Why?"), lambda width: page(scene, width))


def page(scene: Scene, width: int) -> list[Row]:
    """The answers in rows of `width` columns."""
    if scene.view is None:
        return []
    is_opening = scene.last is not None and not scene.is_counted
    answers = why_opening(scene.view) if is_opening else why(scene.view, scene.names, scene.counted)
    rows: list[Row] = []
    for answer in answers:
        rows += [Row()] if rows else []
        rows += _answer(answer, width)
    return rows


def _answer(answer: Explanation, width: int) -> list[Row]:
    rows = [Row([(answer.question, palette.STRONG)])]
    for line in answer.lines:
        column = _COLUMN if line.label else 2
        look = palette.QUIET if line.allowed is False else palette.TEXT
        rows += entry(_label(line), line.text, column, width, look)
    return rows


def _label(line: Line) -> list[tuple[str, Style]]:
    signs = glyphs()
    if line.allowed is None:
        return [("  " + line.label, palette.BOLD)] if line.label else []
    if line.allowed:
        return [(f"{signs.yes} ", palette.RIGHT), (line.label, palette.BOLD)]
    return [(f"{signs.no} ", palette.BORDER), (line.label, palette.QUIET)]
