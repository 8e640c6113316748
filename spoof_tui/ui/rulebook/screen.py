"""The rulebook to read, with every other rulebook beside it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import Screen
from textual.strip import Strip

from protocol.rules.options import Rules
from spoof_tui.ui.canvas.page import Row, find, most_top
from spoof_tui.ui.canvas.widget import Canvas
from spoof_tui.ui.rulebook.page import draw_book, room, rows, shelf, text_width

_FAR: Final = 10_000
"""More rows than any book has."""


class BookCanvas(Canvas):
    """One rulebook from some row on."""

    def __init__(self, rules: Rules | None) -> None:
        super().__init__()
        self._books = shelf(rules)
        self._chosen = self._books.index(rules) if rules in self._books else 0
        self._top = 0

    def draw(self, width: int, height: int) -> Sequence[Strip]:
        """The book for this size."""
        page = self._page(width)
        top = min(self._top, most_top(page, room(height)))
        return draw_book(self._books, self._chosen, page, top, width, height)

    def scroll_rows(self, by: int) -> None:
        """Show rows further down."""
        end = most_top(self._page(self.size.width), room(self.size.height))
        self._top = min(max(min(self._top, end) + by, 0), end)
        self.redraw()

    def turn(self, by: int) -> None:
        """Take the next book, and stay at the clause that is on top, or the nearest to it."""
        anchors = [row.anchor for row in self._page(self.size.width)[self._top :] if row.anchor]
        self._chosen = (self._chosen + by) % len(self._books)
        page = self._page(self.size.width)
        places = (find(page, anchor) for anchor in anchors)
        place = next((place for place in places if place is not None), 0)
        self._top = min(place, most_top(page, room(self.size.height))) if self._top else 0
        self.redraw()

    def _page(self, width: int) -> list[Row]:
        return rows(self._books[self._chosen], text_width(width))


class RulebookScreen(Screen[None]):
    """All rules in words; left and right compare the presets."""

    CSS = "BookCanvas { width: 1fr; height: 1fr; }"
    AUTO_FOCUS = ""
    BINDINGS = [
        Binding("up,k", "read(-1)", show=False),
        Binding("down,j", "read(1)", show=False),
        Binding("pageup", "leaf(-1)", show=False),
        Binding("pagedown,space", "leaf(1)", show=False),
        Binding("home,g", f"read({-_FAR})", show=False),
        Binding("end,G", f"read({_FAR})", show=False),
        Binding("left", "turn(-1)", show=False),
        Binding("right,tab", "turn(1)", show=False),
        Binding("escape,q,h,enter", "close", show=False),
    ]

    def __init__(self, rules: Rules | None = None) -> None:
        """Begin with `rules`, such as those of a table; None: with the first preset."""
        super().__init__()
        self._rules = rules

    def compose(self) -> ComposeResult:
        """One canvas."""
        yield BookCanvas(self._rules)

    @property
    def _book(self) -> BookCanvas:
        return self.query_one(BookCanvas)

    def action_read(self, by: int) -> None:
        """Show rows further down or up."""
        self._book.scroll_rows(by)

    def action_leaf(self, by: int) -> None:
        """Show the next screenful or the one before, with two rows of overlap."""
        self._book.scroll_rows(by * max(room(self.size.height) - 2, 1))

    def action_turn(self, by: int) -> None:
        """Compare with another rulebook."""
        self._book.turn(by)

    def action_close(self) -> None:
        """Back to where one came from."""
        self.dismiss(None)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Show rows further down."""
        self._book.scroll_rows(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Show rows further up."""
        self._book.scroll_rows(-3)
