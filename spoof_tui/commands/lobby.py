"""`spoof` without a command: opens the lobby."""

from __future__ import annotations

from collections.abc import Sequence

from spoof_tui.commands.options import add_plain
from spoof_tui.commands.printing import Parser


def main(words: Sequence[str]) -> int:
    """Open the lobby; return the exit status."""
    parser = Parser(prog="spoof")
    add_plain(parser)
    given = parser.parse_args(words)
    from spoof_tui.commands.play import show_app

    return show_app(None, is_plain=given.plain)
