"""From a key on one player's screen to bytes on another player's terminal, through the host."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Final

from tests.benchmarks.figures import MIDDLE, TAIL, Figure, Ratio, in_turns
from tests.benchmarks.stage import Stage, bare, spoof
from tests.helpers.pty import Terminal

COUNT: Final = 120
PATIENCE: Final = 30.0
"""Seconds in which a new round has begun at the latest."""

_REST: Final = 0.05
"""Seconds without a paint before the next key, as between the keys of a person."""

_RAISE: Final = re.compile(r"(\d+) to (\d+): type it")
"""What the panel offers to whose turn it is: the lowest bid and the highest."""


def measure(count: int = COUNT) -> list[Figure]:
    """Bids between two screens, beside an echo by a relay and a line that a key changes."""
    with Stage() as stage:
        port = stage.host("--seats", "2", "--start-when", "2")
        address = f"127.0.0.1:{port}"
        match = Match([stage.screen(spoof("join", address), n) for n in ("Ottilie", "Konrad")])
        echo, update = Echo(stage), Update(stage)
        for warming in (match.bid, echo.ask, update.press):
            warming()
        ours, both = in_turns(count, match.bid, lambda: echo.ask() + update.press())
    name = "key to another's terminal / echo + update"
    return [Ratio(name, ours, both, aim=2.0, percents=(MIDDLE, TAIL))]


class Match:
    """Two screens at one table, played by keys."""

    def __init__(self, screens: Sequence[Terminal]) -> None:
        self._screens = list(screens)

    def bid(self) -> float:
        """Seconds from Enter on one screen to the frame of the other that shows the bid."""
        speaker, other, low = self._turn()
        begun = time.perf_counter()
        speaker.send("\r")
        return other.started + other.wait(f" {low + 1} to ") - begun

    def _turn(self) -> tuple[Terminal, Terminal, int]:
        """Who may make a bid that the other can raise, the other, and the bid."""
        one, two = self._screens
        end = time.perf_counter() + PATIENCE
        while time.perf_counter() < end:
            for screen in self._screens:
                screen.settle(_REST)
            for speaker, other in ((one, two), (two, one)):
                offer = _RAISE.search(speaker.text())
                if offer and int(offer[1]) < int(offer[2]):
                    return speaker, other, int(offer[1])
                _go_on(speaker)
        raise TimeoutError(f"no turn comes:\n{one.text()}\n{two.text()}")


def _go_on(screen: Terminal) -> None:
    """Press what leads to the next bid, if this screen is asked for anything."""
    text = screen.text()
    if "Your turn" in text:
        screen.send("c")
    elif "Press 0 to" in text:
        screen.send("1")
    elif "r ready" in text or "r play again" in text:
        screen.send("r")


class Echo:
    """A message to a relay and back."""

    def __init__(self, stage: Stage) -> None:
        relay = stage.process(bare("relay"))
        assert relay.stdout
        self._asker = stage.process(bare("asker", relay.stdout.readline().strip()))

    def ask(self) -> float:
        """Seconds of one round trip."""
        assert self._asker.stdin and self._asker.stdout
        self._asker.stdin.write("\n")
        self._asker.stdin.flush()
        return float(self._asker.stdout.readline())


class Update:
    """An app in which a key changes one line."""

    def __init__(self, stage: Stage) -> None:
        self._screen = stage.screen(bare("bare_update"))
        self._screen.wait("pressed 0 times")
        self._count = 0

    def press(self) -> float:
        """Seconds from a key to the frame that shows it."""
        self._screen.settle(_REST)
        self._count += 1
        begun = time.perf_counter()
        self._screen.send("x")
        shown = self._screen.wait(f"pressed {self._count} times")
        return self._screen.started + shown - begun
