"""`spoof completion SHELL`: prints a completion script for a shell."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module

import shtab

from spoof_tui.commands import summaries
from spoof_tui.commands.options import add_one_of
from spoof_tui.commands.printing import FILES, Parser
from spoof_tui.text.i18n import _


def main(words: Sequence[str]) -> int:
    """Print the script. It contains the words to complete, so that no Python runs while typing."""
    given = parser().parse_args(words)
    print(shtab.complete(summaries.parser(_of_command), given.shell))
    return 0


def parser() -> argparse.ArgumentParser:
    """The command line of `spoof completion`."""
    about = _(
        "Print a script that makes your shell complete command lines. In bash: source <(spoof "
        "completion bash); put the same line in ~/.bashrc to have this in every shell."
    )
    parser = Parser(prog="spoof completion", description=about)
    shells = tuple(shtab.SUPPORTED_SHELLS)
    help = _("the shell that you use: {shells}").format(shells=", ".join(shells))
    add_one_of(parser.add_argument, "shell", shells, metavar="SHELL", help=help)
    return parser


def _of_command(name: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = import_module(f"spoof_tui.commands.{name}").parser()
    # Private, but the only place where a parser keeps its arguments.
    for action in parser._actions:
        words = getattr(action, "suggestions", ())
        if words == FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif words:
            action.choices = words
    return parser
