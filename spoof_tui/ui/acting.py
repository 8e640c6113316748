"""An app whose palette finds what the present screen can do."""

from __future__ import annotations

from collections.abc import Iterable

from textual.app import App, SystemCommand
from textual.command import CommandPalette, Provider
from textual.screen import Screen
from textual.theme import ThemeProvider

from spoof_tui.text.i18n import _
from spoof_tui.ui.terminal import TerminalApp


def _acts_provider() -> type[Provider]:
    """Imported when the palette is opened first."""
    from spoof_tui.ui.commands import ActsProvider

    return ActsProvider


class ActingApp(TerminalApp):
    """Textual's command palette, in the player's language."""

    ENABLE_COMMAND_PALETTE = True
    COMMANDS = App.COMMANDS | {_acts_provider}
    CSS = """
    Screen { background: $background; color: $foreground; }
    SearchIcon { display: none; }
    Toast { width: auto; max-width: 90%; padding: 0 1; background: $panel; }
    """
    TITLE = "Spoof"

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What every screen can do."""
        yield SystemCommand(_("Theme"), _("another theme"), self.action_change_theme)
        yield SystemCommand(_("Quit"), _("end the program"), self.action_quit)

    def action_command_palette(self) -> None:
        """Look for an act by its name."""
        if not isinstance(self.screen, CommandPalette):
            from spoof_tui.ui.commands import ActsPalette

            self.push_screen(ActsPalette(placeholder=_("Search for a command…")))

    def action_help_quit(self) -> None:
        """Ctrl-C, where nothing is selected that it would copy."""
        self.call_later(self.action_quit)

    def search_themes(self) -> None:
        """Choose another theme by its name."""
        from spoof_tui.ui.commands import ActsPalette

        words = _("Search for a theme…")
        self.push_screen(ActsPalette(providers=[ThemeProvider], placeholder=words))
