"""The commands of the command line, with one line on each."""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable
from typing import Any, Final

from spoof_tui.commands.options import add_plain
from spoof_tui.commands.printing import Parser, page_width
from spoof_tui.text.i18n import _


def _groups() -> dict[str, tuple[str, ...]]:
    """The commands, grouped by purpose, in the player's language."""
    return {
        _("to play"): ("play", "learn", "host", "join"),
        _("to look back"): ("history", "stats", "replay", "review"),
        _("to check"): ("check", "verify", "rules"),
        _("when no table appears"): ("doctor", "door"),
        _("for bots"): ("bot", "demo", "arena"),
        _("for help"): ("help", "completion"),
    }


COMMANDS: Final = tuple(name for names in _groups().values() for name in names)


def summaries() -> dict[str, str]:
    """For each command a line on what it does."""
    return {
        "play": _("play now, against bots on this computer"),
        "host": _("open a table (with a screen, or --headless without one)"),
        "join": _(
            "sit down at a table: by its name or HOST:PORT, or without either at the only table "
            "there is"
        ),
        "bot": _("add bots to a table"),
        "demo": _("no screen: a table and three bots on this computer play a game over TCP"),
        "arena": _("play bots and engines against each other, in many games and without a network"),
        "rules": _("print a rulebook, or how the rulebooks differ"),
        "replay": _("replay a game record at a table, move by move"),
        "learn": _("a first game, if you have never heard of Spoof"),
        "review": _("review your moves in a game record: what would have been better?"),
        "history": _("the games that you played: list, filter, replay, export"),
        "stats": _("your statistics in charts, and the standings of an evening"),
        "check": _("check game records (.spoof files) against the rules"),
        "doctor": _("explain why a table does not appear, and what to do about it"),
        "door": _("let in people without Spoof, over ssh"),
        "help": _("read or search the manual: spoof help TOPIC"),
        "completion": _("print a shell completion script"),
        "verify": _("check saved logs (.log files): who played, and whether anybody cheated"),
    }


class _Commands(Parser):
    """A parser whose help lists the commands in groups, which argparse cannot do."""

    def format_help(self) -> str:
        width = page_width(100) - 2
        told, column = summaries(), max(map(len, COMMANDS)) + 4
        lines: list[str] = []
        for title, names in _groups().items():
            lines += ["", f"{title}:"]
            for name in names:
                lines += textwrap.wrap(
                    told[name], width,
                    initial_indent=f"  {name}".ljust(column), subsequent_indent=" " * column,
                )  # fmt: skip
        head, _commands, _rest = super().format_help().partition(f"\n{_('commands')}:\n")
        more = textwrap.fill(self.epilog or "", width)
        return "\n".join([head.rstrip(), *lines, "", more, ""])


def parser(
    of_command: Callable[[str], argparse.ArgumentParser] | None = None,
) -> argparse.ArgumentParser:
    """The parser of `spoof`.

    `of_command` gives the parser of each command; None leaves them out.
    """
    about = _(
        "Spoof: the pub game of hidden coins, rising bids and called bluffs, in terminals on one "
        "network."
    )
    lobby = _(
        "`spoof` alone opens the lobby: it lists the tables on this network, and lets you "
        "open your own or practise against three bots. No server on the internet, no "
        "account. First time? Try `spoof learn`."
    )
    more = _(
        "`spoof COMMAND --help` tells you more about a command. No terminal here? Try `spoof demo`."
    )
    parser = _Commands(prog="spoof", description=f"{about} {lobby}", epilog=more)
    parser.add_argument("-V", "--version", action="store_true", help=_("show the version"))
    add_plain(parser)
    commands = parser.add_subparsers(title=_("commands"), metavar="COMMAND")
    for name, summary in summaries().items():
        parents: list[Any] = [of_command(name)] if of_command else []
        commands.add_parser(name, help=summary, parents=parents, add_help=not parents)
    return parser
