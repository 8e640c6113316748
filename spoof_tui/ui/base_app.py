"""An app whose palette lists what its screen can do, and whose screen can always be covered."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.app import App, ComposeResult, SystemCommand
from textual.binding import Binding
from textual.command import CommandPalette, Provider
from textual.screen import Screen
from textual.theme import ThemeProvider
from textual.widgets import Static

from spoof_tui.acts.buttons import Button, Buttons, Way
from spoof_tui.telling.pressing import press
from spoof_tui.text.i18n import _
from spoof_tui.ui.canvas import palette
from spoof_tui.ui.terminal import TerminalApp


class CoverScreen(Screen[None]):
    """Hides everything until a key is pressed, which has no other effect."""

    DEFAULT_CSS = """
    CoverScreen { align: center middle; }
    CoverScreen Static { width: auto; color: $quiet; }
    """

    def compose(self) -> ComposeResult:
        """One sentence."""
        asked = press(_("any key"), _("go on"))
        yield Static(_("Covered. {press}.").format(press=asked), markup=False)

    def buttons(self) -> Buttons:
        """The one button of a page."""
        return Buttons([[Button("escape", _("go on"), way=Way.LIKELY)]])

    def on_key(self, event: events.Key) -> None:
        """Uncover what was hidden."""
        event.stop()
        event.prevent_default()
        self.dismiss(None)


def _acts_provider() -> type[Provider]:
    """Imported when the palette is first opened."""
    from spoof_tui.ui.command_palette import ActsProvider

    return ActsProvider


class BaseApp(TerminalApp):
    """Textual's command palette in the player's language, and a key that covers the screen."""

    ENABLE_COMMAND_PALETTE = True
    COMMANDS = App.COMMANDS | {_acts_provider}
    CSS = """
    Screen { background: $background; color: $foreground; }
    SearchIcon { display: none; }
    Toast { width: auto; max-width: 90%; padding: 0 1; background: $panel; }
    """
    TITLE = "Spoof"
    BINDINGS = [Binding("ctrl+l", "cover", show=False, priority=True)]

    def watch_theme(self, name: str) -> None:
        """Draw everything in another theme."""
        palette.use(name)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """What every screen can do."""
        yield SystemCommand(_("Theme"), _("another theme"), self.action_change_theme)
        yield SystemCommand(_("Quit"), _("end the program"), self.action_quit)

    def action_command_palette(self) -> None:
        """Look for an act by its name."""
        if not isinstance(self.screen, CommandPalette):
            from spoof_tui.ui.command_palette import ActsPalette

            self.push_screen(ActsPalette(placeholder=_("Search for a command…")))

    def action_help_quit(self) -> None:
        """Ctrl-C when there is no selection that it would copy."""
        self.call_later(self.action_quit)

    def search_themes(self) -> None:
        """Choose another theme by name."""
        from spoof_tui.ui.command_palette import ActsPalette

        words = _("Search for a theme…")
        self.push_screen(ActsPalette(providers=[ThemeProvider], placeholder=words))

    def action_cover(self) -> None:
        """Cover the whole screen at once, or uncover it."""
        # Another program may have written on the terminal: this key repaints all of it.
        self.paint_anew()
        if isinstance(self.screen, CoverScreen):
            self.pop_screen()
        else:
            self.push_screen(CoverScreen())
