"""Python in its own process, around which a wall is shut."""

from __future__ import annotations

import subprocess
import sys

import pytest

from spoof_tui.door import sandbox
from tests.helpers.unix import IS_ROOT

needs_landlock = pytest.mark.skipif(sandbox.version() == 0, reason="this system has no Landlock")
needs_filter = pytest.mark.skipif(not sandbox.is_known(), reason="this system filters no calls")
needs_root = pytest.mark.skipif(
    sys.platform != "linux" or not IS_ROOT, reason="only root on Linux becomes somebody else"
)

TRIES = """
def tries(attempt):
    try:
        attempt()
    except OSError as error:
        return error.errno
    return 0
"""


def told(program: str) -> str:
    """The output of a program. It has `tries`, which calls something: 0, or the error's number."""
    words = [sys.executable, "-c", TRIES + program]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout
