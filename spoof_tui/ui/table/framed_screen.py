"""A screen laid out as the table is, for games that are only looked at or taught."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from spoof_tui.ui.acts.act import KeyAct
from spoof_tui.ui.canvas.cells import Part
from spoof_tui.ui.canvas.widget import Stage
from spoof_tui.ui.keyboard import latin
from spoof_tui.ui.terminal import follow_mouse


class FramedScreen(Screen[None]):
    """One stage, and keys that change what is on it."""

    def compose(self) -> ComposeResult:
        """The stage."""
        yield Stage(self.parts)

    def acts(self) -> Sequence[KeyAct]:
        """What can be done here now."""
        raise NotImplementedError

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
        """Every key belongs to the screen, but for the one that copies or ends the program."""
        if event.key == "ctrl+c":
            return
        event.stop()
        self.press(latin(event.key))
        if self.is_current:
            self.redraw()

    def on_click(self, event: events.Click) -> None:
        """Press the key of what is under the mouse."""
        if key := self.query_one(Stage).key_at(event.x, event.y):
            self.app.simulate_key(key)

    def show_help(self) -> None:
        """Tell the keys."""
        from spoof_tui.ui.dialogs.help import HelpDialog

        self.app.push_screen(HelpDialog(self.acts()))

    def on_screen_resume(self) -> None:
        """Leave the mouse to the terminal where nothing follows it."""
        follow_mouse(self.app, False)

    def on_screen_suspend(self) -> None:
        """Take it for what lies above."""
        follow_mouse(self.app, True)
