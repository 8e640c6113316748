"""Bytes sent to a terminal of 80 by 24 cells: for another player's bid, and for nothing."""

from __future__ import annotations

import time
from contextlib import ExitStack
from typing import Final

from protocol.rules.words import Bid
from protocol.table.fold import Phase
from protocol.views import FistState
from spoof_tui import beats
from spoof_tui.network.addresses import Address
from tests.benchmarks.company import Company
from tests.benchmarks.figures import Amount, Figure
from tests.benchmarks.stage import Stage, spoof
from tests.helpers.namespaces import Bridge, why_not
from tests.helpers.pty import Terminal

COUNT: Final = 80
"""Bids of others that are looked at."""

IDLE_SECONDS: Final = 5.0
PATIENCE: Final = 30.0
QUIET: Final = 0.1
"""Seconds without a paint after which a bid counts as drawn."""

AFTER_COUNT: Final = beats.REST + 1.0
"""Seconds after which nothing of a count is left to paint; its bytes belong to no bid."""

NAMES: Final = ("Konrad", "Annelie", "Bartholomew")


def measure(count: int = COUNT, idle_seconds: float = IDLE_SECONDS) -> list[Figure]:
    """Real games of four: three play by a script, and the screen of the fourth is measured."""
    with Stage() as stage:
        port = stage.host("--seats", "4", "--start-when", "4")
        terminal = stage.screen(spoof("join", f"127.0.0.1:{port}"))
        terminal.wait("Enter ready")
        with Company(Address("127.0.0.1", port), NAMES) as company:
            company.wait(lambda: len(company.view.seats) == len(NAMES) + 1)
            game = Game(company, terminal)
            game.play(count)
            terminal.settle(AFTER_COUNT)
            at_table = idle(terminal, idle_seconds)
    return [
        Amount("bytes for another's bid, others' turn", game.others_turn, 300),
        Amount("bytes for another's bid, own turn", game.own_turn, 700),
        Amount(f"bytes in {idle_seconds:g} s idle at the table", [at_table], 0),
        Amount(f"bytes in {idle_seconds:g} s idle in the lobby", [_in_lobby(idle_seconds)], 0),
    ]


def idle(terminal: Terminal, seconds: float) -> float:
    """Bytes painted while nothing happens."""
    mark = terminal.mark()
    time.sleep(seconds)
    return len(terminal.painted_since(mark))


def _in_lobby(seconds: float) -> float:
    """The same in the lobby with a table in its list, on a network where nobody else plays."""
    with ExitStack() as stack:
        stage = stack.enter_context(Stage())
        netns = None
        inside: list[str] = []
        if why_not() is None:
            bridge = stack.enter_context(Bridge(1))
            netns, inside = bridge.name(1), bridge.argv(1, [])
        stage.host(inside=inside)
        terminal = stage.screen(spoof(), netns=netns)
        terminal.wait("Bench")
        terminal.settle(1.0)
        return idle(terminal, seconds)


class Game:
    """Games that the company and the keys of one terminal play, one step at a time."""

    def __init__(self, company: Company, terminal: Terminal) -> None:
        self._company = company
        self._terminal = terminal
        self.others_turn: list[float] = []
        """Bytes of every bid after which somebody else speaks."""
        self.own_turn: list[float] = []
        """Bytes of every bid after which the watched player speaks."""

    def play(self, count: int) -> None:
        """Go on until this many bids were made, including both kinds."""
        end = time.monotonic() + PATIENCE
        while len(self.others_turn) + len(self.own_turn) < count or not (
            self.others_turn and self.own_turn
        ):
            before = self._company.view.position
            self._step()
            if self._company.view.position > before:
                end = time.monotonic() + PATIENCE
            elif time.monotonic() > end:
                raise TimeoutError(f"the game stands still:\n{self._terminal.text()}")

    def _step(self) -> None:
        if self._company.view.phase is not Phase.SPEAKING:
            self._company.go_on()
            self._press()
            time.sleep(QUIET)
        elif self._company.speaks:
            self._hear()
        else:
            self._speak()

    def _press(self) -> None:
        """The keys that are due on the terminal beside words."""
        seat = self._company.stranger
        gathering = self._company.view.phase is Phase.GATHERING
        if seat and gathering and not seat.ready:
            self._terminal.send("r")
        elif seat and self._company.view.phase is Phase.CHOOSING and seat.fist is FistState.NOT_IN:
            self._terminal.send("1")

    def _hear(self) -> None:
        """One of the company says a word; a bid is measured if the watched player plays on."""
        word = self._company.word()
        seat = self._company.stranger
        if not isinstance(word, Bid) or seat is None or seat.coins == 0:
            self._company.say(word)
            return
        self._terminal.settle(QUIET if self._company.view.words else AFTER_COUNT)
        mark = self._terminal.mark()
        self._company.say(word)
        self._terminal.wait_until(lambda terminal: terminal.mark() > mark)
        self._terminal.settle(QUIET)
        painted = len(self._terminal.painted_since(mark))
        (self.others_turn if self._company.speaks else self.own_turn).append(painted)

    def _speak(self) -> None:
        """The watched player raises, or ends the round where no raise is left."""
        position = self._company.view.position
        self._terminal.wait("YOUR TURN")
        if not self._company.view.words:
            # A key right after a verdict would be meant for that.
            self._terminal.settle(AFTER_COUNT)
        self._terminal.send("\r" if "bid ◂" in self._terminal.text() else "c")
        self._company.wait(lambda: self._company.view.position > position)
