"""`spoof completion SHELL`: prints what makes a shell complete the command line."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from importlib import import_module

from spoof_tui.commands import summaries
from spoof_tui.commands.printing import Parser
from spoof_tui.commands.shells import SHELLS, Command, Option
from spoof_tui.commands.suggesting import suggestions
from spoof_tui.text.i18n import _


def main(words: Sequence[str]) -> int:
    """Print the script."""
    given = parser().parse_args(words)
    print(SHELLS[given.shell](tuple(known_commands())))
    return 0


def parser() -> argparse.ArgumentParser:
    """What can be said behind `spoof completion`."""
    about = _(
        "Print what makes your shell complete the words of a command line. In bash: "
        "source <(spoof completion bash); the same line in ~/.bashrc keeps it."
    )
    parser = Parser(prog="spoof completion", description=about)
    parser.add_argument("shell", choices=tuple(SHELLS), help=_("the shell that you use"))
    return parser


def known_commands() -> Iterator[Command]:
    """The program, and each of its commands, as their parsers have them."""
    yield read_parser("", "", summaries.parser(), values=summaries.COMMANDS)
    for name in summaries.COMMANDS:
        module = import_module(f"spoof_tui.commands.{name}")
        yield read_parser(name, summaries.summaries()[name], module.parser())


def read_parser(
    name: str, help: str, parser: argparse.ArgumentParser, values: Sequence[str] = ()
) -> Command:
    """What can be said behind a command, by its parser."""
    # Private, and the only place where a parser has its arguments.
    actions = [each for each in parser._actions if each.help != argparse.SUPPRESS]
    places = [each for each in actions if not each.option_strings]
    return Command(
        name,
        help,
        tuple(_option(each, parser) for each in actions if each.option_strings),
        tuple(values) or tuple(word for each in places for word in suggestions(each)),
    )


def _option(action: argparse.Action, parser: argparse.ArgumentParser) -> Option:
    # The help may name its default, which only argparse itself can fill in.
    text = parser._get_formatter()._expand_help(action) if action.help else ""
    return Option(tuple(action.option_strings), text, action.nargs != 0, suggestions(action))
