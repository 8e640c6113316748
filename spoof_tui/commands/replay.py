"""`spoof replay FILE`: shows a recorded game at a table, step by step."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from spoof_tui import console, system
from spoof_tui.commands.printing import FILES, UNREADABLE, Parser, complain, no_terminal, refuse
from spoof_tui.commands.reading import CannotReplay, source
from spoof_tui.text.i18n import _


def main(words: Sequence[str]) -> int:
    """Show the replay; return 2 if there is no terminal, or nothing that can be replayed."""
    name = parser().parse_args(words).file
    try:
        open_file = source(name)
    except CannotReplay as error:
        return refuse(name, error)
    if not system.has_terminal():
        complain(no_terminal(_("Without a terminal, try: spoof review FILE")))
        return UNREADABLE
    console.use_terminal_encoding()
    from spoof_tui.storage.settings import Settings
    from spoof_tui.ui.replay.reader import Recording
    from spoof_tui.ui.replay.screen import ReplayApp
    from spoof_tui.ui.terminal import run_app

    return run_app(ReplayApp(Recording(open_file), Settings.load().theme))


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof replay`."""
    parser = Parser(
        prog="spoof replay",
        description=_(
            "Replay a game record at a table: move by move, round by round, forwards, "
            "backwards or automatically."
        ),
    )
    record = _("a game record (.spoof), or the log of a table (.log)")
    parser.add("file", metavar="FILE", help=record, suggests=FILES)
    return parser
