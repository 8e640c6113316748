"""`spoof play`: at once against bots; and how every command comes to a screen, or to lines."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from spoof_tui import console, system
from spoof_tui.commands.options import add_plain
from spoof_tui.commands.printing import Parser
from spoof_tui.text.i18n import _

if TYPE_CHECKING:
    from spoof_tui.runtime.errand import Errand
    from spoof_tui.storage.settings import Settings


def main(words: Sequence[str]) -> int:
    """Play against bots; the exit status of the app."""
    given = parser().parse_args(words)
    from spoof_tui.runtime.errand import Errand

    return show_app(Errand(practice=True), is_plain=given.plain)


def parser() -> argparse.ArgumentParser:
    """What can be said behind `spoof play`."""
    parser = Parser(
        prog="spoof play",
        description=_("Play at once against bots on this computer, as you did the last time."),
    )
    add_plain(parser)
    return parser


def no_terminal() -> str:
    """What is said where nothing can be drawn."""
    return _(
        "spoof: this needs a terminal to draw on (with ssh: ssh -t). Without one, try: "
        "spoof --plain, or spoof demo"
    )


def show_app(
    errand: Errand | None, name: str | None = None, *, is_plain: bool | None = None
) -> int:
    """Run the app, doing `errand` first; refuses, in words, where there is no terminal.

    `name` is used for this time only. `is_plain`: in plain lines or not; None as it is usual here.
    """
    from spoof_tui.runtime.errand import first_settings
    from spoof_tui.storage.settings import Settings

    plain = wants_lines(Settings.load()) if is_plain is None else is_plain
    if not plain and not system.has_terminal():
        print(no_terminal(), file=sys.stderr)
        return 2
    if plain:
        from spoof_tui.plain.evening import run_evening

        return run_evening(_called(first_settings(), name), errand)
    console.use_utf8()
    from spoof_tui.ui.app import SpoofApp
    from spoof_tui.ui.terminal import run_app

    return run_app(SpoofApp(_called(first_settings(), name), errand))


def wants_lines(settings: Settings) -> bool:
    """Whether to play in plain lines when nobody has said so now."""
    return settings.plain or system.has_line_terminal()


def _called(settings: Settings, name: str | None) -> Settings:
    return replace(settings, name=name) if name else settings
