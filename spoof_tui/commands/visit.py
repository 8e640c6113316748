"""The program that a door runs for one visitor: `python -m spoof_tui.commands.visit`.

It confines itself before it does anything but read its command line. Its state folder is the
visitor's.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Final

from spoof_tui.commands.printing import Parser
from spoof_tui.door.confinement import confine
from spoof_tui.door.prewarmed import WAITS, become_visitors
from spoof_tui.network.addresses import Address
from spoof_tui.storage import quota
from spoof_tui.storage.paths import state_folder

_NEEDED: Final = (
    "spoof_tui.commands.play",
    "spoof_tui.plain.aloud",
    "spoof_tui.runtime.client",
    "spoof_tui.ui.app",
    "spoof_tui.ui.table.screen.screen",
)
"""Modules to import in advance, because together they load everything that takes long."""


def main(words: Sequence[str]) -> int:
    """Confine the program and show the interface; return its exit status."""
    if list(words) == [WAITS]:
        words = _prepared()
    given = _parser().parse_args(words)
    confine(state_folder(), given.table and given.table.port)
    quota.make_room(state_folder())
    from spoof_tui import console, visiting
    from spoof_tui.storage import paths
    from spoof_tui.text import i18n

    console.spare_output()
    i18n.begin(paths.chosen_language())
    _introduce(given.name)
    from spoof_tui.commands import options
    from spoof_tui.commands.play import show_app
    from spoof_tui.runtime.launch import Launch

    if given.table is None:
        return show_app(None)
    code = visiting.code()
    return show_app(Launch(address=given.table, code=options.code(code) if code else None))


def _prepared() -> Sequence[str]:
    """Import what an interface needs, then wait for a visitor; return the visitor's command
    line."""
    from importlib import import_module

    for each in _NEEDED:
        import_module(each)
    return become_visitors()


def _introduce(name: str) -> None:
    """If a visitor has no name yet, save the one that they logged in with; ignores `OSError`."""
    from contextlib import suppress
    from dataclasses import replace

    from spoof_tui.storage.settings import Settings

    settings = Settings.load()
    if name and not settings.name:
        with suppress(OSError):
            replace(settings, name=name).save()


def _parser() -> argparse.ArgumentParser:
    parser = Parser(prog="spoof")
    parser.add_argument("--name", default="")
    parser.add_argument("table", nargs="?", type=Address.parse, metavar="HOST:PORT")
    return parser


if __name__ == "__main__":
    from spoof_tui import system

    system.end_process(main(sys.argv[1:]))
