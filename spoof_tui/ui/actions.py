"""The app that screens belong to; importing its class would load all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from textual.app import App

if TYPE_CHECKING:
    from spoof_tui.ui.app import SpoofApp


def actions(app: App[Any]) -> SpoofApp:
    """What the screens of `app` may ask of it."""
    return cast("SpoofApp", app)


def tell(app: App[Any], sentence: str) -> None:
    """Show a sentence for a few seconds, replacing earlier ones; if empty, only remove them."""
    app.clear_notifications()
    if sentence:
        app.notify(sentence, markup=False)
