"""Programs started by a test run hear signals that the run itself was told to ignore."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")

CHILD = "import signal; print([signal.getsignal(n) is signal.SIG_IGN for n in (1, 2, 15)])"

PARENT = """
import os, signal, subprocess, sys
from tests.helpers.signals import let_children_hear
if sys.argv[1] == "heard":
    let_children_hear()
subprocess.run([sys.executable, "-c", sys.argv[2]], check=True)
os.kill(os.getpid(), signal.SIGHUP)
print("alive")
"""


def run(word: str) -> list[str]:
    """What a child of a run says that was started with signals ignored, and then the run."""
    ignoring = 'trap "" HUP INT TERM; exec "$0" "$@"'
    command = ["sh", "-c", ignoring, sys.executable, "-c", PARENT, word, CHILD]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=30)
    return done.stdout.splitlines()


def test_a_child_hears_what_its_parent_was_told_to_ignore() -> None:
    assert run("heard") == ["[False, False, False]", "alive"]


def test_without_that_it_hears_nothing() -> None:
    assert run("as it is") == ["[True, True, True]", "alive"]
