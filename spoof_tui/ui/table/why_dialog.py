"""“Why?” at the table: what may be said now, and what decided the last round."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from textual.binding import Binding
from textual.content import Content

from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.palette import glyphs
from spoof_tui.ui.dialogs.reading import Reading, hanging, stacked
from spoof_tui.ui.table.scene import Scene
from spoof_tui.ui.table.why import why, why_opening
from spoof_tui.ui.table.why_count import Explanation, Line

_COLUMN: Final = 13
"""Columns of the words and the clause numbers."""


class WhyDialog(Reading):
    """The answers for this moment; they change with the table."""

    BINDINGS = [Binding("w", "close", show=False)]

    def __init__(self, scene: Scene) -> None:
        super().__init__(_("Why?"), lambda width: page(scene, width))


def page(scene: Scene, width: int) -> Content:
    """The answers in lines of `width` columns."""
    if scene.view is None:
        return Content()
    is_opening = scene.last is not None and not scene.is_counted
    answers = why_opening(scene.view) if is_opening else why(scene.view, scene.names, scene.counted)
    return Content("\n\n").join(stacked([*_answer(answer, width)]) for answer in answers)


def _answer(answer: Explanation, width: int) -> Iterator[Content]:
    yield Content.styled(answer.question, "bold $accent")
    for line in answer.lines:
        look = "$quiet" if line.allowed is False else ""
        label, column = (_label(line), _COLUMN) if line.label else (Content(), 2)
        yield hanging(label, line.text, column, width, look)


def _label(line: Line) -> Content:
    signs = glyphs()
    if line.allowed is None:
        return Content.assemble("  ", (line.label, "bold"))
    if line.allowed:
        return Content.assemble((f"{signs.yes} ", "$success"), (line.label, "bold"))
    return Content.assemble((f"{signs.no} ", "$line"), (line.label, "$quiet"))
