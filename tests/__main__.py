"""All checks in one command: `python -m tests [--fix] [what pytest takes]`.

Runs the format check, the linter, the strict type check and the tests, and stops at the first
that fails. `--fix` formats and mends what the linter can mend instead of complaining about it.
Every other argument goes on to pytest: `python -m tests -k seals`, `-n 0` for one process.
"""

import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["protocol", "spoof_tui", "tests"]

APART = ["tests/end_to_end", "tests/benchmarks"]
"""Tests of whole programs, which load would disturb: they run by themselves, one at a time."""

ALONE = ["-n", "0", "--last-failed", "--last-failed-no-failures", "none"]
"""Options that run again, one at a time, what failed."""

SOME_FAILED = 1
"""Exit status of pytest where tests failed."""

NOTHING_CHOSEN = 5
"""Exit status of pytest where `-k` or `-m` leaves no test: the other run may have some."""


def steps(arguments: Sequence[str]) -> list[list[str]]:
    """The commands to run in their order, each a module of Python with its arguments."""
    fix = "--fix" in arguments
    rest = [argument for argument in arguments if argument != "--fix"]
    layout = ["ruff", "format", *([] if fix else ["--check"]), *PACKAGES]
    lint = ["ruff", "check", *(["--fix"] if fix else []), *PACKAGES]
    return [
        # What the linter mends wants formatting afterwards.
        *((lint, layout) if fix else (layout, lint)),
        ["mypy", *(word for package in PACKAGES for word in ("-p", package))],
        *_tests(rest),
    ]


def _tests(rest: Sequence[str]) -> list[list[str]]:
    if any((ROOT / argument.partition("::")[0]).exists() for argument in rest):
        return [["pytest", *rest]]
    together = ["-n", "2", *(f"--ignore={folder}" for folder in APART)]
    return [["pytest", *together, *rest], ["pytest", *APART, *rest]]


def main(arguments: Sequence[str]) -> int:
    """Run the steps; the exit code of the first that fails, or 0.

    Nothing is printed after pytest, so that its summary is the end of the output.
    """
    for step in steps(arguments):
        status = run(step)
        if status == SOME_FAILED and step[0] == "pytest":
            # A busy machine can make a test of real sockets or terminals late: what fails
            # again, alone, has failed.
            status = run([*step, *ALONE])
        if status and not (step[0] == "pytest" and status == NOTHING_CHOSEN and arguments):
            return status if status > 0 else 1
    return 0


def run(step: Sequence[str]) -> int:
    """Say what is run, run it, and return its exit status."""
    print(f"$ python -m {shlex.join(step)}", flush=True)
    return subprocess.run([sys.executable, "-m", *step], cwd=ROOT, check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
