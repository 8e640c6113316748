"""A table found by typing part of its name, over keys that do something else at other times."""

from __future__ import annotations

from typing import Final

from textual import events
from textual.screen import Screen

from protocol.limits import MAX_NAME
from spoof_tui.ui.lobby.menu import Menu

_PASSED_ON: Final = frozenset(
    {"enter", "up", "down", "home", "end", "pageup", "pagedown", "ctrl+c", "ctrl+l", "ctrl+p",
     "ctrl+q", "ctrl+z"}
)  # fmt: skip
"""Keys that do the same while a table is looked for."""


class SearchScreen(Screen[None]):
    """A screen with a list of tables, of which letters find one; it binds a key to `search`."""

    def __init__(self) -> None:
        super().__init__()
        self._menu = Menu()

    def present(self) -> None:
        """Draw again what changed."""

    def action_search(self) -> None:
        """Have letters find a table, until it is chosen or Esc ends the search."""
        self._look_for("")

    def on_key(self, event: events.Key) -> None:
        """While a table is looked for, take what is typed from the keys that do something."""
        search = self._menu.search
        if search is None or event.key in _PASSED_ON:
            return
        event.stop()
        event.prevent_default()
        self._look_for(typed(search, event))

    def on_screen_suspend(self) -> None:
        """Look for nothing any more: something else came over the list."""
        self.end_search()

    def end_search(self) -> None:
        """List all tables again."""
        if self._menu.search is not None:
            self._look_for(None)

    def _look_for(self, search: str | None) -> None:
        self._menu.look_for(search)
        self.present()


def typed(search: str, event: events.Key) -> str | None:
    """What is looked for after a key; None if it ends the search."""
    if event.key == "escape" or (event.key == "backspace" and not search):
        return None
    if event.key == "backspace":
        return search[:-1]
    if event.character and event.is_printable and len(search) < MAX_NAME:
        return search + event.character
    return search
