"""The stage: a widget of cells that repaints only the rows that changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Final, TypeAlias

from rich.style import Style
from textual import events
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Ground, Part, Row, Sheet

Arrange: TypeAlias = Callable[[int, int], Sequence[Part]]
"""Gives the parts of a stage of some width and height, those in front last."""

_STEADY: Final = 2
"""Columns by which the mouse may move between button down and up and still click."""


class Stage(Widget):
    """A grid of cells that is drawn in parts.

    `redraw` asks for the parts, draws those whose picture or place has changed, and composes the
    rows that they cover; `spoof_tui.ui.terminal` then finds the cells that look different. Styles
    without a background get the widget's. There is no border and no padding.
    """

    ALLOW_SELECT = False
    DEFAULT_CSS = "Stage { width: 1fr; height: 1fr; }"

    def __init__(self, arrange: Arrange) -> None:
        super().__init__()
        self._parts_of = arrange
        self._drawn: list[tuple[Part, Sheet]] = []
        self._shown = Sheet(0, 0)
        self._ground = Ground(Style.null())
        self._strips: list[Strip] = []
        """The rows of `_shown` as Textual takes them."""
        self._down: tuple[str, int, int] = ("", 0, 0)
        """The key at the cell where the mouse button went down, with its column and row."""

    def redraw(self) -> None:
        """Draw the parts that have changed, and have Textual repaint their rows."""
        if not self._is_fresh:
            self.refresh()
        elif rows := self._draw():
            for y in rows:
                self._lay(y)
            self.refresh(*(Region(0, y, self._shown.width, 1) for y in rows))

    def notify_style_update(self) -> None:
        """Have everything drawn again at the next paint, since the theme may have changed."""
        super().notify_style_update()
        self._shown = Sheet(0, 0)

    def key_at(self, x: int, y: int) -> str:
        """The key that a click on this cell presses, by Textual's name; empty for none."""
        if not (0 <= y < self._shown.height and 0 <= x < self._shown.width):
            return ""
        style = self._shown.rows[y].styles[x]
        if key := palette.pressed_by(style):
            return key
        keys = (part.press for part, _ in reversed(self._drawn) if part.place.covers(x, y))
        return next(filter(None, keys), "")

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Remember where the button went down."""
        self._down = self.key_at(event.x, event.y), event.x, event.y

    def on_click(self, event: events.Click) -> None:
        """Ignore a drag: a click must end on the key, and near the cell, where it began."""
        key, x, y = self._down
        is_steady = y == event.y and abs(x - event.x) <= _STEADY
        if not is_steady or key != self.key_at(event.x, event.y):
            event.stop()

    @property
    def _is_fresh(self) -> bool:
        return (self._shown.width, self._shown.height) == self.size

    def _draw(self) -> list[int]:
        """Draw the parts that have changed; return the rows of the stage that they cover."""
        before, self._drawn = self._drawn, []
        width, height = self._shown.width, self._shown.height
        rows: set[int] = set()
        for part, known in zip_longest(self._parts_of(width, height), before):
            if part is None:
                rows.update(known[0].place.rows)
            elif known is not None and part == known[0]:
                self._drawn.append(known)
            else:
                self._drawn.append((part, part.sheet()))
                rows.update(_changed_rows(self._drawn[-1], known))
        return sorted(rows & set(range(height)))

    def _lay(self, y: int) -> None:
        """Compose row `y` from all parts."""
        width = self._shown.width
        row = self._shown.rows[y] = Row([" "] * width, [None] * width)
        for part, sheet in self._drawn:
            if 0 <= y - part.place.y < part.place.height:
                self._shown.lay_row(part.place.x, y, sheet, y - part.place.y)
        self._strips[y] = row.strip(self._ground)

    def _fit(self) -> None:
        """Draw everything again if the size or the theme has changed."""
        if self._is_fresh:
            return
        width, height = self.size
        self._ground = Ground(self.rich_style, self.get_line_filters(), self.background_colors[1])
        self._drawn = []
        self._shown = Sheet(width, height)
        self._draw()
        self._strips = [Strip([])] * height
        for y in range(height):
            self._lay(y)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The strips of `crop`; that of an unchanged row is the same object."""
        self._fit()
        strips = self._strips[crop.y : crop.bottom]
        if crop.column_span == (0, self._shown.width):
            return strips
        return [strip.crop(*crop.column_span) for strip in strips]


def _changed_rows(now: tuple[Part, Sheet], known: tuple[Part, Sheet] | None) -> Iterable[int]:
    """The rows of the stage on which a part differs from `known`, its last drawing; None for a new
    part."""
    (part, sheet), rows = now, now[0].place.rows
    if known is None:
        return rows
    before, old = known
    if before.place != part.place:
        return {*before.place.rows, *rows}
    pairs = zip(rows, sheet.rows, old.rows, strict=True)
    return [y for y, row, other in pairs if row != other]
