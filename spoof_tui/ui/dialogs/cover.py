"""A cover over the whole screen, for when somebody looks over a shoulder."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widgets import Static

from spoof_tui.text.i18n import _


class CoverScreen(Screen[None]):
    """Hides everything until a key is pressed, which does nothing else."""

    DEFAULT_CSS = """
    CoverScreen { align: center middle; }
    CoverScreen Static { width: auto; color: $quiet; }
    """

    def compose(self) -> ComposeResult:
        """One sentence."""
        yield Static(_("Covered. Press any key."), markup=False)

    def on_key(self, event: events.Key) -> None:
        """Go back to what was covered."""
        event.stop()
        event.prevent_default()
        self.dismiss(None)
