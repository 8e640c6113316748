"""Plain lines against a person at a screen: real processes, from the lobby to a rematch."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.end_to_end import markers
from tests.end_to_end.homes import SWIFT, TABLE, Home, assert_one_story, free_port
from tests.end_to_end.line_reader import PATIENCE, LineReader
from tests.end_to_end.machine import Machine
from tests.helpers import warm
from tests.helpers.player import KeyPlayer, play
from tests.helpers.pty import Terminal


def assert_plain(reader: LineReader) -> None:
    """Only whole lines of text were written: a reader of appended lines misses nothing."""
    text = reader.bytes.decode()
    assert text.endswith("\n")
    assert all(line.isprintable() and line.strip() == line != "" for line in reader.lines)


@pytest.fixture
def readers(state: Path) -> Iterator[Callable[..., LineReader]]:
    with ExitStack() as stack:

        def begin(name: str, *words: str, seed: int = 1) -> LineReader:
            env = dict(os.environ) | Home.make(state, name).env
            reader = LineReader(warm.words([*SWIFT, *words], env), env, seed)
            stack.callback(reader.close)
            return reader

        yield begin


Begin = Callable[..., LineReader]


def test_a_guest_in_plain_lines_plays_somebody_at_a_screen_twice(
    machine: Machine, readers: Begin, state: Path
) -> None:
    ben = readers("Ben", "join", f"127.0.0.1:{machine.port}", "--plain")
    ben.wait("The table asks for its join code")
    ben.type("wrong", machine.code)
    ben.wait("A join code is five letters and digits")
    ben.wait("You are at the table “Snug")
    machine.host.wait(markers.taken(2))
    ben.type("say Good evening!", "ready")
    machine.host.wait("Good evening!")
    play(KeyPlayer(machine.host, 3))
    told = ben.wait(r"^(You win the game|Anna wins)")
    assert markers.winner(machine.host.text()) == ("Ben" if told.startswith("You") else "you")
    assert_one_story(machine.anna, Home(state / "Ben", "Ben"))
    ben.type("ready")
    machine.host.send("r")
    ben.wait("Game 2 begins")
    assert_plain(ben)
    # A guest who leaves in the middle of a game is asked first, and then goes.
    ben.is_playing = False
    ben.type("quit")
    ben.wait("Leave the table")
    ben.type("q")
    ben.wait("You are in the lobby")
    ben.type("q")
    assert ben.end() == 0
    assert ben.lines[-1] == "Goodbye."


def test_a_host_in_plain_lines_hands_the_table_to_somebody_at_a_screen(
    readers: Begin, state: Path
) -> None:
    port = free_port()
    words = ("--plain", "host", "--open", "--table", TABLE, "--port", str(port))
    anna = readers("Anna", *words, seed=4)
    anna.wait("Nobody else is here yet")
    with Home.make(state, "Ben").start("join", f"127.0.0.1:{port}") as ben:
        ben.wait(markers.READY)
        anna.wait("Ben sat down")
        ben.send("r")
        anna.wait("Ben is ready")
        anna.type("ready")
        play(KeyPlayer(ben, 5))
        anna.wait("Game saved: ")
        # Who can host is reported a moment after everybody has sat down.
        until = time.monotonic() + PATIENCE
        while not any("1: The table moves to Ben" in line for line in anna.lines):
            assert time.monotonic() < until
            asked = sum("Leave the table?" in line for line in anna.lines)
            anna.type("quit")
            anna.wait("Leave the table?", asked + 1)
            anna.wait(r"^\d: The table (closes|moves)", asked + 1)
            if not any("1: The table moves to Ben" in line for line in anna.lines):
                anna.type("")
        anna.type("1")
        anna.wait("You are in the lobby")
        ben.wait(markers.MOVED)
        anna.type("quit")
        assert anna.end() == 0
    assert_plain(anna)


def test_the_end_of_the_input_hands_the_table_over(readers: Begin, state: Path) -> None:
    port = free_port()
    anna = readers("Anna", "host", "--open", "--table", TABLE, "--port", str(port), "--plain")
    anna.wait("Nobody else is here yet")
    with Home.make(state, "Ben").start("join", f"127.0.0.1:{port}") as ben:
        ben.wait(markers.READY)
        anna.wait("Ben sat down")
        assert anna.process.stdin
        anna.process.stdin.close()
        assert anna.end() == 0
        assert anna.lines[-1] == "Goodbye."
        ben.wait_until(lambda t: markers.MOVED in t.text() or markers.CLOSED in t.text(), PATIENCE)


# At a terminal


def asked_for_a_hand(home: Home) -> Terminal:
    """A terminal without a cursor, at which a hand is asked for."""
    terminal = home.start("play", env={"TERM": "dumb"})
    terminal.wait_bytes(b"Your hand.")
    terminal.wait_bytes(b"> ")
    return terminal


def after_a_hand(terminal: Terminal) -> tuple[bytes, bytes]:
    """Hide two coins; returns the output until all fists were in, and from there to a prompt."""
    mark = terminal.mark()

    def parts() -> tuple[bytes, bytes, bytes]:
        return terminal.painted_since(mark).partition(b"All fists are in")

    terminal.send("2\n")
    terminal.wait_until(lambda _terminal: b"> " in parts()[2], PATIENCE)
    return parts()[0], parts()[2]


def test_a_terminal_without_a_cursor_gets_lines_and_sees_no_hand(state: Path) -> None:
    with asked_for_a_hand(Home.make(state, "Anna")) as terminal:
        hidden, said = after_a_hand(terminal)
        assert b"2" not in hidden
        while b"Your turn." not in said:
            # Two others may end a round before this player speaks.
            _hidden, said = after_a_hand(terminal)
        assert b"\x1b" not in terminal.output
        assert b"\a" in terminal.output


@pytest.mark.parametrize(
    ("end", "statuses"),
    [
        (lambda terminal: terminal.send("\x04"), {0}),
        (lambda terminal: terminal.send("\x03"), {129}),
        (Terminal.hangup, {0, 1, 129}),
    ],
    ids=["ctrl-d", "ctrl-c", "hang up"],
)
def test_an_end_at_the_prompt_ends_the_program(
    end: Callable[[Terminal], None], statuses: set[int], state: Path
) -> None:
    with asked_for_a_hand(Home.make(state, "Anna")) as terminal:
        end(terminal)
        assert terminal.wait_exit(PATIENCE) in statuses
        assert end is Terminal.hangup or terminal.output.endswith(b"Goodbye.\r\n")
