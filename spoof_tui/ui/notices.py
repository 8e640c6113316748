"""Short remarks in a corner of the screen; whatever they quote is text and nothing else."""

from __future__ import annotations

from typing import Any

from textual.app import App


def tell(app: App[Any], sentence: str) -> None:
    """Show a sentence for a few seconds, in the place of those before it; if empty, none."""
    app.clear_notifications()
    if sentence:
        app.notify(sentence, markup=False)
