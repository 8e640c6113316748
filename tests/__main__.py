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

BESIDE = {
    # Tables, networks and commands that wait for one another by the clock.
    "waiting": [
        "tests/attacks/test_stranger.py",
        "tests/spoof_tui/commands",
        "tests/spoof_tui/network",
        "tests/spoof_tui/runtime",
        "tests/spoof_tui/ui/test_terminal.py",
    ],
    # On this machine's own network, where they would meet each other: one at a time.
    "here": ["tests/end_to_end", "tests/benchmarks"],
    # In networks of their own, where they meet nobody.
    "elsewhere": [
        "tests/end_to_end/test_discovery.py",
        "tests/end_to_end/test_namespaces.py",
        "tests/spoof_tui/network/test_networks.py",
    ],
}
"""Tests that mostly wait: three groups, one beside the other."""

ALONE = ["tests/end_to_end/test_no_leak_painted.py", "tests/end_to_end/test_train.py"]
"""Tests about the time of what happens: nothing else runs meanwhile."""

DOOR = ["spoof_tui/console.py", "spoof_tui/system.py", "spoof_tui/storage/files.py"]
"""Modules that differ from system to system: their types are checked for every system."""

Command = list[str]
"""A module of Python with its arguments."""

NOTHING_CHOSEN = 5
"""Exit status of pytest where `-k` or `-m` leaves no test: another step may have some."""


def steps(arguments: Sequence[str]) -> list[list[Command]]:
    """The steps in their order, each of commands that run beside each other."""
    fix = "--fix" in arguments
    rest = [argument for argument in arguments if argument != "--fix"]
    layout = ["ruff", "format", *([] if fix else ["--check"]), *PACKAGES]
    lint = ["ruff", "check", *(["--fix"] if fix else []), *PACKAGES]
    return [
        # What the linter mends wants formatting afterwards.
        *(([lint], [layout]) if fix else ([layout], [lint])),
        [
            ["mypy", *(word for package in PACKAGES for word in ("-p", package))],
            *(["mypy", *_other(system), *DOOR] for system in ("win32", "darwin")),
        ],
        *_tests(rest),
    ]


def _other(system: str) -> list[str]:
    # With a cache of its own: the answers are others.
    return ["--platform", system, "--cache-dir", f".mypy_cache/{system}"]


def _tests(rest: Sequence[str]) -> list[list[Command]]:
    if any((ROOT / argument.partition("::")[0]).exists() for argument in rest):
        return [[["pytest", *rest]]]
    waiting, here, elsewhere = BESIDE.values()
    return [
        [["pytest", "-n", "2", *_without([*waiting, *here, *elsewhere]), *rest]],
        [
            # Several at once would spoil each other's cache.
            _cached("waiting", [*waiting, *_without(elsewhere), *rest]),
            _cached("here", [*here, *_without([*elsewhere, *ALONE]), *rest]),
            _cached("elsewhere", [*elsewhere, *rest]),
        ],
        [["pytest", "-n", "0", *ALONE, *rest]],
    ]


def _without(paths: Sequence[str]) -> list[str]:
    return [f"--ignore={path}" for path in paths]


def _cached(name: str, words: Sequence[str]) -> Command:
    return ["pytest", "-o", f"cache_dir=.pytest_cache/{name}", *words]


def main(arguments: Sequence[str]) -> int:
    """Run the steps; the exit code of the first that fails, or 0. No test is tried twice.

    Nothing is printed after pytest, so that its summary is the end of the output.
    """
    for step in steps(arguments):
        for command, status in zip(step, run(step), strict=True):
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
