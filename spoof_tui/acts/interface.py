"""What the acts of a table need from the interface in which they are done."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.telling.table_state import TableState


class AtTable(Protocol):
    """The interface at a table, as acts use it.

    `rest` is always what was typed after the act's name.
    """

    @property
    def facts(self) -> TableState:
        """What is known about the table."""

    @property
    def client(self) -> TableClient:
        """The player's seat, through which statements are made."""

    def tell(self, *lines: str) -> None:
        """Show lines to the player, replacing those shown before."""

    def confirms(self, question: str) -> bool:
        """Whether the player asked for the same a moment ago; if not, show the question and return
        False."""

    def is_meant(self, question: str) -> bool:
        """Whether the player means an act that everybody will see; asks for confirmation where a
        single key does it."""

    def skip_game(self) -> None:
        """Show the end of the game at once."""

    def talk(self, rest: str) -> None:
        """Say `rest` at the table; if empty, let the player type a line."""

    def gesture(self, rest: str) -> None:
        """Make the gesture named `rest`; if empty, offer those that make sense now."""

    def practise(self) -> None:
        """Open a practice game by the rules of this table, until the table is heard again."""

    def explain(self) -> None:
        """Show the explanations for this moment, and how to get to all rules."""

    def show_rounds(self) -> None:
        """Show the rounds of this game."""

    def send_postcard(self, lines: Sequence[str]) -> None:
        """Hand over the lines about a finished game for pasting elsewhere."""

    def ask_the_coach(self, hand: int) -> None:
        """Show what the coach thinks of every word if the player holds `hand` coins."""

    def show_rules(self) -> None:
        """Show the rules of this table."""

    def show_slate(self, rest: str) -> None:
        """Show the slate, and what can be written on it; or, with `rest`, write what that says."""

    def invite(self) -> None:
        """Show how others get to the player's table."""

    def clear_strangers(self, strangers: Sequence[bytes], rest: str) -> None:
        """Ban the seats `strangers` if `rest` confirms it; otherwise ask."""

    def moderate(self, rest: str) -> None:
        """Offer measures against others; or take the one that `rest` names."""

    def examine(self) -> None:
        """Examine the network, and show the findings."""

    def choose_options(self) -> None:
        """Let the player choose options."""

    def help(self) -> None:
        """Show what can be done now."""

    def leave(self) -> None:
        """Leave, after asking once if the others would miss this player."""
