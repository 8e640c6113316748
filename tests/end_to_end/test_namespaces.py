"""Separate machines on one network: a whole game, and a cable that is pulled."""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.end_to_end import markers
from tests.end_to_end.homes import BRISK, Home, assert_one_story
from tests.helpers.namespaces import Bridge, why_not
from tests.helpers.player import KeyPlayer, assert_one_winner, play
from tests.helpers.pty import Terminal

OBSTACLE = why_not()

pytestmark = pytest.mark.skipif(OBSTACLE is not None, reason=OBSTACLE or "")

HOST, GUEST, BOTS = 1, 2, 3


@dataclass
class Pub:
    """Three machines: one hosts, one looks for a table, one has bots."""

    bridge: Bridge
    stack: ExitStack
    anna: Home
    ben: Home

    def start(self, home: Home, machine: int, *words: str) -> Terminal:
        """The real program on a machine."""
        terminal = home.start(*words, netns=self.bridge.name(machine))
        return self.stack.enter_context(terminal)

    def host_and_guest(self) -> tuple[Terminal, Terminal]:
        """Anna opens a table in her lobby; Ben's lobby finds it, and he types its code."""
        host, guest = self.start(self.anna, HOST), self.start(self.ben, GUEST)
        host.wait(markers.LOBBY)
        host.send("n")
        host.wait(markers.OPEN_TABLE)
        host.send("\r")
        host.wait(markers.ALONE)
        guest.wait("Anna’s table")
        guest.send("\x1b[F\r")  # the last line: the only table
        guest.wait(markers.CODE_ASKED)
        guest.send(markers.code(host.text()).lower() + "\r")
        guest.wait(markers.READY)
        host.wait(markers.taken(2))
        return host, guest

    def bots(self, count: int, code: str) -> Terminal:
        """Bots that look for the only table there is."""
        home = Home.make(self.anna.path.parent, "Bots")
        argv = ["bot", "--count", str(count), "--code", code]
        netns = self.bridge.name(BOTS)
        return self.stack.enter_context(home.start(*argv, program=BRISK, netns=netns))


@pytest.fixture
def pub(state: Path) -> Iterator[Pub]:
    with Bridge(3) as bridge, ExitStack() as stack:
        yield Pub(bridge, stack, Home.make(state, "Anna"), Home.make(state, "Ben"))


def test_machines_that_found_each_other_play_a_whole_game_though_a_cable_is_cut(pub: Pub) -> None:
    host, guest = pub.host_and_guest()
    for terminal in (host, guest):
        terminal.send("r")
    for terminal in (host, guest):
        terminal.wait(markers.HAND)
    host.send("1")
    host.wait_gone(markers.HAND)
    pub.bridge.cut(GUEST)
    host.wait(markers.UNSTEADY)
    guest.wait(markers.HOST_SILENT)
    # The host's machine gives the connection up; otherwise this is the 15 s of silence.
    pub.bridge.run(HOST, ["ss", "-K", "dst", pub.bridge.address(GUEST)])
    host.wait(markers.AWAY)
    # What is chosen meanwhile waits for the connection.
    guest.send("2")
    guest.wait_gone(markers.HAND)
    pub.bridge.heal(GUEST)
    host.wait_gone(markers.AWAY, 15)
    guest.wait_gone(markers.HOST_SILENT)
    play(KeyPlayer(host, 3), KeyPlayer(guest, 4))
    assert_one_winner(host, guest)
    assert_one_story(pub.anna, pub.ben)
    assert pub.anna.first_hands() == pub.ben.first_hands() == {"Anna": 1, "Ben": 2}
