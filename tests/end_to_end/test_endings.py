"""Programs that end, in whatever way: those who stay play on."""

import re
import signal
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event

import pytest

from tests.end_to_end import markers
from tests.end_to_end.homes import Home, eventually
from tests.end_to_end.machine import Machine
from tests.helpers.pty import Terminal

LIMIT = 30.0
"""Seconds within which a program has ended; it takes less than one on an idle machine."""


def end(terminal: Terminal, way: int | None) -> None:
    """End a program by a signal, or by closing its terminal."""
    if way is None:
        terminal.hangup()
    else:
        terminal.kill(way)
    assert terminal.wait_exit() == 129
    if way is not None:
        # The terminal is as it was: its other screen is gone, and its cursor is there.
        assert b"\x1b[?25h" in terminal.output.rpartition(b"\x1b[?1049l")[2]


@pytest.mark.parametrize("way", [signal.SIGTERM, None])
def test_a_host_that_is_told_to_end_hands_its_table_over(machine: Machine, way: int | None) -> None:
    # Two of three are a majority, however late the vote of the third one comes.
    guests = [machine.join(machine.home(name)) for name in ("Ben", "Cleo")]
    machine.deal(*guests)
    end(machine.host, way)
    for guest in guests:
        guest.wait("now hosts the table.")
        guest.wait(markers.AWAY)


@pytest.mark.parametrize(
    "tries",
    [10, pytest.param(200, marks=[pytest.mark.long, pytest.mark.timeout(1800)])],
)
def test_no_program_is_left_when_its_terminal_closes_around_q(state: Path, tries: int) -> None:
    anna = Home.make(state, "Anna")
    for number in range(tries):
        with closing(anna.start()) as terminal:
            terminal.wait(markers.LOBBY)
            terminal.send("q")
            # Some close while the program still runs, some while it ends, some after that.
            Event().wait(number % 10 * 0.03)
            terminal.hangup()
            assert terminal.wait_exit(LIMIT) in (0, 129, -signal.SIGHUP)


def test_who_comes_back_from_a_shell_sees_the_whole_screen_again(state: Path) -> None:
    with closing(Home.make(state, "Anna").start()) as terminal:
        terminal.wait(markers.LOBBY)
        terminal.kill(signal.SIGTSTP)
        terminal.wait_bytes(b"\x1b[?1049l")
        # A signal to go on that comes before it has stopped would be lost.
        eventually(terminal.is_stopped, "the program to stop")
        back = terminal.mark()
        terminal.kill(signal.SIGCONT)
        terminal.wait_bytes(markers.LOBBY.encode(), since=back)


def test_who_read_that_the_table_is_over_comes_back_to_it_with_one_key(machine: Machine) -> None:
    guest = machine.join(machine.home("Ben"))
    machine.deal(guest)
    machine.host.send("q")
    machine.host.wait(markers.LEAVE)
    if markers.CLOSES not in machine.host.text():  # it is chosen while nobody else could host
        machine.host.send("\x1b[D")
    machine.host.wait(markers.CLOSES)
    machine.host.send("q")
    guest.wait(markers.CLOSED)
    machine.host.wait(markers.LOBBY)
    machine.host.send("q")
    machine.host.wait_exit()
    again = machine.start(machine.anna, "host", "--resume")
    guest.wait("The table is open again")
    guest.send("\r")
    guest.wait(markers.BACK)
    again.wait_gone(markers.AWAY)


def test_a_host_without_a_screen_hands_over_says_so_and_ends_well(state: Path) -> None:
    with ExitStack() as stack:
        inn = Home.make(state, "Inn")
        table = stack.enter_context(inn.headless("--table", "Snug"))
        words = ("join", table.address, "--code", table.code)
        guests = [Home.make(state, name).start(*words) for name in ("Ben", "Cleo")]
        for guest in guests:
            stack.callback(guest.close, signal.SIGKILL)
            guest.wait(markers.taken(2))
        table.process.send_signal(signal.SIGINT)
        assert table.process.wait(30) == 0
        assert re.search(r"the table goes on in \w+’s program", table.told())
        for guest in guests:
            guest.wait(markers.MOVED)
        assert "that table is open already" in inn.run("host", "--resume", "--headless").stderr
        for guest in guests:
            guest.close(signal.SIGKILL)
        left = inn.run("host", "--resume", "--headless")
        assert "'Snug' has another host now, and you have no seat there" in left.stderr
        assert left.returncode == 1 and "spoof join Snug" in left.stderr
