"""`spoof`: the app with its lobby."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spoof_tui import console, system
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from spoof_tui.ui.app import Errand


def main(words: Sequence[str]) -> int:
    """Open the lobby."""
    return show_app(None)


def no_terminal() -> str:
    """What is said where nothing can be drawn."""
    return _(
        "spoof: this needs a terminal to draw on (with ssh: ssh -t). Without one, try: spoof demo"
    )


def show_app(errand: Errand | None, name: str | None = None) -> int:
    """Run the app, doing `errand` first; refuses, in words, where there is no terminal.

    `name` is used for this time only.
    """
    if not system.has_terminal():
        print(no_terminal(), file=sys.stderr)
        return 2
    console.use_utf8()
    from dataclasses import replace

    from spoof_tui.ui.app import SpoofApp, first_settings
    from spoof_tui.ui.terminal import run_app

    settings = first_settings()
    return run_app(SpoofApp(replace(settings, name=name) if name else settings, errand))
