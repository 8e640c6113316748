"""The real program with a part of its world held fast; run as `python -m tests.end_to_end.staged`.

    staged.py [--swift] [--brisk] [--seed N] COMMAND ...

`--swift` tells counts in a twentieth of their time. `--brisk` does, too, and lets bots think for a
twentieth of a second. `--seed` draws every secret from a seed and
stops the clock of entries, so that the same keys make the same game.
"""

import argparse
import random
import secrets
import sys
import time

THOUGHT = 0.05
WALL = 1_700_000_000_000_000_000
"""Nanoseconds since 1970 of every entry of a seeded game."""


def count_swiftly() -> None:
    """Tell counts in a moment."""
    from spoof_tui import beats

    for name, seconds in vars(beats).items():
        if isinstance(seconds, float):
            vars(beats)[name] = seconds / 20


def hurry() -> None:
    """Let bots think for a moment only."""
    from spoof_tui.bots import pacing

    vars(pacing).update(QUICKEST=THOUGHT, SLOWEST=THOUGHT)


def seed(number: int) -> None:
    """Draw all secrets from a seed, and stop the clock that people read."""
    dice: dict[str, random.Random] = {}

    def token_bytes(length: int = 32) -> bytes:
        # Dice for every purpose: how many probes a host has to challenge is chance.
        purpose = sys._getframe(1).f_code.co_qualname
        return dice.setdefault(purpose, random.Random(f"{number} {purpose}")).randbytes(length)

    vars(secrets).update(token_bytes=token_bytes)
    vars(time).update(time_ns=lambda: WALL)


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
    parser.add_argument("--seed", type=int)
    given, words = parser.parse_known_args()
    if given.swift or given.brisk:
        count_swiftly()
    if given.brisk:
        hurry()
    if given.seed is not None:
        seed(given.seed)
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
