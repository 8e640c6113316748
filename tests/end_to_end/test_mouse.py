"""A whole evening by the mouse alone, at the real program: from the lobby to the shell again."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from pyte.screens import wcwidth

from tests.end_to_end.homes import BRISK, Home
from tests.helpers.pty import Terminal

LESS: Final = "◂"
"""Stands before a number that can be changed."""


def click(terminal: Terminal, words: str, row_with: str = "") -> None:
    """Press the left button on these words, the last ones there are, and let it go."""
    terminal.wait(words)
    lines = terminal.lines()
    y = max(row for row, line in enumerate(lines) if words in line and row_with in line)
    before = lines[y][: lines[y].rindex(words)]
    x = sum(wcwidth(letter) for letter in before)
    terminal.send(f"\x1b[<0;{x + 1};{y + 1}M\x1b[<0;{x + 1};{y + 1}m")


def play_on(terminal: Terminal) -> bool:
    """Click on what the program asks for now; returns whether the game goes on."""
    text = terminal.text()
    if "Game over" in text or "GAME OVER" in text:
        return False
    if "YOUR TURN" in text and LESS in text:
        click(terminal, "bid", row_with=LESS)
    elif "YOUR TURN" in text:
        click(terminal, "call", row_with="fewer than" if "fewer than" in text else "press c again")
    elif "press one" in text:
        click(terminal, "1", row_with="press one")
    elif "any key" in text:
        click(terminal, "any key")
    return True


def wait_for_change(terminal: Terminal, shown: str) -> None:
    """Wait until something else is shown."""
    terminal.wait_until(lambda seen: seen.text() != shown)


def test_an_evening_is_played_by_the_mouse_alone(tmp_path: Path) -> None:
    with Terminal(BRISK, 45, 20, Home.make(tmp_path, "Anna").env) as terminal:
        terminal.wait("Play now")
        while "1 bot " not in terminal.text():
            shown = terminal.text()
            click(terminal, "bot")
            wait_for_change(terminal, shown)
        click(terminal, "Play now")
        terminal.wait("press one")
        while play_on(terminal):
            shown = terminal.text()
            wait_for_change(terminal, shown)
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
        click(terminal, "ready", row_with="menu")
        terminal.wait("press one")
        while "Round 1 is over" not in terminal.text() and play_on(terminal):
            shown = terminal.text()
            wait_for_change(terminal, shown)
        click(terminal, "leave")
        terminal.wait("Leave the table?")
        click(terminal, "Enter leave")
        terminal.wait("Play now")
        click(terminal, "quit")
        assert terminal.wait_exit() == 0
