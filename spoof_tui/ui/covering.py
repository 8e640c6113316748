"""An app whose whole screen can be covered at any time."""

from __future__ import annotations

from textual.binding import Binding

from spoof_tui.ui.acting import ActingApp


class CoverableApp(ActingApp):
    """Covered by one key, whatever is shown."""

    BINDINGS = [Binding("ctrl+l", "cover", show=False, priority=True)]

    def action_cover(self) -> None:
        """Cover the whole screen at once, or uncover it."""
        from spoof_tui.ui.dialogs.cover import CoverScreen

        # Another program may have written on the terminal: this key paints all of it again.
        self.paint_anew()
        if isinstance(self.screen, CoverScreen):
            self.pop_screen()
        else:
            self.push_screen(CoverScreen())
