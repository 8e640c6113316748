"""The argument `--plain`: before a command, behind it, or not at all."""

import argparse

import pytest

from spoof_tui.commands.plain import add_plain, split_flags


@pytest.mark.parametrize(
    ("words", "meant"), [([], None), (["--plain"], True), (["--no-plain"], False)]
)
def test_nothing_is_said_of_it_by_default(words: list[str], meant: bool | None) -> None:
    parser = argparse.ArgumentParser()
    add_plain(parser)
    assert parser.parse_args(words).plain is meant


def test_such_flags_may_stand_before_a_command() -> None:
    assert split_flags(["--plain", "host", "--plain"]) == (["--plain"], ["host", "--plain"])
    assert split_flags(["--no-plain"]) == (["--no-plain"], [])
    assert split_flags(["host"]) == ([], ["host"])
