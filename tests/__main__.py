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

WORKERS = ["-n", "2", "--dist", "loadgroup"]
"""Two processes; tests of one group stay in one of them, one after the other."""


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
        ["pytest", *WORKERS, *rest],
    ]


def main(arguments: Sequence[str]) -> int:
    """Run the steps; the exit code of the first that fails, or 0.

    Nothing is printed after pytest, so that its summary is the end of the output.
    """
    for step in steps(arguments):
        print(f"$ python -m {shlex.join(step)}", flush=True)
        status = subprocess.run([sys.executable, "-m", *step], cwd=ROOT, check=False).returncode
        if status:
            return status if status > 0 else 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
