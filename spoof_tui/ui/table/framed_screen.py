"""A screen laid out as the table is, for games that are only looked at or taught."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.screen import Screen
from textual.strip import Strip

from spoof_tui.ui.canvas.widget import Canvas
from spoof_tui.ui.keyboard import latin

Paint: TypeAlias = Callable[[int, int], list[Strip]]
"""Draws a part for a width and a height."""


class Part(Canvas):
    """A part of the screen, drawn by a function."""

    def __init__(self, paint: Paint, id: str) -> None:
        super().__init__(id=id)
        self._paint = paint

    def draw(self, width: int, height: int) -> list[Strip]:
        """The part as it looks now."""
        return self._paint(width, height)


class BoardScreen(Screen[None]):
    """The bar, the table with the column beside it, and the panel. A subclass draws them."""

    CSS = """
    BoardScreen #bar { height: 1; }
    BoardScreen #middle { height: 1fr; }
    BoardScreen #ring { width: 1fr; margin: 0 0 0 1; }
    BoardScreen #side { width: 30%; min-width: 20; max-width: 40; }
    BoardScreen #panel { height: 8; }
    BoardScreen.-narrow #side { display: none; }
    BoardScreen.-short #panel { height: 6; }
    BoardScreen.-high #panel { height: 11; }
    """
    SCOPED_CSS = False

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (74, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-short"), (23, "-tall"), (32, "-high")]

    def compose(self) -> ComposeResult:
        """The four parts."""
        yield Part(lambda width, height: self.draw_bar(width), "bar")
        with Horizontal(id="middle"):
            yield Part(self.draw_table, "ring")
            yield Part(self.draw_side, "side")
        yield Part(self.draw_panel, "panel")

    def draw_bar(self, width: int) -> list[Strip]:
        """The line above all."""
        raise NotImplementedError

    def draw_table(self, width: int, height: int) -> list[Strip]:
        """The table in the middle."""
        raise NotImplementedError

    def draw_side(self, width: int, height: int) -> list[Strip]:
        """The column beside the table."""
        raise NotImplementedError

    def draw_panel(self, width: int, height: int) -> list[Strip]:
        """The panel below."""
        raise NotImplementedError

    def press(self, key: str) -> None:
        """A key of this screen."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw all parts; only what changed is painted."""
        for part in self.query(Part):
            part.redraw()

    def on_key(self, event: events.Key) -> None:
        """Every key belongs to the screen."""
        event.stop()
        self.press(latin(event.key))
        if self.is_current:
            self.redraw()
