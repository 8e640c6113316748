"""What a terminal answers to others plays no hand and says no word at the real program."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.end_to_end import markers
from tests.end_to_end.homes import BRISK, Home
from tests.helpers.player import KeyPlayer
from tests.helpers.pty import Terminal
from tests.helpers.reports import ANSWERS, REPORTS, cuts

GAP: Final = 0.3
"""Seconds that a terminal is quiet between two parts of a sequence: longer than Esc is waited for,
and less than anything else."""

CALL: Final = " c call "
"""In a list of words, once there is a bid to call."""

MOUSE: Final = REPORTS[0]


@pytest.fixture
def practice(tmp_path: Path) -> Iterator[Terminal]:
    """A game against two bots, at the first hand."""
    home = Home.make(tmp_path, "Anna")
    with Terminal([*BRISK, "play", "--bots", "2"], 80, 24, home.env) as terminal:
        terminal.wait(markers.HAND)
        terminal.settle()
        yield terminal


def test_no_answer_of_a_terminal_hides_a_hand(practice: Terminal) -> None:
    shown = practice.text()
    for answer in ANSWERS:
        practice.send(answer)
        practice.settle(0.02)
    for first, second in list(cuts(MOUSE))[::4]:
        practice.send(first)
        practice.settle(GAP)
        practice.send(second)
    practice.settle()
    assert practice.text() == shown
    practice.send("1")
    practice.wait_gone(markers.HAND)


def test_no_answer_of_a_terminal_says_a_word(practice: Terminal) -> None:
    KeyPlayer(practice, 5).play(lambda seen: CALL in seen.text())
    practice.settle()
    practice.send("\x1b]10;rgb:cccc/cccc/cccc\x1b\\")
    practice.settle()
    assert markers.REALLY not in practice.text()
    practice.send("c")
    practice.wait(markers.REALLY)
    practice.wait(markers.WORD)
