"""A screen laid out as the table is, for games that are only looked at or taught."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from spoof_tui.ui.canvas.cells import Part
from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.keyboard import latin


class FramedScreen(Screen[None]):
    """One stage, and keys that change what is on it."""

    def compose(self) -> ComposeResult:
        """The stage."""
        yield Stage(self.parts)

    def parts(self, width: int, height: int) -> list[Part]:
        """What is on the stage."""
        raise NotImplementedError

    def press(self, key: str) -> None:
        """A key of this screen."""
        raise NotImplementedError

    def redraw(self) -> None:
        """Draw what changed."""
        self.query_one(Stage).redraw()

    def on_key(self, event: events.Key) -> None:
        """Every key belongs to the screen."""
        event.stop()
        self.press(latin(event.key))
        if self.is_current:
            self.redraw()
