"""What screens may ask of the app that they belong to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from textual.app import App

if TYPE_CHECKING:
    from textual.screen import Screen

    from protocol.rules.options import Rules
    from protocol.views import TableView
    from spoof_tui.network.addresses import Address
    from spoof_tui.network.diagnosis.findings import Finding
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.runtime.launch import Launch
    from spoof_tui.storage.settings import Settings


class SpoofActions(Protocol):
    """The app, as its screens know it."""

    settings: Settings
    client: TableClient | None
    """The seat at the table on show; None in the lobby."""
    not_kept: str
    """Why nothing is kept on this computer, or who else can read it; empty if all is well."""

    def begin(self, launch: Launch) -> None:
        """Go to a table, or to the lesson."""

    def leave_table(self, heir: bytes | None = None) -> None:
        """Go back to the lobby; the player's table is left to `heir`."""

    def practise(self, screen: Screen[Any], rules: Rules) -> None:
        """Play a practice game by these rules, while the seat at a silent table waits."""

    def seat_of(self, screen: Screen[Any]) -> TableClient | None:
        """The seat that a screen shows; None once it is given up."""

    def call_back(self, screen: Screen[Any], view: TableView) -> None:
        """The table of this screen is heard again: tell somebody who practises meanwhile."""

    def keep(self, **chosen: Any) -> str | None:
        """Change settings from now on; what is wrong if they could not be saved."""

    def speak(self, language: str) -> str | None:
        """Use another language from now on; what is wrong if it could not be saved."""

    def choose_options(self) -> None:
        """Show the options."""

    def look_at(self, address: Address) -> None:
        """Look for a table at this address, too."""

    def examine(
        self,
        told: Callable[[tuple[Finding, ...], Sequence[Address]], None],
        address: Address | None = None,
    ) -> None:
        """Examine the network, or why an address does not answer; `told` gets what is in the way,
        and where tables answered."""

    def action_examine(self) -> None:
        """Show what is in the way."""

    def action_history(self) -> None:
        """Show the games that were played."""


def actions(app: App[Any]) -> SpoofActions:
    """What the screens of `app` may ask of it."""
    return cast(SpoofActions, app)


def tell(app: App[Any], sentence: str) -> None:
    """Show a sentence for a few seconds, replacing earlier ones; if empty, only remove them."""
    app.clear_notifications()
    if sentence:
        app.notify(sentence, markup=False)
