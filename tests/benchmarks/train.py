"""How soon people see what has happened to a machine, and how soon they play again.

Three people with the real program on machines of their own. The return of a link counts from the
first bare packet that gets through: until then it is the kernel that takes its time.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from tests.benchmarks.figures import Delay, Figure
from tests.end_to_end import markers
from tests.end_to_end.homes import TABLE, eventually
from tests.end_to_end.party import PATIENCE, Party, is_away, is_steady, shown, steady
from tests.helpers.namespaces import Bridge, why_not
from tests.helpers.pty import Terminal

COUNT: Final = 10
SILENCES: Final = (5.0, 30.0, 120.0)
"""Seconds for which a link is gone."""

UNSTEADY_AIM: Final = 3.5
AWAY_AIM: Final = 15.5
"""Said after 3 and 15 seconds, and then it has to be painted."""

BACK_AIM: Final = 1.0
MOVED_AIM: Final = 5.0

BEN: Final = 1


def measure(count: int = COUNT, silences: Sequence[float] = SILENCES) -> list[Figure]:
    """So many short silences and deaths of hosts, and fewer of the long silences."""
    if why_not() is not None:
        print(f"train: {why_not()}", file=sys.stderr)
        return []
    figures: list[Figure] = []
    unsteady: list[float] = []
    away: list[float] = []
    for seconds in silences:
        samples = max(1, round(count * silences[0] / seconds))
        with tempfile.TemporaryDirectory() as parent, Party(Path(parent)) as party:
            party.deal(1, 2, 3)
            with Pulse(party.bridge, party.machine(BEN)) as pulse:
                back = [_silence(party, pulse, seconds, unsteady, away) for _ in range(samples)]
        figures.append(Delay(f"back after {seconds:g} s without a link", back, BACK_AIM))
    with tempfile.TemporaryDirectory() as parent, Party(Path(parent)) as party:
        party.deal(1, 2, 3)
        moved = [_death(party) for _ in range(count)]
    shown_away = [Delay("silent until shown away", away, AWAY_AIM)] if away else []
    return [
        Delay("silent until shown unsteady", unsteady, UNSTEADY_AIM),
        *shown_away,
        *figures,
        Delay("a host dies until another one serves", moved, MOVED_AIM),
    ]


class Pulse:
    """Bare packets from a machine to the first one and back; a context manager."""

    def __init__(self, bridge: Bridge, machine: int) -> None:
        self._bridge = bridge
        self._machine = machine
        self._last = 0.0
        self._ending = ExitStack()

    def __enter__(self) -> Self:
        echo = self._start(1, "echo")
        assert echo.stdout
        echo.stdout.readline()
        answers = self._start(self._machine, "ask", self._bridge.address(1))
        threading.Thread(target=self._read, args=(answers,), daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._ending.close()

    def first_after(self, moment: float) -> float:
        """When the first packet came back that came after this moment, once it has."""
        eventually(lambda: self._last > moment, "a packet", PATIENCE)
        return self._last

    def _start(self, machine: int, *words: str) -> subprocess.Popen[str]:
        argv = [sys.executable, "-m", "tests.benchmarks.programs.pulse", *words]
        process = subprocess.Popen(
            self._bridge.argv(machine, argv), text=True, stdout=subprocess.PIPE
        )
        self._ending.callback(process.communicate)
        self._ending.callback(process.kill)
        return process

    def _read(self, answers: subprocess.Popen[str]) -> None:
        assert answers.stdout
        for line in answers.stdout:
            self._last = float(line)


def _silence(
    party: Party, pulse: Pulse, seconds: float, unsteady: list[float], away: list[float]
) -> float:
    """Take Ben's link away for so long; the seconds until everybody is well again."""
    ben, machine = party.terminals[BEN], party.machine(BEN)
    for terminal in party.terminals:
        terminal.wait_until(is_steady)
    party.bridge.cut(machine)
    cut = time.perf_counter()
    unsteady.append(shown(party.host, markers.UNSTEADY, cut))
    if seconds > AWAY_AIM:
        away.append(party.host.started + party.host.wait_until(is_away, PATIENCE) - cut)
    time.sleep(cut + seconds - time.perf_counter())
    party.bridge.heal(machine)
    up = pulse.first_after(time.perf_counter())
    return max(steady(ben, up), steady(party.host, up))


def _death(party: Party) -> float:
    """Kill whoever hosts; the seconds until the others have another host."""
    party.read_news()
    (host,) = (i for i, each in enumerate(party.terminals) if _hosts(each))
    others = [each for each in party.terminals if each is not party.terminals[host]]
    killed = party.kill(host)
    moved = max(shown(each, markers.MOVED, killed) for each in others)
    # It comes back as a player, so that the next host can die.
    party.start(host, "join", TABLE)
    for terminal in party.terminals:
        terminal.wait(party.names[host])
        terminal.wait_until(is_steady, PATIENCE)
    return moved


def _hosts(terminal: Terminal) -> bool:
    return " code " in terminal.text()
