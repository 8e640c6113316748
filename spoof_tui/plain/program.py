"""What the lobby and the table in plain lines need from the program."""

from __future__ import annotations

from typing import Any, Protocol

from protocol.views import TableView
from spoof_tui.network.addresses import Address
from spoof_tui.plain.lines import LineWriter
from spoof_tui.runtime.launch import Launch
from spoof_tui.storage.settings import Settings


class PlainProgram(Protocol):
    """The program in plain lines, as its lobby and its table use it."""

    @property
    def settings(self) -> Settings:
        """The player's settings."""

    @property
    def lines(self) -> LineWriter:
        """Prints the lines."""

    @property
    def not_kept(self) -> str:
        """Why nothing is saved on this computer, or who else can read it; empty if all is well."""

    def begin(self, launch: Launch) -> None:
        """Leave the lobby for the table of `launch`, and do what it says."""

    def leave_table(self, heir: bytes | None = None) -> None:
        """Leave the table for the lobby; the player's own table goes to `heir`, or is closed
        if that is None."""

    def practise(self, view: TableView) -> None:
        """Open a practice game with the rules of the silent table `view`, at which the seat keeps
        waiting."""

    def leave(self) -> None:
        """Exit the program."""

    def keep(self, **chosen: Any) -> str | None:
        """Change settings and save them; return why they could not be saved, None if they were."""

    def speak(self, language: str) -> str | None:
        """Use the language of this code or name, or the next one if empty; return like `keep`."""

    def turn_lines(self) -> None:
        """From the next start on, begin with plain lines, or with a screen again."""

    def diagnose(self) -> None:
        """Start to examine the network; the findings are printed when they come."""

    def look_at(self, address: Address) -> None:
        """From now on, look for a table at this address, too."""
