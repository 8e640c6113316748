"""All checks in one command: `python -m tests [--fix] [what pytest takes]`.

Runs the format check, the linter, the strict type check and the tests, and stops at the first
that fails; the first tests run beside what runs no program. `--fix` formats and mends what the
linter can mend instead of complaining about it.
Every other argument goes on to pytest: `python -m tests -k seals`, `-n 0` for one process.
"""

import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
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

TIMED = ["tests/end_to_end/test_lossy_train.py", "tests/end_to_end/test_train.py"]
"""Tests about the time of what happens: they mostly wait, and little else runs meanwhile."""

PAINTED = ["tests/end_to_end/test_no_leak_painted.py"]
"""The same, and all look at the same two games: one process plays them."""

DOOR = ["spoof_tui/console.py", "spoof_tui/system.py", "spoof_tui/storage/files.py"]
"""Modules that differ from system to system: their types are checked for every system."""

Command = list[str]
"""A module of Python with its arguments."""

NOTHING_CHOSEN = 5
"""Exit status of pytest where `-k` or `-m` leaves no test: another step may have some."""


def steps(arguments: Sequence[str]) -> list[list[Command]]:
    """The commands in their order; those of one step run side by side."""
    fix = "--fix" in arguments
    rest = [argument for argument in arguments if argument != "--fix"]
    layout = ["ruff", "format", *([] if fix else ["--check"]), *PACKAGES]
    lint = ["ruff", "check", *(["--fix"] if fix else []), *PACKAGES]
    types = [
        ["mypy", *(word for package in PACKAGES for word in ("-p", package))],
        *(["mypy", *_other(system), *DOOR] for system in ("win32", "darwin")),
    ]
    first, *others = _tests(rest)
    # What the linter mends wants formatting afterwards.
    mended = [[lint], [layout]] if fix else []
    seen = [] if fix else [layout, lint]
    return [*mended, [*seen, *types, *first], *others]


def _other(system: str) -> list[str]:
    # With a cache of its own: the answers are others.
    return ["--platform", system, "--cache-dir", f".mypy_cache/{system}"]


def _tests(rest: Sequence[str]) -> list[list[Command]]:
    if any((ROOT / argument.partition("::")[0]).exists() for argument in rest):
        return [[["pytest", *rest]]]
    alone = [*TIMED, *PAINTED]
    timed = [["pytest", *_apart(1), *PAINTED, *rest], ["pytest", *_apart(3), *TIMED, *rest]]
    return [
        [["pytest", *_shared(3), *_without([*WAITING, *alone]), *rest]],
        [["pytest", *_apart(6), *WAITING, *_without(alone), *rest]],
        *([[each] for each in timed] if why_not() else [timed]),
    ]


def _shared(count: int) -> list[str]:
    """So many processes, of which each takes what is left of the others."""
    return ["-n", str(count), "--dist", "worksteal"]


def _apart(count: int) -> list[str]:
    """The same, which do not meet each other; one where there cannot be several."""
    return [] if why_not() else [*_shared(count), "--own-network"]


def _without(paths: Sequence[str]) -> list[str]:
    return [f"--ignore={path}" for path in paths]


def main(arguments: Sequence[str]) -> int:
    """Run the steps; the exit code of the first that fails, or 0. No test is tried twice.

    Nothing is printed after pytest, so that its summary is the end of the output.
    """
    for step in steps(arguments):
        if status := _run(step, may_choose=bool(arguments)):
            return status if status > 0 else 1
    return 0


def _run(step: Sequence[Command], *, may_choose: bool) -> int:
    """Run commands side by side, and print what each says in their order.

    Returns the first exit code that is not 0; the commands after that one are ended unheard.
    With `may_choose` no test may be left of those of one command.
    """
    with ExitStack() as stack:
        running = [_start(command, stack, is_alone=len(step) == 1) for command in step]
        for command, process in zip(step, running, strict=True):
            print(f"$ python -m {shlex.join(command)}", flush=True)
            for line in process.stdout or ():
                print(line, end="", flush=True)
            status = process.wait()
            if status and not (may_choose and command[0] == "pytest" and status == NOTHING_CHOSEN):
                return status
    return 0


def _start(command: Command, stack: ExitStack, *, is_alone: bool) -> "subprocess.Popen[str]":
    """Start a command that ends with `stack`; what it says can be read, unless it is alone."""
    output, errors = (None, None) if is_alone else (subprocess.PIPE, subprocess.STDOUT)
    argv = [sys.executable, "-m", *command]
    # What one process has compiled no other one compiles again: each needs ten seconds for it.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = stack.enter_context(
        subprocess.Popen(argv, cwd=ROOT, env=env, stdout=output, stderr=errors, text=True)
    )
    stack.callback(process.terminate)
    return process


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
