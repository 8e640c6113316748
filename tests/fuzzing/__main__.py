"""Fuzzing for a night: `python -m tests.fuzzing [TARGET ...] [--minutes N] [--seed N]`.

Every target gets so many minutes. An input that breaks a law is made small and stored under
`tests/fuzzing/kept`, where the ordinary suite tries it again; the exit status is then 1.
"""

from __future__ import annotations

import argparse
import secrets
import sys
import time
from collections.abc import Sequence

from tests.fuzzing.engine import KEPT, Failure, fuzz
from tests.fuzzing.targets import TARGETS


def main(arguments: Sequence[str]) -> int:
    """Fuzz what is named, or all; 1 if anything failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzzing", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="TARGET", help=", ".join(TARGETS))
    parser.add_argument("--minutes", type=float, default=1.0, help="for each target (default: 1)")
    parser.add_argument("--seed", type=int, help="of all mutations (default: another every time)")
    given = parser.parse_args(arguments)
    unknown = set(given.names) - set(TARGETS)
    if unknown:
        parser.error(f"there is no target called {', '.join(sorted(unknown))}")
    seed = secrets.randbelow(2**32) if given.seed is None else given.seed
    failures = [_fuzzed(name, seed, given.minutes * 60) for name in given.names or TARGETS]
    return 1 if any(failures) else 0


def _fuzzed(name: str, seed: int, seconds: float) -> Failure | None:
    """Fuzz one target, tell how far it came, and keep what fails."""
    end = time.monotonic() + seconds
    run = fuzz(TARGETS[name], seed, is_over=lambda: time.monotonic() >= end)
    print(
        f"{name}: seed {seed}, {run.tried} inputs, {len(run.corpus)} kept for what they reach, "
        f"{len(run.reached)} ways through the code",
        flush=True,
    )
    if run.failure is not None:
        path = run.failure.keep(KEPT)
        print(f"{name}: seed {seed} fails with {run.failure.data!r}\n{run.failure.told}{path}")
    return run.failure


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
