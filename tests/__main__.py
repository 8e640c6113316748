"""All checks in one command: `python -m tests [--fix] [what pytest takes]`.

Runs the format check, the linter, the strict type check and the tests, and stops at the first
that fails. `--fix` formats and mends what the linter can mend instead of complaining about it.
Every other argument goes on to pytest: `python -m tests -k seals`, `-n 0` for one process.
"""

import contextlib
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["protocol", "spoof_tui", "tests"]

APART = ["tests/end_to_end", "tests/benchmarks"]
"""Tests of whole programs, which load would disturb: they run by themselves, and mostly wait."""

ELSEWHERE = [f"tests/end_to_end/test_{name}.py" for name in ("discovery", "namespaces", "train")]
"""Those of them that have networks of their own, and meet none of the others."""

Command = list[str]
"""A module of Python with its arguments."""

ALONE = ["-n", "0", "--last-failed", "--last-failed-no-failures", "none"]
"""Options that run again, one at a time, what failed."""

SOME_FAILED = 1
"""Exit status of pytest where tests failed."""

NOTHING_CHOSEN = 5
"""Exit status of pytest where `-k` or `-m` leaves no test: the other run may have some."""


def steps(arguments: Sequence[str]) -> list[list[Command]]:
    """The steps in their order, each of commands that run beside each other."""
    fix = "--fix" in arguments
    rest = [argument for argument in arguments if argument != "--fix"]
    layout = ["ruff", "format", *([] if fix else ["--check"]), *PACKAGES]
    lint = ["ruff", "check", *(["--fix"] if fix else []), *PACKAGES]
    return [
        # What the linter mends wants formatting afterwards.
        *(([lint], [layout]) if fix else ([layout], [lint])),
        [["mypy", *(word for package in PACKAGES for word in ("-p", package))]],
        *_tests(rest),
    ]


def _tests(rest: Sequence[str]) -> list[list[Command]]:
    if any((ROOT / argument.partition("::")[0]).exists() for argument in rest):
        return [[["pytest", *rest]]]
    together = ["-n", "2", *(f"--ignore={folder}" for folder in APART)]
    here = [*APART, *(f"--ignore={file}" for file in ELSEWHERE)]
    apart = [
        # Each remembers by itself what failed.
        ["pytest", "-o", f"cache_dir=.pytest_cache/{name}", *chosen, *rest]
        for name, chosen in (("elsewhere", ELSEWHERE), ("here", here))
    ]
    return [[["pytest", *together, *rest]], apart]


def main(arguments: Sequence[str]) -> int:
    """Run the steps; the exit code of the first that fails, or 0.

    Nothing is printed after pytest, so that its summary is the end of the output.
    """
    for step in steps(arguments):
        for command, status in zip(step, run(step), strict=True):
            if status == SOME_FAILED and command[0] == "pytest":
                # A busy machine can make a test of real sockets or terminals late: what fails
                # again, alone, has failed.
                [status] = run([[*command, *ALONE]])
            if status and not (command[0] == "pytest" and status == NOTHING_CHOSEN and arguments):
                return status if status > 0 else 1
    return 0


def run(step: Sequence[Command]) -> list[int]:
    """Say what is run, run it, and return the exit statuses.

    What commands say that run beside each other is printed when they are all done.
    """
    for command in step:
        print(f"$ python -m {shlex.join(command)}", flush=True)
    if len(step) == 1:
        [command] = step
        return [subprocess.run(_argv(command), cwd=ROOT, check=False).returncode]
    with contextlib.ExitStack() as ending:
        said = [ending.enter_context(tempfile.TemporaryFile()) for _ in step]
        running = [
            subprocess.Popen(_argv(command), cwd=ROOT, stdout=file, stderr=subprocess.STDOUT)
            for command, file in zip(step, said, strict=True)
        ]
        statuses = [process.wait() for process in running]
        for file in said:
            file.seek(0)
            print(file.read().decode(errors="replace"), end="", flush=True)
    return statuses


def _argv(command: Command) -> list[str]:
    return [sys.executable, "-m", *command]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
