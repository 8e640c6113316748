"""`spoof join`: goes straight to a table, without the lobby."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from protocol.limits import MAX_NAME
from spoof_tui import system
from spoof_tui.commands import options
from spoof_tui.commands.options import add_plain
from spoof_tui.commands.printing import Parser, complain
from spoof_tui.text.i18n import _
from spoof_tui.text.parsing import called

if TYPE_CHECKING:
    from spoof_tui.network.addresses import Address
    from spoof_tui.runtime.saved_tables import SavedTable


def main(words: Sequence[str]) -> int:
    """Open the interface at the table; return its exit status, or 1 if no table is found."""
    given = parser().parse_args(words)
    from spoof_tui.commands.find_table import NotFound, find
    from spoof_tui.commands.play import import_app, show_app
    from spoof_tui.runtime.launch import Launch

    import_app(is_plain=given.plain)
    try:
        address = system.run(find(given.table))
        code = given.invited or given.code
        launch = Launch(address=address, code=code, sits=not given.watch)
    except NotFound as error:
        # Nobody serves it now: a player with a seat there waits for the others, or serves it.
        saved = None if given.watch else _kept(given.table)
        if saved is None:
            complain(error)
            return 1
        launch = Launch(saved=saved)
    return show_app(launch, is_plain=given.plain, name=given.name)


def _kept(named: Address | str | None) -> SavedTable | None:
    """The saved table of this name to which the player can return; None if there is none."""
    from spoof_tui.runtime.saved_tables import continuable
    from spoof_tui.text.safe_text import show

    if not isinstance(named, str):
        return None
    meant = called(named, continuable(), lambda each: show(each.name, MAX_NAME))
    return meant[0] if meant else None


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof join`."""
    parser = Parser(prog="spoof join", description=_("Sit down at a table."))
    options.add_table(parser)
    parser.add_argument(
        "invited", nargs="?", metavar="CODE", type=options.code, help=_("the table’s join code")
    )
    options.add_name(parser)
    options.add_code(parser)
    add_plain(parser)
    parser.add_argument(
        "--watch",
        action="store_true",
        help=_("watch without a seat, and see what everybody may see"),
    )
    return parser
