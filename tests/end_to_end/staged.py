"""The real program with a part of its world held fast; run as `python -m tests.end_to_end.staged`.

    staged.py [--swift] [--brisk] COMMAND ...

`--swift` tells counts in a twentieth of their time. `--brisk` does, too, and lets bots think for a
twentieth of a second.
"""

import argparse
import sys

THOUGHT = 0.05


def count_swiftly() -> None:
    """Tell counts in a moment."""
    from spoof_tui import beats

    for name, seconds in vars(beats).items():
        if isinstance(seconds, float):
            vars(beats)[name] = seconds / 20


def hurry() -> None:
    """Let bots think for a moment only."""
    from spoof_tui.bots import mind

    vars(mind).update(QUICKEST=THOUGHT, SLOWEST=THOUGHT)


def keep_doors_staged(options: list[str]) -> None:
    """Have the programs behind a door of this one run with the same options."""
    from spoof_tui.commands import door as command
    from spoof_tui.door import program
    from tests.helpers import warm

    staged = (*warm.launching("tests.end_to_end.staged"), *options)
    vars(program).update(PROGRAM=(*staged, "door", "--attached"))
    vars(command).update(VISIT=(*staged, "visit"))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--swift", action="store_true")
    parser.add_argument("--brisk", action="store_true")
    given, words = parser.parse_known_args()
    if given.swift or given.brisk:
        count_swiftly()
    if given.brisk:
        hurry()
    if words[:1] == ["visit"]:
        from spoof_tui.commands.visit import main as visit

        return visit(words[1:])
    if "--ssh" in words or words[:1] == ["door"]:
        keep_doors_staged(sys.argv[1 : len(sys.argv) - len(words)])
    from spoof_tui.__main__ import main as spoof

    return spoof(words)


if __name__ == "__main__":
    from spoof_tui.system import end_process

    end_process(main())
