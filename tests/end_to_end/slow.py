"""Two people far apart: Ben finds Anna's table over a slow network, joins, plays and comes back."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from spoof_tui.network.addresses import DEFAULT_PORT
from tests.end_to_end import markers
from tests.end_to_end.homes import Home, eventually
from tests.end_to_end.party import is_steady, steady
from tests.helpers.namespaces import Bridge
from tests.helpers.pty import Terminal

ANNA: Final = 1
BEN: Final = 2

PATIENCE: Final = 60.0
"""Seconds that one step may take; how long it should take is somebody else's business."""


@dataclass(frozen=True)
class Network:
    """How bad Ben's network is."""

    round_trip: float
    """Seconds."""
    jitter: float = 0.0
    """Seconds by which a packet may be earlier or later."""
    loss: float = 0.0
    """The part of all packets that is lost, each way."""

    @property
    def name(self) -> str:
        """What it is called in a table."""
        jitter = f" ± {self.jitter * 1000:g}" if self.jitter else ""
        loss = f", {self.loss:.0%} lost" if self.loss else ""
        return f"{self.round_trip * 1000:g}{jitter} ms{loss}"


class FarApart:
    """Anna with an open table, and Ben in his lobby; a context manager."""

    def __init__(self, parent: Path, network: Network, *options: str) -> None:
        """`options` are those of the table."""
        self._ending = ExitStack()
        self._parent = parent
        self._options = options
        self._network = network
        self.bridge = Bridge(2)

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            stack.enter_context(self.bridge)
            # The first time the old connections are lost, of which there are none yet.
            self.slow_down(self._network)
            self._ending = stack
            self.anna = self._start("Anna", ANNA, "host", "--name", "Snug", *self._options)
            self.anna.wait(markers.ALONE)
            self.ben = self._start("Ben", BEN)
            self.ben.wait(markers.LOBBY)
            self._ending = stack.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ending.close()

    def _start(self, name: str, machine: int, *words: str) -> Terminal:
        home = Home.make(self._parent, name)
        terminal = home.start(*words, netns=self.bridge.name(machine))
        return self._ending.enter_context(terminal)

    def slow_down(self, network: Network) -> None:
        """Make Ben's network so bad from now on."""
        self.bridge.slow_down(BEN, network.round_trip, network.jitter, network.loss)

    def listed(self) -> float:
        """Seconds from Ben's lobby to Anna's table in it."""
        begun = self.ben.started + self.ben.wait(markers.LOBBY)
        return self.ben.started + self.ben.wait("Snug", PATIENCE) - begun

    def sits(self) -> float:
        """Seconds from the choice of a table that asks for no code to a seat."""
        return self._after(self.ben, "\x1b[F\r", markers.READY)

    def asked(self) -> float:
        """Seconds from the choice of the table to the question for its code."""
        return self._after(self.ben, "\x1b[F\r", markers.CODE_ASKED)

    def joined(self) -> float:
        """Seconds from the code to a seat."""
        return self._after(self.ben, f"{markers.code(self.anna.text())}\r", markers.READY)

    def deal(self) -> None:
        """Both are ready, and both hide a hand."""
        for terminal in (self.anna, self.ben):
            terminal.send("r")
        for terminal in (self.anna, self.ben):
            terminal.wait(markers.HAND, PATIENCE)
            terminal.send("1")
        for terminal in (self.anna, self.ben):
            terminal.wait_gone(markers.HAND, PATIENCE)

    def heard(self) -> float:
        """Seconds from a bid to the question that it puts to the other one."""
        both = self.anna, self.ben
        eventually(lambda: any(markers.WORD in each.text() for each in both), "a turn", PATIENCE)
        speaker, other = both if markers.WORD in self.anna.text() else both[::-1]
        return self._after(speaker, "\r", markers.WORD, other)

    def back(self) -> float:
        """Seconds from the end of Ben's connection to his being at the table again."""
        self.bridge.run(ANNA, ["ss", "-K", "state", "established", f"sport = :{DEFAULT_PORT}"])
        cut = time.perf_counter()
        for each in (self.anna, self.ben):
            each.wait_until(lambda terminal: not is_steady(terminal), PATIENCE)
        return max(steady(each, cut, PATIENCE) for each in (self.ben, self.anna))

    def _after(
        self, typing: Terminal, keys: str, marker: str, seeing: Terminal | None = None
    ) -> float:
        typed = time.perf_counter()
        typing.send(keys)
        seeing = seeing or typing
        return seeing.started + seeing.wait(marker, PATIENCE) - typed
