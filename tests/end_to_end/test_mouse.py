"""A whole evening by the mouse alone, at the real program: from the lobby to the shell again."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pyte.screens import wcwidth

from tests.end_to_end.homes import BRISK, Home
from tests.helpers.pty import Terminal

LESS: Final = "◂"
"""Stands before a number that can be changed."""


def click(terminal: Terminal, words: str) -> None:
    """Press the left button on these words, the last ones there are, and let it go."""
    terminal.wait_until(lambda _shown: press(terminal, words))


def press(terminal: Terminal, words: str, row_with: str = "") -> bool:
    """The same on a row with other words, too; returns whether there is such a row."""
    lines = terminal.lines()
    rows = [row for row, line in enumerate(lines) if words in line and row_with in line]
    if not rows:
        return False
    before = lines[rows[-1]][: lines[rows[-1]].rindex(words)]
    x, y = sum(wcwidth(letter) for letter in before), rows[-1]
    terminal.send(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")
    return True


def wait_for_change(terminal: Terminal, shown: str) -> None:
    """Wait until something else is shown."""
    terminal.wait_until(lambda seen: seen.text() != shown)


def play_until(terminal: Terminal, *ends: str) -> None:
    """Click on whatever the program asks for until one of these is shown."""
    while not any(end in (text := terminal.text()) for end in ends):
        asked = [("1", "press one"), ("any key", "")]
        if "YOUR TURN" in text:
            asked = [("bid", LESS), ("call", "fewer than"), ("call", "c again")]
        # There may be none of them while half of a picture is painted.
        any(press(terminal, words, row_with) for words, row_with in asked)
        wait_for_change(terminal, text)


def test_an_evening_is_played_by_the_mouse_alone(tmp_path: Path) -> None:
    with Terminal(BRISK, 45, 20, Home.make(tmp_path, "Anna").env) as terminal:
        terminal.wait("Play now")
        while "1 bot " not in (text := terminal.text()):
            press(terminal, "bot")
            wait_for_change(terminal, text)
        click(terminal, "Play now")
        terminal.wait("press one")
        play_until(terminal, "GAME OVER", "Game over")
        click(terminal, "leave")
        terminal.wait("Play now")
        click(terminal, "quit")
        assert terminal.wait_exit() == 0


def test_a_table_is_opened_and_filled_by_the_mouse_alone(tmp_path: Path) -> None:
    with Terminal(BRISK, 45, 20, Home.make(tmp_path, "Anna").env) as terminal:
        terminal.wait("Play now")
        click(terminal, "Open a table")
        terminal.wait("A new table")
        click(terminal, "open the table")
        terminal.wait("Join code")
        click(terminal, "menu")
        terminal.wait("One more bot")
        click(terminal, "One more bot")
        terminal.wait("2 of 9 seats")
        terminal.wait_until(lambda shown: press(shown, "ready", row_with="menu"))
        terminal.wait("press one")
        play_until(terminal, "Round 1 is over")
        click(terminal, "leave")
        terminal.wait("Leave the table?")
        click(terminal, "Enter leave")
        terminal.wait("Play now")
        click(terminal, "quit")
        assert terminal.wait_exit() == 0
