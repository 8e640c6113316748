"""Something to read, laid over the table: it follows what happens below, and scrolls."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from textual.app import ComposeResult
from textual.binding import Binding
from textual.screen import ModalScreen
from textual.strip import Strip

from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas.page import Row, draw_framed, following, framed_room, inside, most_top
from spoof_tui.ui.canvas.widget import Canvas

_PAGE: Final = 10
"""Rows that Page Up and Page Down move."""

_FAR: Final = 10_000

Keys: TypeAlias = Sequence[tuple[str, str]]
"""Keys and what they do, for the lower border."""

PageOf: TypeAlias = Callable[[int], Sequence[Row]]
"""Makes the page for so many columns."""


class ReadingCanvas(Canvas):
    """A page in a frame, from some row on."""

    def __init__(self, title: str, page: PageOf, keys: Callable[[], Keys]) -> None:
        super().__init__()
        self._title = title
        self._page = page
        self._keys = keys
        self._top = 0

    def draw(self, width: int, height: int) -> Sequence[Strip]:
        """The page for this size, as high as it needs to be, at most `height`."""
        page = self._page(inside(width))
        room = framed_room(len(page), height)
        keys = [*self._keys(), ("Esc", _("back"))]
        if len(page) > room and len(keys) == 1:
            keys.insert(0, ("↑ ↓", _("read on")))
        top = following(page, self._top, room)
        return draw_framed(self._title, keys, page, width, height, top)

    def read(self, by: int) -> None:
        """Show rows further down."""
        page, height = self._page(inside(self.size.width)), self.screen.size.height
        end = most_top(page, framed_room(len(page), height))
        self._top = min(max(min(self._top, end) + by, 0), end)
        self.redraw()


class Reading(ModalScreen[None]):
    """A framed page; Escape, or the key that opened it, takes it away."""

    CSS = """
    Reading { align: center middle; background: #121212 60%; }
    ReadingCanvas { width: 78; max-width: 100%; height: auto; max-height: 100%; background: #1c1c1c; }
    """  # noqa: E501
    SCOPED_CSS = False
    AUTO_FOCUS = ""
    BINDINGS = [
        Binding("up,k", "read(-1)", show=False),
        Binding("down,j", "read(1)", show=False),
        Binding("pageup", f"read({-_PAGE})", show=False),
        Binding("pagedown", f"read({_PAGE})", show=False),
        Binding("home", f"read({-_FAR})", show=False),
        Binding("end", f"read({_FAR})", show=False),
        Binding("escape,enter,space,q", "close", show=False),
    ]

    def __init__(self, title: str, page: PageOf) -> None:
        super().__init__()
        self._title = title
        self._page = page

    def keys(self) -> Keys:
        """What can be done here besides reading and going back."""
        return ()

    def compose(self) -> ComposeResult:
        """One canvas."""
        yield ReadingCanvas(self._title, self._page, self.keys)

    def present(self) -> None:
        """Draw again what changed below; the frame grows and shrinks with the page."""
        # A screen that was just pushed is on top before its canvas is there.
        for canvas in self.query(ReadingCanvas):
            width = canvas.size.width
            if canvas.get_content_height(self.size, self.size, width) == canvas.size.height:
                canvas.redraw()
            else:
                canvas.refresh(layout=True)

    def action_read(self, by: int) -> None:
        """Show rows further down or up."""
        self.query_one(ReadingCanvas).read(by)

    def on_mouse_scroll_down(self) -> None:
        """Show rows further down."""
        self.action_read(2)

    def on_mouse_scroll_up(self) -> None:
        """Show rows further up."""
        self.action_read(-2)

    def action_close(self) -> None:
        """Back to the table."""
        self.dismiss(None)

    def on_click(self) -> None:
        """Back to the table."""
        self.dismiss(None)
