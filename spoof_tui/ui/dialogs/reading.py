"""Something to read: it scrolls, can be selected, and is updated while it is open."""

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
"""Rows that stay in sight when a screenful is turned."""

PageOf: TypeAlias = Callable[[int], Content]
"""Makes the page for this many columns."""


class Pages(VerticalScroll):
    """Textual's scrolling container, which moves at once: an animation costs bytes."""

    BINDINGS = [
        ("up", "read(-1)"),
        ("down", "read(1)"),
        ("pageup", "leaf(-1)"),
        ("pagedown", "leaf(1)"),
        ("home", "go(0)"),
        ("end", "go(1)"),
    ]

    def action_read(self, by: int) -> None:
        """Scroll down or up by some rows."""
        self.scroll_relative(y=by, animate=False, immediate=True)

    def action_leaf(self, by: int) -> None:
        """Show the next or the previous screenful."""
        self.scroll_relative(
            y=by * max(self.size.height - _OVERLAP, 1), animate=False, immediate=True
        )

    def action_go(self, end: int) -> None:
        """Go to the beginning or the end."""
        self.scroll_to(y=self.max_scroll_y if end else 0, animate=False, immediate=True)


class Reading(ModalScreen[None]):
    """A framed page; Escape, or the key that opened it, closes it."""

    CSS_PATH = [Path(__file__).with_name("dialogs.tcss")]
    WIDTH = 78
    """Columns of the frame, in a terminal that is wide enough."""
    BINDINGS = [("escape,enter,space,q", "close")]

    def __init__(self, title: str, page: PageOf | None = None) -> None:
        super().__init__()
        self._heading = title
        self._page_of = page

    def body(self) -> Widget:
        """What is read, at the page's width; a text unless a subclass overrides this."""
        return Static(self._text(self.app.size.width), id="text", markup=False)

    def keys(self) -> Keys:
        """What can be done here besides reading and going back."""
        return ()

    def compose(self) -> ComposeResult:
        """The page in its frame."""
        with DialogBox(id="reading") as frame:
            frame.styles.width = self.WIDTH
            frame.entitle(self._heading, self._all_keys())
            with Pages() as pages:
                pages.styles.max_height = max(self.app.size.height - 2, 1)
                yield self.body()

    def on_mount(self) -> None:
        self.present()

    def on_resize(self) -> None:
        """Keep the frame in the terminal, and wrap the lines again."""
        for pages in self.query(Pages):
            pages.styles.max_height = max(self.size.height - 2, 1)
        self.present()

    def present(self) -> None:
        """Show what changed."""
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
        """The keys of the page as buttons of a browser's page."""
        return of_list(self._all_keys())

    def _text(self, width: int) -> Content:
        # The pages have padding of their own, and a blank before the scrollbar.
        columns = inside(min(self.WIDTH, width)) - 4
        return self._page_of(columns) if self._page_of else Content()

    def action_close(self) -> None:
        """Go back to what is below."""
        if self.is_active:
            self.dismiss(None)

    def on_click(self, event: events.Click) -> None:
        """A click outside the frame goes back, too."""
        widget, _region = self.get_widget_at(event.screen_x, event.screen_y)
        if widget is self:
            self.dismiss(None)


class Study(Generic[T]):
    """What takes too long to work out while the terminal is painted: a thread does it.

    The page that shows it is presented again as soon as it is known.
    """

    def __init__(self, page: Reading) -> None:
        self._page = page
        self._asked: object = None
        self._found: T | None = None

    def of(self, asked: object, work: Callable[[], T]) -> T | None:
        """What `work` finds for what is `asked`; None until that is known."""
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
    """A label, and a text from `column` on, beside it and below."""
    lines = wrap(text, width - column)
    if label.cell_length < column or not label.cell_length:
        label = Content.assemble(label, " " * (column - label.cell_length), (lines[0], look))
        lines = lines[1:]
    below = [Content.assemble(" " * column, (line, look)) for line in lines]
    return stacked([label, *below])


def wrapped(lines: Iterable[str], width: int) -> Content:
    """The lines in this many columns; those that fit keep their own."""
    rows = ([line] if cell_len(line) <= width else wrap(line, width) for line in lines)
    return stacked([Content(part) for row in rows for part in row])


def stacked(lines: Sequence[Content]) -> Content:
    """The lines one below the other."""
    return Content("\n").join(lines)


def column(text: str, width: int) -> str:
    """`text` padded to `width` columns."""
    return text + " " * max(width - cell_len(text), 0)
