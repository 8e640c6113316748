"""Commands at a real terminal: what is shown while they take long, and how Ctrl-C ends them."""

import contextlib
import os
import re
import sys
import threading
import time
from pathlib import Path

import pytest

from tests.helpers.pty import Terminal
from tests.spoof_tui.runtime.engines import engine

SPOOF = [sys.executable, "-m", "spoof_tui"]
RIGHT, DOWN, END = "\x1b[C", "\x1b[B", "\x1b[F"


def test_an_arena_tells_how_far_it_is_and_after_ctrl_c_what_was_played() -> None:
    with Terminal([*SPOOF, "arena", "easy", "small", "--games", "9999999", "--jobs", "2"]) as it:
        it.wait("/9999999")
        it.send("\x03")
        it.wait("each player would have 50.0%.")
        assert it.wait_exit() == 130
        assert "Traceback" not in it.text()


def test_ctrl_c_ends_an_arena_while_its_engines_think_and_ends_them(tmp_path: Path) -> None:
    # A line of its own, written as one: the arena's bar erases a line that has not ended yet.
    thinks = "    os.write(2, b'\\nthinking %d;\\n' % os.getpid())\n    time.sleep(999)"
    command = f"engine:{engine(tmp_path, thinks)}"
    with Terminal([*SPOOF, "arena", command, "small", "--time", "600", "--jobs", "2"]) as it:
        it.wait("thinking")
        it.send("\x03")
        it.wait("each player would have 50.0%.")
        assert it.wait_exit() == 130
        assert "Traceback" not in it.text()
        thinkers = re.findall(r"thinking (\d+);", it.text())
    assert thinkers
    # They are killed, and gone once the system has noticed.
    while not all(is_gone(int(each)) for each in thinkers):
        time.sleep(0.01)


def is_gone(pid: int) -> bool:
    """Whether there is no such process any more."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def blank_lines(pipe: Path) -> None:
    """Write blank lines until nobody reads."""
    with contextlib.suppress(OSError), pipe.open("wb", buffering=0) as file:
        while True:
            file.write(b" \n" * 2048)


@pytest.mark.unix("pipes with a name")
def test_a_file_that_takes_long_is_shown_and_ends_at_ctrl_c(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.spoof"
    os.mkfifo(pipe)
    with Terminal([*SPOOF, "check", str(pipe)]) as it:
        # While nobody writes, too.
        it.wait("0/? bytes")
        threading.Thread(target=blank_lines, args=[pipe], daemon=True).start()
        it.wait_gone("0/? bytes")
        it.wait("Ctrl-C stops")
        it.send("\x03")
        assert it.wait_exit() == 130
