"""The words of the command line: every command with what it does."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, Final

from protocol.version import PROGRAM
from spoof_tui.commands.options import add_plain
from spoof_tui.commands.printing import Parser
from spoof_tui.text.i18n import _

COMMANDS: Final = (
    "play", "host", "join", "bot", "demo", "arena", "rules", "replay", "review", "learn", "check",
    "verify", "doctor", "door", "history", "stats", "help", "completion",
)  # fmt: skip


def summaries() -> dict[str, str]:
    """What every command does."""
    return {
        "play": _("play now, against bots on this computer"),
        "host": _("open a table (with a screen, or --headless without one)"),
        "join": _("sit down at a table: by its name, by HOST:PORT, or at the only one there is"),
        "bot": _("add bots to a table"),
        "demo": _("no screen: a table and three bots on this computer play a game over TCP"),
        "arena": _("play bots and engines against each other, many games without a network"),
        "rules": _("print a rulebook, or how the rulebooks differ"),
        "replay": _("step through a game record on a table, word by word"),
        "learn": _("a first game, if you have never heard of Spoof"),
        "review": _("go through your words in a game record: what would have been better?"),
        "history": _("the games that you played: list, filter, replay, export"),
        "stats": _("what your games say about you, in charts; the table of an evening"),
        "check": _("check game records (.spoof files) against the rules"),
        "doctor": _("say why a table does not appear, and what to do about it"),
        "door": _("let people in by ssh who have no program of their own"),
        "help": _("what there is to know, by topics: spoof help TOPIC"),
        "completion": _("print what makes your shell complete the words of a command line"),
        "verify": _("check saved logs (.log files): who played, and whether anybody cheated"),
    }


def parser(
    of_command: Callable[[str], argparse.ArgumentParser] | None = None,
) -> argparse.ArgumentParser:
    """What can be said behind `spoof`; behind its commands, too, where their parsers are given."""
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
        "`spoof COMMAND --help` tells you more about each. No terminal here? Try `spoof demo`."
    )
    parser = Parser(prog="spoof", description=f"{about} {lobby}", epilog=more)
    parser.add_argument("--version", action="version", version=f"spoof {PROGRAM}")
    add_plain(parser)
    commands = parser.add_subparsers(title=_("commands"), metavar="COMMAND")
    for name, summary in summaries().items():
        parents: list[Any] = [of_command(name)] if of_command else []
        commands.add_parser(name, help=summary, parents=parents, add_help=not parents)
    return parser
