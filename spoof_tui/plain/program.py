"""What a lobby and a table in plain lines need of the program that they are in."""

from __future__ import annotations

from typing import Any, Protocol

from protocol.rules.options import Rules
from spoof_tui.network.addresses import Address
from spoof_tui.plain.lines import LineWriter
from spoof_tui.runtime.launch import Launch
from spoof_tui.storage.settings import Settings


class PlainProgram(Protocol):
    """The program in plain lines."""

    @property
    def settings(self) -> Settings:
        """What the player has chosen."""

    @property
    def lines(self) -> LineWriter:
        """Where everything is printed."""

    @property
    def not_kept(self) -> str:
        """Why nothing is kept on this computer, or who else can read it; empty if all is well."""

    def begin(self, launch: Launch) -> None:
        """Go to a table."""

    def leave_table(self, heir: bytes | None = None) -> None:
        """Go back to the lobby, and leave the player's own table to `heir`."""

    def practise(self, rules: Rules) -> None:
        """Play a practice game by these rules, while the seat at a silent table waits."""

    def leave(self) -> None:
        """Exit the program."""

    def keep(self, **chosen: Any) -> str | None:
        """Change settings from now on; what is wrong if they could not be saved."""

    def speak(self, language: str) -> str | None:
        """Use this language, or the next one, from now on."""

    def turn_lines(self) -> None:
        """Have the program start with plain lines from now on, or with a screen again."""

    def diagnose(self) -> None:
        """Examine the network, and report what is in the way."""

    def look_at(self, address: Address) -> None:
        """Look for a table at this address, too."""
