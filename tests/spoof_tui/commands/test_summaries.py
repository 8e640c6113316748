"""The words of the command line."""

from importlib import import_module

import pytest

from spoof_tui.commands.summaries import COMMANDS, parser, summaries


def test_every_command_has_a_summary() -> None:
    assert set(summaries()) == set(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_says_what_can_be_said_behind_it(name: str) -> None:
    module = import_module(f"spoof_tui.commands.{name}")
    assert module.parser().prog == f"spoof {name}"


def test_the_program_takes_commands() -> None:
    assert all(name in parser().format_help() for name in COMMANDS)
