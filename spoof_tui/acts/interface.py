"""What the acts of a table ask of the interface that they are done in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.telling.table_state import TableState


class AtTable(Protocol):
    """The interface at a table, as acts see it. `rest` is what was typed after a name."""

    @property
    def facts(self) -> TableState:
        """What is known about the table."""

    @property
    def client(self) -> TableClient:
        """The player's seat."""

    def tell(self, *lines: str) -> None:
        """Say something to the player, replacing what was said before."""

    def confirms(self, question: str) -> bool:
        """Whether the same was asked for a moment ago; if not, ask the question."""

    def is_meant(self, question: str) -> bool:
        """Whether something that everybody will see is intended: if one key does it, ask first."""

    def skip_game(self) -> None:
        """Go to the end of the game at once."""

    def talk(self, rest: str) -> None:
        """Say a line, or start typing one."""

    def gesture(self, rest: str) -> None:
        """Offer the gestures that make sense now, or make one."""

    def practise(self) -> None:
        """Play a practice game by the rules of this table until it is heard again."""

    def explain(self) -> None:
        """Show the rules that apply now, and the way to all of them."""

    def show_rounds(self) -> None:
        """Show the rounds of this game."""

    def send_postcard(self, lines: Sequence[str]) -> None:
        """Hand over the lines about a game that is over, to be pasted elsewhere."""

    def ask_the_coach(self, hand: int) -> None:
        """Show what the coach thinks of every word, given this hand."""

    def show_rules(self) -> None:
        """Show the rules of this table."""

    def show_slate(self, rest: str) -> None:
        """Show the slate, and what can be put on it."""

    def invite(self) -> None:
        """Show how others get to the player's table."""

    def clear_strangers(self, strangers: Sequence[bytes], rest: str) -> None:
        """Ask whether to ban these strangers, or ban them."""

    def moderate(self, rest: str) -> None:
        """Offer measures against others, or take one."""

    def examine(self) -> None:
        """Examine the network."""

    def choose_options(self) -> None:
        """Let the player choose options."""

    def help(self) -> None:
        """Show what can be done now."""

    def leave(self) -> None:
        """Leave, after asking once if the others would miss this player."""
