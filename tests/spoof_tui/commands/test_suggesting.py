"""What a shell can suggest for an argument."""

import argparse

from spoof_tui.commands.suggesting import FILES, suggest, suggestions


def test_choices_are_suggested_and_so_is_what_was_given() -> None:
    parser = argparse.ArgumentParser()
    assert suggestions(parser.add_argument("--a", choices=("x", "y"))) == ("x", "y")
    action = parser.add_argument("b")
    assert suggestions(action) == ()
    suggest(action, [FILES, "z"])
    assert suggestions(action) == (FILES, "z")
