"""People who come to a table by ssh, with a real OpenSSH client and nothing else."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.end_to_end import markers
from tests.end_to_end.callers import CODE, COMEBACK, OFFICE, PHONE, Door
from tests.end_to_end.homes import assert_one_story
from tests.helpers.namespaces import Bridge, why_not
from tests.helpers.player import KeyPlayer, play
from tests.helpers.pty import Terminal

LOBBY = "Learn by playing"
RIM = "▄▄▄"
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
    assert all(door.host.text().count(f"{name} @") == 1 for name in ("Ben", "Cleo", "Dan"))
    play(*(KeyPlayer(each, seed) for seed, each in enumerate(everybody, 3)), timeout=100)
    assert len({markers.winner(each.text()) for each in everybody}) == 1
    assert_one_story(door.anna, *door.homes())
    (log,) = door.anna.path.glob("games/*.log")
    verdict = door.anna.run("verify", str(log))
    assert verdict.returncode == 0
    assert verdict.stdout.count("came by ssh") == 3


def test_a_line_that_is_cut_costs_nothing(door: Door) -> None:
    key = door.key("ben")
    ben = door.sit("Ben", key)
    deal(door.host, ben)
    ben.send("3")
    ben.wait_gone(markers.HAND)
    ben.kill(signal.SIGKILL)
    door.host.wait_until(lambda shown: markers.is_away(shown.text()))
    door.nobody_is_left()
    again = door.call("somebody", key)
    again.wait("Ben @")
    again.send(" ")
    again.wait_until(lambda shown: markers.is_peeking(shown.text()))
    door.host.wait_until(lambda shown: not markers.is_away(shown.text()))
    assert "Ben @" in door.host.text()


def test_a_guest_without_a_key_comes_back_by_their_word(door: Door) -> None:
    cleo = door.sit("Cleo", size=PHONE)
    word = markers.word(cleo.text())
    deal(door.host, cleo)
    cleo.send("3")
    cleo.wait_gone(markers.HAND)
    cleo.kill(signal.SIGKILL)
    door.nobody_is_left()
    again = door.call("Cleo")
    again.wait(COMEBACK)
    again.send(f"{word.lower()}\r")
    again.wait("Cleo @")
    again.send(" ")
    again.wait_until(lambda shown: markers.is_peeking(shown.text()))
    # The word holds for the next time, too; and whoever has another name is not asked for one.
    newest = door.call("Cleo", BindAddress="127.0.0.5")
    newest.wait(COMEBACK)
    newest.send(f"{word}\r")
    newest.wait(HELD)
    assert "another window of yours" in newest.text()
    door.call("Dora").wait(CODE)


def test_a_client_that_stands_still_is_left_behind_by_a_new_one(door: Door) -> None:
    key = door.key("ben")
    old = door.sit("Ben", key)
    old.kill(signal.SIGSTOP)
    new = door.call("Ben", key)
    new.wait(HELD)
    new.send("\r")
    new.wait_gone(HELD)
    new.wait("Ben @")


def test_a_host_that_closes_the_door_ends_what_is_behind_it(door: Door) -> None:
    ben = door.sit("Ben")
    door.host.send("a")
    door.host.wait("Press a again")
    door.host.send("a")
    ben.wait_exit()
    door.nobody_is_left()
    door.host.wait_gone("Without Spoof, by ssh")


def test_visitors_go_when_the_host_is_gone(door: Door) -> None:
    ben = door.sit("Ben")
    door.host.kill(signal.SIGKILL)
    ben.wait_exit()
    door.nobody_is_left()


def test_a_window_is_followed(door: Door) -> None:
    ben = door.sit("Ben")
    ben.wait(RIM)
    ben.resize(*PHONE)
    ben.wait_until(lambda shown: RIM not in shown.text() and "Ben @" in shown.text())


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


def test_who_leaves_is_back_in_their_own_shell(door: Door) -> None:
    ben = door.call("Ben")
    ben.wait(CODE)
    ben.send("\x1b")
    ben.wait(LOBBY)
    ben.send("q")
    assert ben.wait_exit() == 0
    assert b"\x1b[?1049l" in ben.output
    door.nobody_is_left()


def test_the_language_of_the_client_is_spoken(door: Door) -> None:
    olha = door.call("Olha", env={"LANG": "uk_UA.UTF-8"}, SendEnv="LANG LC_*")
    olha.wait("лише вперше")


@pytest.mark.parametrize(
    "algorithms",
    [
        {"KexAlgorithms": "diffie-hellman-group14-sha256", "Ciphers": "aes128-ctr"},
        {"KexAlgorithms": "ecdh-sha2-nistp256", "Ciphers": "aes256-gcm@openssh.com"},
        {"KexAlgorithms": "curve25519-sha256", "Ciphers": "chacha20-poly1305@openssh.com"},
    ],
)
def test_old_and_new_clients_come_in(door: Door, algorithms: dict[str, str]) -> None:
    door.call("Ben", None, OFFICE, None, **algorithms).wait(CODE)
