"""The part of the app that screens use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol, cast

from textual.app import App

if TYPE_CHECKING:
    from textual.screen import Screen

    from protocol.views import TableView
    from spoof_tui.network.addresses import Address
    from spoof_tui.network.diagnosis.findings import Finding
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.runtime.launch import Launch
    from spoof_tui.storage.settings import Settings


class SpoofActions(Protocol):
    """The app, as its screens use it."""

    settings: Settings
    client: TableClient | None
    """The seat at the table on show; None in the lobby."""
    not_kept: str
    """Why nothing is saved on this computer, or who else can read it; empty if all is well."""

    def begin(self, launch: Launch) -> None:
        """Go to the table of `launch`, or to the lesson."""

    def leave_table(self, heir: bytes | None = None) -> None:
        """Return to the lobby; the player's own table goes to `heir`, None closes it."""

    def practise(self, screen: Screen[Any], view: TableView) -> None:
        """Open a practice game by the rules of `view`, the silent table where the seat of `screen`
        waits meanwhile."""

    def seat_of(self, screen: Screen[Any]) -> TableClient | None:
        """The seat at the table that `screen` shows; None once it is given up."""

    def call_back(self, screen: Screen[Any]) -> None:
        """If the table of `screen` waits, tell the player at the practice table whether it is heard
        now."""

    def keep(self, **chosen: Any) -> str | None:
        """Change settings and save them; return why they could not be saved, None if they were."""

    def speak(self, language: str) -> str | None:
        """Use another language and save the choice; return why it could not be saved, None if it
        was."""

    def choose_options(self) -> None:
        """Show the dialog of options."""

    def look_at(self, address: Address) -> None:
        """From now on, look for a table at this address, too."""

    def examine(
        self,
        told: Callable[[tuple[Finding, ...], Sequence[Address]], None],
        address: Address | None = None,
    ) -> None:
        """Start to examine the network, or with `address` why no table answers there.

        `told` is called with the findings, and with the addresses at which tables answered.
        """

    def action_examine(self) -> None:
        """Examine the network, and show the findings."""

    def action_history(self) -> None:
        """Show the history."""


def actions(app: App[Any]) -> SpoofActions:
    """`app` itself, typed as the interface that screens use."""
    return cast(SpoofActions, app)


def tell(app: App[Any], sentence: str) -> None:
    """Show a sentence for a few seconds, replacing earlier ones; if empty, only remove them."""
    app.clear_notifications()
    if sentence:
        app.notify(sentence, markup=False)
