"""People who play on separate machines; machines, links and programs can fail."""

from __future__ import annotations

import contextlib
import re
import signal
import time
from pathlib import Path
from typing import Self

from spoof_tui.network.addresses import DEFAULT_PORT
from tests.end_to_end import markers
from tests.end_to_end.homes import TABLE, Home, eventually
from tests.helpers.namespaces import Bridge
from tests.helpers.player import KeyPlayer, assert_one_winner, play
from tests.helpers.pty import Terminal

NAMES = ("Anna", "Ben", "Cleo")
"""The first name hosts."""

PATIENCE = 25.0
"""Seconds within which everything that can come back does; tests of the speed are elsewhere."""


class Party:
    """A table in the program of the first player, and the others at it; a context manager."""

    def __init__(
        self,
        parent: Path,
        names: tuple[str, ...] = NAMES,
        is_on_one_machine: bool = False,
        options: tuple[str, ...] = (),
    ) -> None:
        """Each has a machine, or all share one without a network and look for the table there.

        `options` are those of the table.
        """
        self.names = names
        self._options = options
        self.homes = [Home.make(parent, name) for name in names]
        self._is_on_one_machine = is_on_one_machine
        self.bridge = Bridge(1 if is_on_one_machine else len(names))
        self.terminals: list[Terminal] = []
        """Everybody's terminal, in the order of the names."""
        self.code = ""
        """The join code as it was at first."""

    def __enter__(self) -> Self:
        with contextlib.ExitStack() as stack:
            stack.enter_context(self.bridge)
            stack.callback(self.end)
            if self._is_on_one_machine:
                self.bridge.run(1, ["ip", "link", "set", "eth0", "down"])
                self.bridge.run(1, ["ip", "addr", "flush", "dev", "eth0"])
            self._sit_down()
            self._ending = stack.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        self._ending.close()

    @property
    def host(self) -> Terminal:
        """The terminal of the player who opened the table."""
        return self.terminals[0]

    @property
    def guests(self) -> list[Terminal]:
        """The terminals of all others."""
        return self.terminals[1:]

    def machine(self, player: int) -> int:
        """The machine of a player's program."""
        return 1 if self._is_on_one_machine else player + 1

    @property
    def table(self) -> str:
        """How a guest finds the table at first."""
        if self._is_on_one_machine:
            return TABLE
        return f"{self.bridge.address(1)}:{DEFAULT_PORT}"

    def start(self, player: int, *words: str) -> Terminal:
        """Start a player's program in place of the one before."""
        netns = self.bridge.name(self.machine(player))
        terminal = self.homes[player].start(*words, netns=netns)
        if player < len(self.terminals):
            self.terminals[player].close(signal.SIGKILL)
            self.terminals[player] = terminal
        else:
            self.terminals.append(terminal)
        return terminal

    def end(self) -> None:
        """End all programs."""
        for terminal in self.terminals:
            terminal.close(signal.SIGKILL)

    def kill(self, player: int) -> float:
        """End a player's program as a flat battery does; returns when that was."""
        self.terminals[player].kill(signal.SIGKILL)
        self.terminals[player].wait_exit()
        return time.perf_counter()

    def deal(self, *hands: int) -> int:
        """Have a game begin and all hands chosen; returns the opener."""
        for terminal in self.terminals:
            terminal.send("r")
        for terminal, hand in zip(self.terminals, hands, strict=True):
            terminal.wait(markers.HAND)
            terminal.send(str(hand))
        return self.speaker()

    def speaker(self) -> int:
        """The player who is asked for a word, once somebody is."""
        asked: list[int] = []

        def somebody() -> bool:
            self.read_news()
            asked[:] = [i for i, each in enumerate(self.terminals) if markers.WORD in each.text()]
            return bool(asked)

        eventually(somebody, "somebody's turn", PATIENCE)
        return asked[0]

    def speak_until(self, player: int) -> None:
        """Raise the bid until it is this player's turn."""
        while (speaker := self.speaker()) != player:
            self.bid(speaker)

    def bid(self, player: int) -> None:
        """Have the player whose turn it is make the lowest bid."""
        self.terminals[player].send("\r")
        self.terminals[player].wait_gone(markers.WORD)

    def read_news(self) -> None:
        """Have everybody dismiss what is reported, until they see what to do."""
        for terminal in self.terminals:
            # There may be more of it at any time.
            while markers.is_told(terminal.text()):
                terminal.send("u")
                with contextlib.suppress(TimeoutError):
                    terminal.wait_until(lambda t: not markers.is_told(t.text()), 0.5)

    def speak_on(self, player: int) -> None:
        """Have a player whose turn is still to come make a bid that all who are here hear."""
        assert self.speaker() == player
        self.bid(player)
        spoken = re.compile(rf"{self.names[player]} +\d+ *$", re.MULTILINE)
        for terminal in self.terminals:
            if terminal.process.poll() is None:
                terminal.wait_until(lambda t: spoken.search(t.text()) is not None, PATIENCE)

    def play_to_the_end(self, seed: int) -> None:
        """Everybody plays until the game is won, and all screens name the same winner."""
        play(*(KeyPlayer(each, seed + i) for i, each in enumerate(self.terminals)))
        assert_one_winner(*self.terminals)

    def _sit_down(self) -> None:
        self.start(0, "host", "--table", TABLE, *self._options).wait(markers.ALONE)
        self.code = markers.code(self.host.text())
        for player in range(1, len(self.names)):
            self.start(player, "join", self.table, "--code", self.code)
        for terminal in self.terminals:
            terminal.wait(markers.taken(len(self.names)))


def is_steady(terminal: Terminal) -> bool:
    """Whether a terminal shows everybody as here, its own player included."""
    text = terminal.text()
    signs = (markers.UNSTEADY, markers.LINK_LOST, markers.NO_LINK)
    return not markers.is_away(text) and not any(sign in text for sign in signs)
