"""Pages to read: they scroll, can be selected, and are updated while they are open."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Final, Generic, TypeAlias, TypeVar

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from spoof_tui.acts.buttons import Buttons, of_list
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.cells import wrap
from spoof_tui.ui.dialogs.dialog import DialogBox, Keys, inside

T = TypeVar("T")

_OVERLAP: Final = 2
"""Rows that stay in sight when the page is scrolled by a screenful."""

PageOf: TypeAlias = Callable[[int], Content]
"""Makes the text of a page for a number of columns."""


class Pages(VerticalScroll):
    """Textual's scrolling container without animation, which would cost output."""

    BINDINGS = [
        ("up", "read(-1)"),
        ("down", "read(1)"),
        ("pageup", "leaf(-1)"),
        ("pagedown", "leaf(1)"),
        ("home", "go(0)"),
        ("end", "go(1)"),
    ]

    def action_read(self, by: int) -> None:
        """Scroll by this many rows."""
        self.scroll_relative(y=by, animate=False, immediate=True)

    def action_leaf(self, by: int) -> None:
        """Scroll by this many screenfuls."""
        self.scroll_relative(
            y=by * max(self.size.height - _OVERLAP, 1), animate=False, immediate=True
        )

    def action_go(self, end: int) -> None:
        """Scroll to the start (0) or the end (1)."""
        self.scroll_to(y=self.max_scroll_y if end else 0, animate=False, immediate=True)


class Reading(ModalScreen[None]):
    """A page in a frame; Escape, or the key that opened it, closes it."""

    CSS_PATH = [Path(__file__).with_name("dialogs.tcss")]
    WIDTH = 78
    """Columns of the frame, if the terminal has so many."""
    BINDINGS = [("escape,enter,space,q", "close")]

    def __init__(self, title: str, page: PageOf | None = None) -> None:
        super().__init__()
        self._heading = title
        self._page_of = page

    def body(self) -> Widget:
        """The widget with the page; a text, unless a subclass overrides this."""
        return Static(self._text(self.app.size.width), id="text", markup=False)

    def keys(self) -> Keys:
        """Keys besides those that read and go back; none unless a subclass overrides this."""
        return ()

    def compose(self) -> ComposeResult:
        """Create the frame with the page."""
        with DialogBox(id="reading") as frame:
            frame.styles.width = self.WIDTH
            frame.entitle(self._heading, self._all_keys())
            with Pages() as pages:
                pages.styles.max_height = max(self.app.size.height - 2, 1)
                yield self.body()

    def on_mount(self) -> None:
        self.present()

    def on_resize(self) -> None:
        """Fit the frame into the terminal, and wrap the lines again."""
        for pages in self.query(Pages):
            pages.styles.max_height = max(self.size.height - 2, 1)
        self.present()

    def present(self) -> None:
        """Bring the page up to date."""
        if not self.is_mounted:
            return  # a screen that was just pushed is on top before its widgets exist
        self.query_one(DialogBox).entitle(self._heading, self._all_keys())
        for text in self.query("#text").results(Static):
            page = self._text(self.size.width)
            if text.content != page:
                text.update(page)

    def _all_keys(self) -> Keys:
        return [*self.keys(), (_("Esc"), _("back"))]

    def buttons(self) -> Buttons:
        """The keys of the page as buttons of a web page; arrows only if there is more to read."""
        return of_list(
            self._all_keys(), is_list=any(each.max_scroll_y for each in self.query(Pages))
        )

    def _text(self, width: int) -> Content:
        # The pages have padding of their own, and a blank before the scrollbar.
        columns = inside(min(self.WIDTH, width)) - 4
        return self._page_of(columns) if self._page_of else Content()

    def action_close(self) -> None:
        """Close the page."""
        if self.is_active:
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """Close the page on a click outside its frame."""
        widget, _region = self.get_widget_at(event.screen_x, event.screen_y)
        if widget is self:
            self.dismiss(None)


class Study(Generic[T]):
    """Computes in a thread what takes too long while the screen is painted.

    The page that shows the result is updated as soon as it is there.
    """

    def __init__(self, page: Reading) -> None:
        self._page = page
        self._asked: object = None
        self._found: T | None = None

    def of(self, asked: object, work: Callable[[], T]) -> T | None:
        """The result of `work` for the question `asked`; None until it is there.

        A new question starts it.
        """
        if self._asked != asked:
            self._asked, self._found = asked, None
            self._page.run_worker(self._follow(asked, work))
        return self._found

    async def _follow(self, asked: object, work: Callable[[], T]) -> None:
        found = await asyncio.to_thread(work)
        if self._asked == asked:
            self._found = found
            self._page.present()


def hanging(label: Content, text: str, column: int, width: int, look: str = "") -> Content:
    """A label, and a text wrapped from `column` on, beside the label and below it."""
    lines = wrap(text, width - column)
    if label.cell_length < column or not label.cell_length:
        label = Content.assemble(label, " " * (column - label.cell_length), (lines[0], look))
        lines = lines[1:]
    below = [Content.assemble(" " * column, (line, look)) for line in lines]
    return stacked([label, *below])


def wrapped(lines: Iterable[str], width: int) -> Content:
    """The lines, wrapped to `width` columns if they are longer."""
    rows = ([line] if cell_len(line) <= width else wrap(line, width) for line in lines)
    return stacked([Content(part) for row in rows for part in row])


def stacked(lines: Sequence[Content]) -> Content:
    """The lines one below the other."""
    return Content("\n").join(lines)


def column(text: str, width: int) -> str:
    """`text` padded to `width` columns."""
    return text + " " * max(width - cell_len(text), 0)
