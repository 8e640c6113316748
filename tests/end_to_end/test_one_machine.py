"""Everybody on one machine: whole games, crashes, terminals that stand still, and no terminal."""

import re
import signal
import stat
import time
from pathlib import Path

import pytest

from tests.end_to_end import markers
from tests.end_to_end.homes import (
    BRISK,
    TABLE,
    Home,
    assert_one_story,
    eventually,
    faults,
)
from tests.end_to_end.machine import Machine
from tests.helpers.player import KeyPlayer, asked, assert_one_winner, play
from tests.helpers.pty import Terminal

STALLED = 4.0
"""Seconds that a terminal stands still: long enough to be called unsteady."""


def put_in(terminal: Terminal, hand: int) -> None:
    terminal.send(str(hand))
    terminal.wait_gone(markers.HAND)


def bid(terminal: Terminal) -> None:
    terminal.send("\r")
    terminal.wait_gone(markers.WORD)


def speaker(*terminals: Terminal) -> Terminal:
    """The player who is asked for a word, once somebody is."""
    eventually(lambda: any(markers.WORD in each.text() for each in terminals), "somebody's turn")
    return next(each for each in terminals if markers.WORD in each.text())


# Whole games


def test_a_game_with_bots_that_find_the_table_by_its_name(machine: Machine) -> None:
    ben = machine.home("Ben")
    guest = machine.start(ben, "join", TABLE, "--code", machine.code)
    guest.wait(markers.READY)
    words = ["bot", TABLE, "--count", "2", "--code", machine.code]
    bots = machine.home("Bots").spawn(*words, program=BRISK)
    try:
        machine.host.wait(markers.taken(4))
        play(KeyPlayer(machine.host, 5), KeyPlayer(guest, 6))
        assert_one_winner(machine.host, guest)
        assert_one_story(machine.anna, ben)
        machine.host.send("q")
        machine.host.wait(markers.LEAVE)
        machine.host.send("\x1b[D")
        machine.host.wait(markers.CLOSES)
        machine.host.send("q")
        machine.host.wait(markers.LOBBY)
        guest.wait(markers.CLOSED)
        assert bots.wait(10) == 0
    finally:
        bots.kill()
        bots.communicate()


@pytest.mark.parametrize(
    ("rules", "told_of_it", "is_saved"),
    [
        ("milan", r"Game 1: .+ has won\.", True),
        ("hollywood", r"School 1: .+ has the honour of paying\.", False),
    ],
    ids=["saved", "not-saved"],
)
def test_a_table_and_bots_without_a_screen_by_rules_of_either_game(
    state: Path, rules: str, told_of_it: str, is_saved: bool
) -> None:
    inn, bots = Home.make(state, "Inn"), Home.make(state, "Bots")
    if not is_saved:
        (inn.path / "games").touch()
    with inn.headless("--games", "1", "--start-when", "3", "--rules", rules) as table:
        words = ["bot", table.address, "--count", "3", "--code", table.code]
        players = bots.spawn(*words, program=BRISK)
        try:
            assert players.wait(60) == 0
            assert table.process.wait(10) == 0
            told = table.told()
            assert re.search(told_of_it, told)
            assert ("Game saved: " if is_saved else "Not saved on this computer: ") in told
        finally:
            players.kill()
            players.communicate()
    if is_saved:
        assert_one_story(inn)


# The join code


# Connections and terminals that break


def test_a_killed_guest_comes_back_with_its_own_hand(machine: Machine) -> None:
    ben = machine.home("Ben")
    guest = machine.join(ben)
    machine.deal(guest)
    put_in(guest, 3)
    guest.kill(signal.SIGKILL)
    machine.host.wait(markers.AWAY)
    guest.wait_exit()
    back = machine.start(ben, "join", f"127.0.0.1:{machine.port}")
    back.wait("Your fist is in")
    machine.host.wait_gone(markers.AWAY)
    # The rest of that frame may still be on its way to the terminal.
    back.wait_gone(markers.HAND)
    back.send(" ")
    back.wait_until(lambda terminal: markers.is_peeking(terminal.text()))
    back.wait_until(lambda terminal: not markers.is_peeking(terminal.text()))
    put_in(machine.host, 0)
    play(KeyPlayer(machine.host, 9), KeyPlayer(back, 10))
    assert_one_story(machine.anna, ben)
    assert ben.first_hands() == {"Anna": 0, "Ben": 3}
    for path in [*ben.secrets(), *ben.logs(), *ben.path.glob("identities/*.key")]:
        assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_terminal_that_stands_still_does_not_stop_its_table(machine: Machine) -> None:
    ben, cleo = machine.home("Ben"), machine.home("Cleo")
    guests = [machine.join(ben), machine.join(cleo)]
    machine.deal(*guests)
    for hand, terminal in enumerate([machine.host, *guests]):
        put_in(terminal, hand)
    while (now := speaker(machine.host, *guests)) is not machine.host:
        bid(now)
    bid(machine.host)
    machine.host.freeze()
    since = time.monotonic()
    mark = machine.host.mark()
    # Two turns of others, and the host's own fist opens without its painter.
    bid(speaker(*guests))
    assert KeyPlayer(speaker(*guests), 0).end_by("c")
    for guest in guests:
        guest.wait_until(lambda shown: markers.is_judged(shown.text()))
        # What ends the verdict is the next hand, too.
        put_in(guest, 0)
    while time.monotonic() < since + STALLED:
        for guest in guests:
            guest.settle(0.2)
            assert markers.AWAY not in guest.text()
            assert markers.UNSTEADY not in guest.text()
    assert machine.host.mark() == mark
    # It still waits for a reader: the painter did stand still.
    assert machine.host.is_full()
    machine.host.unstall()
    machine.host.wait_until(lambda shown: asked(shown) is not None)
    play(*(KeyPlayer(each, seed) for seed, each in enumerate([machine.host, *guests], 11)))
    assert_one_story(machine.anna, ben, cleo)


# Without a screen


def test_without_a_terminal_the_program_names_the_demo_which_prints_a_faultless_record(
    state: Path,
) -> None:
    anna = Home.make(state, "Anna")
    named = anna.run("host")
    assert named.returncode == 2
    assert "spoof demo" in named.stderr
    result = anna.run("demo")
    assert result.returncode == 0, result.stderr
    record = result.stdout[result.stdout.index("[Event") :].rpartition("\n\n")[0]
    assert faults(record) == []
