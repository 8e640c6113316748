"""`spoof learn` in a real terminal: from the first key to the lobby."""

import subprocess
import sys

import pytest

from spoof_tui.ui.lesson.script import Invite
from spoof_tui.ui.lesson.steps import script
from tests.helpers.pty import Terminal

SPOOF = [sys.executable, "-m", "spoof_tui"]

TYPED = {"enter": "\r", "space": " "}


def test_without_a_terminal_it_says_so() -> None:
    done = subprocess.run([*SPOOF, "learn"], capture_output=True, text=True, input="")
    assert done.returncode == 2
    assert "this needs a terminal to draw on" in done.stderr and done.stdout == ""


def test_in_plain_lines_the_game_is_told() -> None:
    words = [*SPOOF, "--plain", "learn"]
    done = subprocess.run(words, capture_output=True, text=True, input="quit\n")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Everybody owns three coins")


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_both_lessons_in_a_real_terminal() -> None:
    with Terminal([*SPOOF, "learn"]) as terminal:
        for lesson in (1, 2):
            steps = script(lesson)
            for number, step in enumerate(steps, 1):
                terminal.wait(f"step {number} of {len(steps)}")
                if not isinstance(step.ask, Invite):
                    key = sorted(step.keys)[0]
                    terminal.send(TYPED.get(key, key))
            terminal.send("\r")
        terminal.wait("Tables on this network")
        terminal.send("q")
        assert terminal.wait_exit() == 0
