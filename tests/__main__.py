"""All checks in one command: `python -m tests [--fix] [what pytest takes]`.

Runs the format check, the linter, the strict type check and the tests, and stops at the first
that fails. `--fix` formats and mends what the linter can mend instead of complaining about it.
Every other argument goes on to pytest: `python -m tests -k seals`, `-n 0` for one process.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.helpers.namespaces import why_not

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["protocol", "spoof_tui", "tests"]

WAITING = [
    "tests/attacks/test_stranger.py",
    "tests/benchmarks",
    "tests/end_to_end",
    "tests/helpers/test_warm.py",
    "tests/spoof_tui/commands",
    "tests/spoof_tui/network",
    "tests/spoof_tui/runtime",
    "tests/spoof_tui/ui/test_terminal.py",
]
"""Tables, networks and programs that mostly wait for one another by the clock.

They would meet each other: each process has a network of its own, or there is one process only.
"""

ALONE = ["tests/end_to_end/test_no_leak_painted.py", "tests/end_to_end/test_train.py"]
"""Tests about the time of what happens: nothing else runs meanwhile."""

DOOR = ["spoof_tui/console.py", "spoof_tui/system.py", "spoof_tui/storage/files.py"]
"""Modules that differ from system to system: their types are checked for every system."""

Command = list[str]
"""A module of Python with its arguments."""

NOTHING_CHOSEN = 5
"""Exit status of pytest where `-k` or `-m` leaves no test: another step may have some."""


def steps(arguments: Sequence[str]) -> list[Command]:
    """The commands in their order."""
    fix = "--fix" in arguments
    rest = [argument for argument in arguments if argument != "--fix"]
    layout = ["ruff", "format", *([] if fix else ["--check"]), *PACKAGES]
    lint = ["ruff", "check", *(["--fix"] if fix else []), *PACKAGES]
    return [
        # What the linter mends wants formatting afterwards.
        *((lint, layout) if fix else (layout, lint)),
        ["mypy", *(word for package in PACKAGES for word in ("-p", package))],
        *(["mypy", *_other(system), *DOOR] for system in ("win32", "darwin")),
        *_tests(rest),
    ]


def _other(system: str) -> list[str]:
    # With a cache of its own: the answers are others.
    return ["--platform", system, "--cache-dir", f".mypy_cache/{system}"]


def _tests(rest: Sequence[str]) -> list[Command]:
    if any((ROOT / argument.partition("::")[0]).exists() for argument in rest):
        return [["pytest", *rest]]
    apart = [] if why_not() else ["-n", "3", "--dist", "worksteal", "--own-network"]
    return [
        ["pytest", "-n", "2", "--dist", "worksteal", *_without([*WAITING, *ALONE]), *rest],
        ["pytest", *apart, *WAITING, *_without(ALONE), *rest],
        ["pytest", *ALONE, *rest],
    ]


def _without(paths: Sequence[str]) -> list[str]:
    return [f"--ignore={path}" for path in paths]


def _environment() -> dict[str, str]:
    # What one process has compiled no other one compiles again: each needs ten seconds for it.
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def main(arguments: Sequence[str]) -> int:
    """Run the steps; the exit code of the first that fails, or 0. No test is tried twice.

    Nothing is printed after pytest, so that its summary is the end of the output.
    """
    for command in steps(arguments):
        print(f"$ python -m {shlex.join(command)}", flush=True)
        words = [sys.executable, "-m", *command]
        status = subprocess.run(words, cwd=ROOT, env=_environment(), check=False).returncode
        if status and not (command[0] == "pytest" and status == NOTHING_CHOSEN and arguments):
            return status if status > 0 else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
