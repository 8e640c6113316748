"""The base of the apps: a palette with the acts of the current screen, and a key that covers it."""

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
    """Covers everything until a key is pressed, which has no other effect."""

    DEFAULT_CSS = """
    CoverScreen { align: center middle; }
    CoverScreen Static { width: auto; color: $quiet; }
    """

    def compose(self) -> ComposeResult:
        """Create the only line: how to go on."""
        asked = press(_("any key"), _("go on"))
        yield Static(_("Screen hidden. {press}.").format(press=asked), markup=False)

    def buttons(self) -> Buttons:
        """The only button for a web page: go on."""
        return Buttons([[Button("escape", _("go on"), way=Way.LIKELY)]])

    def on_key(self, event: events.Key) -> None:
        """Uncover the screen."""
        event.stop()
        event.prevent_default()
        self.dismiss(None)


def _acts_provider() -> type[Provider]:
    """The class of the palette's acts, imported only when the palette is opened."""
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
        """Use the colours of the new theme for everything drawn."""
        palette.use(name)

    def get_system_commands(self, screen: Screen[object]) -> Iterable[SystemCommand]:
        """The commands of the palette that every screen has."""
        yield SystemCommand(_("Theme"), _("another theme"), self.action_change_theme)
        yield SystemCommand(_("Quit"), _("end the program"), self.action_quit)

    def action_command_palette(self) -> None:
        """Open the palette, to search for an act."""
        if not isinstance(self.screen, CommandPalette):
            from spoof_tui.ui.command_palette import ActsPalette

            self.push_screen(ActsPalette(placeholder=_("Search for a command…")))

    def action_help_quit(self) -> None:
        """Quit, on Ctrl+C without a selection to copy."""
        self.call_later(self.action_quit)

    def search_themes(self) -> None:
        """Open a palette of the themes."""
        from spoof_tui.ui.command_palette import ActsPalette

        words = _("Search for a theme…")
        self.push_screen(ActsPalette(providers=[ThemeProvider], placeholder=words))

    def action_cover(self) -> None:
        """Cover the whole screen, or uncover it; repaints everything."""
        # Another program may have written on the terminal: this key repaints all of it.
        self.paint_anew()
        if isinstance(self.screen, CoverScreen):
            self.pop_screen()
        else:
            self.push_screen(CoverScreen())
