"""What screens may ask of the app that they belong to, without knowing its class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, cast, runtime_checkable

from textual.app import App

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from spoof_tui.network.addresses import Address
    from spoof_tui.network.diagnosis.findings import Finding
    from spoof_tui.runtime.client import TableClient
    from spoof_tui.runtime.errand import Errand
    from spoof_tui.storage.settings import Settings


class Actions(Protocol):
    """The app, as its screens know it."""

    settings: Settings
    client: TableClient | None
    """The player's seat, while at a table."""

    def keep(self, **chosen: Any) -> str | None:
        """Change settings from now on; return a sentence if they could not be saved."""

    def choose_options(self) -> None:
        """Ask for other settings, and use them from then on."""

    def speak(self, language: str) -> str | None:
        """Use another language from now on; return a sentence if that was not saved."""

    def begin(self, errand: Errand) -> None:
        """Go to a table, or start the lesson."""

    def look_at(self, address: Address) -> None:
        """Have the lobby's list ask one more address."""

    def examine(
        self,
        told: Callable[[tuple[Finding, ...], Sequence[Address]], None],
        address: Address | None = None,
    ) -> None:
        """Examine the network, or why an address does not answer, and tell what was found."""

    def action_examine(self) -> None:
        """Show what the network lets through, or why the table being joined does not answer."""

    def action_history(self) -> None:
        """Show the games played here."""

    def leave_table(self, heir: bytes | None = None) -> None:
        """Go back to the lobby, and leave the player's own table to `heir`."""


@runtime_checkable
class Adapting(Protocol):
    """A screen that depends on the settings."""

    def adapt(self) -> None:
        """Apply the current settings, and redraw."""


def actions(app: App[Any]) -> Actions:
    """What the screens of `app` may ask of it."""
    return cast("Actions", app)


def tell(app: App[Any], sentence: str) -> None:
    """Show a sentence for a few seconds, replacing earlier ones; if empty, only remove them."""
    app.clear_notifications()
    if sentence:
        app.notify(sentence, markup=False)
