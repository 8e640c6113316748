"""`spoof learn`: a first game for somebody who has never heard of Spoof."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from spoof_tui.commands.options import add_plain
from spoof_tui.commands.play import show_app
from spoof_tui.commands.printing import Parser
from spoof_tui.text.i18n import _


def main(words: Sequence[str]) -> int:
    """Open the interface with the lesson on top of the lobby; return the exit status."""
    given = parser().parse_args(words)
    from spoof_tui.runtime.launch import Launch

    return show_app(Launch(lesson=True), is_plain=given.plain)


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof learn`."""
    parser = Parser(
        prog="spoof learn",
        description=_(
            "Your first game: three lessons of a few minutes each, against players who follow a "
            "script. You need nobody else, and no network."
        ),
    )
    add_plain(parser)
    return parser
