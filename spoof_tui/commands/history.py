"""`spoof history`: lists the games played here, exports them, or passes one to another command."""

from __future__ import annotations

import argparse
import sqlite3
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Final

from spoof_tui.commands import pages
from spoof_tui.commands.options import MAX_GAMES, add_one_of, add_rules, whole
from spoof_tui.commands.printing import UNREADABLE, Parser, complain, print_line, refuse
from spoof_tui.history.export import Format, exported
from spoof_tui.history.queries import Filter, GameResult, ListedGame, games
from spoof_tui.storage import chosen_file, paths
from spoof_tui.storage.paths import RECORD
from spoof_tui.text.i18n import _, ngettext
from spoof_tui.text.system_errors import reason_of
from spoof_tui.ui.history.game_list import NUMBER, game_line, game_lines
from spoof_tui.ui.history.pictures import Ink, Line, right

STANDARD_OUTPUT: Final = "-"
"""The name of a file that means standard output."""

_FEW: Final = 20
"""How many games are listed by default."""


def main(words: Sequence[str]) -> int:
    """Print the list, or do what was asked with its games; return 2 if that is impossible."""
    reader = parser()
    given = reader.parse_args(words)
    if given.act and given.game is None:
        reader.error(_("say which game: its number in the list, such as 1 for the latest"))
    if given.output is not None and given.export is None:
        if given.act or given.rebuild or (format_ := _format_of(given.output)) is None:
            reader.error(_("-o/--output needs --export: spoof, csv or json"))
        given.export = format_
    try:
        found, text = pages.asked(partial(_find, given), anew=given.rebuild)
    except pages.CannotConsult as error:
        return _refused(error)
    if given.game is not None and not found:
        return _refused(_("There is no game with that number."))
    if given.act:
        return _ask_of(found[0], given.act)
    if text is not None:
        return _write(text, given.output, replaces=given.replace)
    if given.rebuild:
        text = ngettext("{count} game in the history.", "{count} games in the history.",
                        len(found))  # fmt: skip
        print_line(text.format(count=len(found)), sys.stdout)
        return 0
    pages.print_page(_list(found, given))
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof history`."""
    parser = Parser(
        prog="spoof history",
        description=_("List past games, newest first."),
    )
    add = parser.add_argument
    add("game", nargs="?", type=whole(1, MAX_GAMES), metavar="NUMBER",
        help=_("one game: its number in the list, 1 for the latest"))  # fmt: skip
    add_rules(parser)
    add("--with", dest="people", default="", metavar="NAME",
        help=_("only games with a player or a table of this name"))  # fmt: skip
    add_one_of(add, "--result", GameResult, GameResult, metavar="RESULT",
               help=_("only games with this result for you: won, lost or watched"))  # fmt: skip
    add("--count", type=whole(1, MAX_GAMES), default=_FEW, metavar="N",
        help=_("how many games are listed (default: {count})").format(count=_FEW))  # fmt: skip
    acts = parser.add_mutually_exclusive_group()
    words = {
        "replay": _("replay this game at a table"),
        "review": _("review your moves in this game"),
        "verify": _("check the log of this game"),
    }
    for name, help in words.items():
        acts.add_argument(f"--{name}", dest="act", action="store_const", const=name, help=help)
    add_one_of(acts.add_argument, "--export", Format, Format, metavar="FORMAT",
               help=_("write the games as spoof (their records), csv or json"))  # fmt: skip
    acts.add_argument("--json", dest="export", action="store_const", const=Format.JSON,
                      help=_("print one JSON document"))  # fmt: skip
    acts.add_argument("--rebuild", action="store_true",
                      help=_("rebuild the index from the records"))  # fmt: skip
    add(
        "-o",
        "--output",
        metavar="FILE",
        help=_("where to write the games (default, or -: print them)"),
    )
    add("--replace", action="store_true", help=_("overwrite an existing file"))
    return parser


def _find(
    given: argparse.Namespace, connection: sqlite3.Connection
) -> tuple[Sequence[ListedGame], str | None]:
    """The selected games, and their exported text, None if no export was asked for.

    Raises `OSError` if a record is gone.
    """
    wanted = Filter(given.rules, given.people, given.result)
    found = wanted.fitting(games(connection))
    if given.game is not None:
        found = found[given.game - 1 : given.game]
    if given.export is None:
        return found, None
    return found, exported(found, given.export, _folder())(connection)


def _format_of(file: str) -> Format | None:
    """The format of an export by the ending of a file's name; None if it is that of no format."""
    formats = {f".{each.value}": each for each in Format}
    return formats.get(Path(file).suffix.casefold())


def _folder() -> Path:
    return paths.games_folder()


def _list(found: Sequence[ListedGame], given: argparse.Namespace) -> list[Line]:
    width = pages.width()
    if given.game is not None:
        # Knows the statements of a table, which a list needs not.
        from spoof_tui.storage.archive import GameLog

        record = _folder() / f"{found[0].stem}{RECORD}"
        files = (record, GameLog.of(record).path)
        paths = [((f"  {path}", Ink.QUIET),) for path in files if path.exists()]
        return [*game_lines(found[0], width), *paths]
    if not found:
        return [((_none(given), Ink.TEXT),)]
    lines: list[Line] = [
        ((right(str(number), NUMBER - 2) + "  ", Ink.QUIET), *game_line(game, width - NUMBER))
        for number, game in enumerate(found[: given.count], 1)
    ]
    if len(found) > given.count:
        more = len(found) - given.count
        text = ngettext("{count} more: --count lists it", "{count} more: --count lists them", more)
        lines.append(((" " * NUMBER + text.format(count=more), Ink.QUIET),))
    return lines


def _none(given: argparse.Namespace) -> str:
    if (given.rules, given.people, given.result) != (None, "", None):
        return _("There is no such game.")
    return _("No games yet. Every game that you finish, or watch to the end, is saved here.")


def _ask_of(game: ListedGame, act: str) -> int:
    """Run the command `act` on the record of a game; return its exit status."""
    path = f"{_folder() / game.stem}{RECORD}"
    return int(import_module(f"spoof_tui.commands.{act}").main([path]))


def _write(text: str, output: str | None, *, replaces: bool) -> int:
    if output in (None, STANDARD_OUTPUT):
        for line in text.splitlines():
            print_line(line, sys.stdout)
        return 0
    try:
        chosen_file.write(chosen_file.named(output, replaces=replaces), text, replaces=replaces)
    except FileExistsError:
        why = _("A file with that name exists. --replace overwrites it.")
        return refuse(output, why)
    except (OSError, ValueError) as error:
        return refuse(output, reason_of(error))
    return 0


def _refused(why: object) -> int:
    complain(why)
    return UNREADABLE
