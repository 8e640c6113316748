"""The real program with a part of its world held fast; run as `python -m tests.end_to_end.staged`.

    staged.py [--brisk] [--seed N] COMMAND ...

`--brisk` lets bots think for a twentieth of a second. `--seed` draws every secret from a seed and
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


def hurry() -> None:
    """Let bots think for a moment only."""
    from spoof_tui.bots import pacing

    vars(pacing).update(QUICKEST=THOUGHT, SLOWEST=THOUGHT)


def seed(number: int) -> None:
    """Draw all secrets from a seed, and stop the clock that people read."""
    dice = random.Random(number)
    vars(secrets).update(token_bytes=lambda length=32: dice.randbytes(length))
    vars(time).update(time_ns=lambda: WALL)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--brisk", action="store_true")
    parser.add_argument("--seed", type=int)
    given, words = parser.parse_known_args()
    if given.brisk:
        hurry()
    if given.seed is not None:
        seed(given.seed)
    from spoof_tui.__main__ import main as spoof

    return spoof(words)


if __name__ == "__main__":
    sys.exit(main())
