"""People who come to a table by ssh, with a real OpenSSH client and nothing else."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.end_to_end import markers
from tests.end_to_end.callers import CODE, COMEBACK, OFFICE, PHONE, Door
from tests.end_to_end.homes import TABLE, assert_one_story
from tests.helpers.namespaces import Bridge, why_not
from tests.helpers.player import KeyPlayer, assert_one_winner, play
from tests.helpers.pty import Terminal

OBSTACLE = why_not()
HELD = "Your seat is in another window"


@pytest.fixture
def door(state: Path) -> Iterator[Door]:
    with ExitStack() as stack:
        yield Door(state, stack)


def deal(*terminals: Terminal) -> None:
    """Everybody gets ready, and is asked for a hand."""
    for terminal in terminals:
        terminal.send("r")
    for terminal in terminals:
        terminal.wait(markers.HAND)


def test_four_people_of_whom_three_came_by_ssh_play_a_game(door: Door) -> None:
    ben = door.sit("Ben", door.key("ben"))
    cleo = door.sit("Cleo", size=PHONE)
    dan = door.sit("Dan", door.key("dan"))
    everybody = (door.host, ben, cleo, dan)
    door.host.wait(markers.taken(4))
    door.host.wait_until(
        lambda shown: all(shown.text().count(f"{name} @") == 1 for name in ("Ben", "Cleo", "Dan"))
    )
    play(*(KeyPlayer(each, seed) for seed, each in enumerate(everybody, 3)), timeout=100)
    assert_one_winner(*everybody)
    assert_one_story(door.anna, *door.homes())
    (log,) = door.anna.path.glob("games/*.log")
    verdict = door.anna.run("verify", str(log))
    assert verdict.returncode == 0
    assert verdict.stdout.count("came in by ssh or browser") == 3


def cut_with_a_hand(door: Door, visitor: Terminal) -> None:
    """Hide three coins, and lose the line."""
    deal(door.host, visitor)
    visitor.send("3")
    visitor.wait_gone(markers.HAND)
    visitor.kill(signal.SIGKILL)
    door.host.wait_until(lambda shown: markers.is_away(shown.text()))
    door.nobody_is_left()


def assert_back_with_the_hand(door: Door, visitor: Terminal, name: str) -> None:
    visitor.wait(f"{name} @")
    visitor.send(" ")
    visitor.wait_until(lambda shown: markers.is_peeking(shown.text()))
    door.host.wait_until(lambda shown: not markers.is_away(shown.text()))


def test_a_line_that_is_cut_costs_nothing(door: Door) -> None:
    key = door.key("ben")
    cut_with_a_hand(door, door.sit("Ben", key))
    again = door.call("somebody", key)
    assert_back_with_the_hand(door, again, "Ben")
    # A new client replaces one that stands still.
    again.kill(signal.SIGSTOP)
    new = door.call("Ben", key)
    new.wait("Ben @")
    assert HELD not in new.text()


def test_a_guest_without_a_key_comes_back_by_their_word(door: Door) -> None:
    cleo = door.sit("Cleo", size=PHONE)
    word = markers.word(cleo.text())
    cut_with_a_hand(door, cleo)
    again = door.call("Cleo")
    again.wait(COMEBACK)
    again.send(f"{word.lower()}\r")
    assert_back_with_the_hand(door, again, "Cleo")
    # The word holds for the next time, too; and nobody is asked for one under a new name.
    newest = door.call("Cleo", BindAddress="127.0.0.5")
    newest.wait(COMEBACK)
    newest.send(f"{word}\r")
    newest.wait("Cleo @")
    again.wait("in another window now")
    again.wait_exit()
    door.call("Dora").wait(CODE)


def test_visitors_go_when_the_door_is_closed(door: Door) -> None:
    ben = door.sit("Ben")
    door.host.send("m")
    door.host.wait("Close the door")
    door.host.send("\x1b[B\x1b[B\r")  # after a bot and the invitation
    ben.wait_exit()
    door.nobody_is_left()


@pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")
def test_who_comes_through_one_of_two_doors_sits_down_at_the_table_of_the_other(
    state: Path,
) -> None:
    with Bridge(2) as bridge, ExitStack() as stack:
        here, there = bridge.name(1), bridge.name(2)
        own = Door(state, stack, "Anna", "Alpha", here)
        other = Door(state, stack, "Bert", "Beta", there)
        xenia = own.call("Xenia", netns=there, host=bridge.address(1))
        xenia.wait(CODE)
        xenia.send("\x1b")
        xenia.wait("Alpha")
        xenia.wait("Beta")
        xenia.send("\x1b[F\r")
        xenia.wait(CODE)
        xenia.send(f"{other.code}\r")
        xenia.wait(markers.READY)
        other.host.wait("Xenia @")
        assert "Xenia" not in own.host.text()


def test_an_old_client_of_any_size_comes_in_and_goes_back_to_its_shell(door: Door) -> None:
    env = {"LANG": "uk_UA.UTF-8"}
    algorithms = {"KexAlgorithms": "diffie-hellman-group14-sha256", "Ciphers": "aes128-ctr"}
    olha = door.call("Olha", None, OFFICE, env, SendEnv="LANG LC_*", **algorithms)
    olha.wait("Код на екрані")
    olha.send("\x1b")
    olha.wait_gone("Код на екрані")
    painted = olha.mark()
    olha.resize(*PHONE)
    olha.wait_until(lambda shown: shown.mark() > painted)
    olha.wait(TABLE)
    olha.send("q")
    assert olha.wait_exit() == 0
    assert b"\x1b[?1049l" in olha.output
    door.nobody_is_left()
