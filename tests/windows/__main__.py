"""The program on Windows, tried here by Wine: `python -m tests.windows [--only NAME] [WORD ...]`.

Builds a Python for Windows under a folder for caches, runs there what of the suite is for every
system, then real processes on both systems, and ends with a table. It needs Debian's packages
`wine`, `wine64` and `gcc-mingw-w64-x86-64`, and an index of Python packages; nothing of it says
anything of Windows' own terminals, firewall and rights.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import platformdirs

from tests.windows.smoke import TRIALS
from tests.windows.suite import PARTS, run
from tests.windows.system import Missing, Windows

CACHE: Final = platformdirs.user_cache_path("spoof-windows")


class Row(NamedTuple):
    """What was tried, and what came of it."""

    what: str
    holds: bool
    figure: str
    seconds: float


def main(arguments: Sequence[str]) -> int:
    """Try everything, or what has one of these words in its name; 1 if anything does not hold."""
    parser = argparse.ArgumentParser(prog="python -m tests.windows", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="WORD", help="only what has such a word")
    parser.add_argument("--folder", type=Path, default=CACHE, help="where it is built")
    given = parser.parse_args(arguments)
    windows = Windows(given.folder)
    try:
        windows.build()
    except Missing as missing:
        print(f"First: {missing}", file=sys.stderr)
        return 2
    print(windows.run("-c", "import platform, sys; print(sys.version, platform.platform())"))
    tries: dict[str, Callable[[], str]] = {part: partial(run, windows, part) for part in PARTS}
    tries |= {name: partial(_alone, trial, windows) for name, trial in TRIALS.items()}
    rows = [
        _row(name, attempt)
        for name, attempt in tries.items()
        if not given.names or any(word in name for word in given.names)
    ]
    print("\n| what | holds | | seconds |\n|---|---|---|---:|")
    for row in rows:
        print(f"| {row.what} | {'yes' if row.holds else 'NO'} | {row.figure} | {row.seconds:.0f} |")
    return not all(row.holds for row in rows)


def _alone(trial: Callable[[Windows, Path], str], windows: Windows) -> str:
    with tempfile.TemporaryDirectory() as folder:
        return trial(windows, Path(folder))


def _row(what: str, attempt: Callable[[], str]) -> Row:
    print(f"{what} ...", flush=True)
    began = time.monotonic()
    try:
        holds, figure = True, attempt()
    except Exception as error:
        traceback.print_exc()
        holds, figure = False, str(error).partition("\n")[0][:60].replace("|", "/")
    return Row(what, holds, figure, time.monotonic() - began)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
