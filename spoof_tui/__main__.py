"""The command `spoof`: reads the command line and imports only what the command needs."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final, NoReturn

from protocol.version import PROGRAM

COMMANDS: Final = (
    "host", "join", "bot", "demo", "arena", "rules", "replay", "review", "learn", "check", "verify",
    "doctor", "door",
)  # fmt: skip


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; its exit status."""
    from spoof_tui import console

    console.spare_output()
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words and words[0] in COMMANDS:
        return run_command(words[0], words[1:])
    _choose_language()
    _parser().parse_args(words)
    return run_command("play", [])


def run() -> NoReturn:
    """The program: run the command, and end the process with its status."""
    from spoof_tui import system

    system.end_process(main())


def run_command(name: str, words: list[str]) -> int:
    """Import and run one command."""
    _choose_language()
    try:
        return int(import_module(f"spoof_tui.commands.{name}").main(words))
    except BrokenPipeError:
        return 1
    except KeyboardInterrupt:
        return 130


def _choose_language() -> None:
    from spoof_tui.storage import paths
    from spoof_tui.text import i18n

    i18n.begin(paths.chosen_language())


def _summaries() -> dict[str, str]:
    """What every command does."""
    from spoof_tui.text.i18n import _

    return {
        "host": _("open a table (with a screen, or --headless without one)"),
        "join": _("sit down at a table: by its name, by HOST:PORT, or at the only one there is"),
        "bot": _("add bots to a table"),
        "demo": _("no screen: a table and three bots on this computer play a game over TCP"),
        "arena": _("play bots and engines against each other, many games without a network"),
        "rules": _("print a rulebook, or how the rulebooks differ"),
        "replay": _("step through a game record on a table, word by word"),
        "learn": _("a first game, if you have never heard of Spoof"),
        "review": _("go through your words in a game record: what would have been better?"),
        "check": _("check game records (.spoof files) against the rules"),
        "doctor": _("say why a table does not appear, and what to do about it"),
        "door": _("let people in by ssh who have no program of their own"),
        "verify": _("check saved logs (.log files): who played, and whether anybody cheated"),
    }


def _parser() -> argparse.ArgumentParser:
    from spoof_tui.text.i18n import _

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
    parser = argparse.ArgumentParser(prog="spoof", description=f"{about} {lobby}", epilog=more)
    parser.add_argument("--version", action="version", version=f"spoof {PROGRAM}")
    commands = parser.add_subparsers(title=_("commands"), metavar="COMMAND")
    for name, summary in _summaries().items():
        commands.add_parser(name, help=summary)
    return parser


if __name__ == "__main__":
    run()
