"""All checks in one command: `python -m tests [--fix] [what pytest takes]`.

Runs the format check, the linter, the strict type check and the tests beside each other, and
prints what each says in this order, up to the first that fails. `--fix` formats first, and mends
what the linter can mend. Every other argument goes on to pytest: `python -m tests -k seals`.

Properties and evenings of the simulator get a new seed in every run, which the command of pytest
shows: `--hypothesis-seed=N` repeats it.
"""

import os
import secrets
import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ["protocol", "spoof_tui", "tests"]

DOOR = ["spoof_tui/console.py", "spoof_tui/system.py", "spoof_tui/storage/files.py"]
"""Modules that differ from system to system: their types are checked for every system."""

OTHER_SYSTEMS = ("win32", "darwin")

PROCESSES = 2 * (os.cpu_count() or 1)
"""Processes beyond the number of processors: for half of its time a test needs none."""

Command = list[str]
"""A module of Python with its arguments."""


def checks(arguments: Sequence[str]) -> list[Command]:
    """The checks that run side by side, in the order in which they are reported."""
    # Each system needs a cache of its own: its answers differ.
    others = [["--platform", each, "--cache-dir", f".mypy_cache/{each}"] for each in OTHER_SYSTEMS]
    return [
        ["ruff", "format", "--check", *PACKAGES],
        ["ruff", "check", *PACKAGES],
        ["mypy", *(word for package in PACKAGES for word in ("-p", package))],
        *(["mypy", *other, *DOOR] for other in others),
        _pytest(arguments),
    ]


def _pytest(arguments: Sequence[str]) -> Command:
    seed = f"--hypothesis-seed={secrets.randbelow(1 << 32)}"
    return ["pytest", "-n", str(PROCESSES), "--dist", "worksteal", seed, *arguments]


def main(arguments: Sequence[str]) -> int:
    """Run the checks; the exit code of the first that fails, or 0. No test is tried twice."""
    rest = [argument for argument in arguments if argument != "--fix"]
    if "--fix" in arguments:
        for command in (["check", "--fix"], ["format"]):
            subprocess.run([sys.executable, "-m", "ruff", *command, *PACKAGES], cwd=ROOT)
    with ExitStack() as stack:
        running = [(command, _start(command, stack)) for command in checks(rest)]
        for command, process in running:
            print(f"$ python -m {shlex.join(command)}", flush=True)
            for line in process.stdout or ():
                print(line, end="", flush=True)
            if status := process.wait():
                return status if status > 0 else 1
    return 0


def _start(command: Command, stack: ExitStack) -> "subprocess.Popen[str]":
    """Start a command that ends with `stack`; its output can be read."""
    argv = [sys.executable, "-m", *command]
    # Bytecode that one process has compiled is not compiled by the others: each would need ten
    # seconds.
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    process = stack.enter_context(
        subprocess.Popen(
            argv, cwd=ROOT, env=env, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    )
    stack.callback(process.terminate)
    return process


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
