"""The tests that run on Windows, too, by folder."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Mapping, Sequence
from typing import Final

from tests.windows.system import ROOT, Windows

PARTS: Final[Mapping[str, Sequence[str]]] = {
    "protocol": ("tests/protocol",),
    "storage and history": ("tests/spoof_tui/storage", "tests/spoof_tui/history"),
    "network": ("tests/spoof_tui/network",),
    "runtime": ("tests/spoof_tui/runtime",),
    "commands": ("tests/spoof_tui/commands",),
    "plain lines and words": (
        "tests/spoof_tui/plain",
        "tests/spoof_tui/acts",
        "tests/spoof_tui/telling",
        "tests/spoof_tui/text",
    ),
    "system and console": ("tests/spoof_tui/test_system.py", "tests/spoof_tui/test_console.py"),
}
"""Parts of the suite, each with its folders and files.

Not here: what draws, which no system changes; doors, which need Linux or macOS; `end_to_end`, whose
terminals are those of Unix; evenings and fuzzing, which take long and touch no system.
"""

OPTIONS: Final = ("-q", "-p", "no:cacheprovider", "-n", "1", "--tb", "short", "--timeout", "300")


class Failed(Exception):
    """How many tests failed."""


def run(windows: Windows, part: str) -> str:
    """Run a part of the suite on Windows; its last line. Raises `Failed`."""
    with subprocess.Popen(
        windows.command("-m", "pytest", *OPTIONS, *PARTS[part]),
        cwd=ROOT, env=windows.environment(), stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", errors="replace",
    ) as process:  # fmt: skip
        assert process.stdout
        last = ""
        for line in process.stdout:
            if line.startswith(("FAILED", "ERROR", "E   ", "___")):
                print(line, end="", flush=True)
            last = line.strip() or last
    if process.returncode or not re.search(r"\d passed", last):
        raise Failed(last)
    return re.sub(r"^=* ?| in .*$", "", last)
