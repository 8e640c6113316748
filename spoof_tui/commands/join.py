"""`spoof join`: straight to a table, without a look round the lobby."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from spoof_tui.commands import options
from spoof_tui.i18n import _


def main(words: Sequence[str]) -> int:
    """Sit down; the exit status of the app."""
    given = _parser().parse_args(words)
    from spoof_tui.commands.finding import locate

    address = locate(given.table)
    if address is None:
        return 1
    from spoof_tui.app import Errand
    from spoof_tui.commands.play import show_app

    return show_app(Errand(address=address, code=given.code, sits=not given.watch), given.name)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="spoof join", description=_("Sit down at a table."))
    parser.add_argument(
        "table",
        nargs="?",
        metavar="TABLE | HOST:PORT",
        help=_("the table's name or a part of it, or its address (default: the only one there is)"),
    )
    parser.add_argument("--name", type=options.name, help=_("what to be called, this time"))
    parser.add_argument("--code", type=options.code, help=_("the join code on the host's screen"))
    parser.add_argument(
        "--watch", action="store_true", help=_("take no seat: see what everybody may see")
    )
    return parser
