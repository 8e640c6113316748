"""From a key on one player's screen to bytes on another player's terminal, through the host."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Final

from tests.benchmarks.figures import Figure, Ratio, Share
from tests.benchmarks.stage import Stage, bare, spoof, traced
from tests.helpers.pty import Terminal

COUNT: Final = 120
NAMES: Final = ("Ottilie", "Konrad")
PATIENCE: Final = 30.0
"""Seconds within which a new round must have begun."""

_REST: Final = 0.05
"""Seconds without a paint before the next key, as between the keys of a person."""

_RAISE: Final = re.compile(r"(\d+) coins in play.*bid ◂ (\d+) ▸", re.DOTALL)
"""The highest bid, in the bar, and the lowest, in the panel of whose turn it is."""


STEPS: Final = (
    ("speaker", "key", 0.9, "terminal, driver, key"),
    ("speaker", "hop", 0.3, "hop to the background"),
    ("speaker", "sent", 0.5, "check, sign, encode"),
    ("host", "received", 0.3, "to the host"),
    ("host", "kept", 1.2, "host: verify, check, fold, fsync"),
    ("host", "told", 0.2, "host: tell"),
    ("other", "heard", 0.3, "to the other"),
    ("other", "posted", 0.9, "decode, verify twice, fold, view"),
    ("other", "noticed", 0.4, "hop to the painter"),
    ("other", "drawn", 0.9, "draw, compare"),
    ("other", "update", 0.4, "Textual's timer"),
    ("other", "composed", 0.7, "compositor"),
    ("other", "patched", 0.3, "bytes"),
    ("other", "seen", 0.5, "writer, terminal"),
)
"""The points of a bid: the process, the milliseconds allowed up to there, and what happens."""


def measure(count: int = COUNT) -> list[Figure]:
    """Bids between two screens, beside bare programs: an echo and a line, and the same hops.

    The player who hears a bid speaks next, so the panel of the player's own turn is painted.
    """
    with Stage() as stage:
        match, hops = Match.seated(stage), Hops(stage)
        echo, update = Echo(stage), Update(stage)
        rounds = (match.bid, lambda: echo.ask() + update.press(), hops.say)
        for warming in rounds:
            warming()
        ours, both, bare_hops = zip(
            *([each() for each in rounds] for _ in range(count)), strict=True
        )
    name = "key to another's terminal"
    return [
        Ratio(f"{name} / echo + update", ours, both, aim=3.3),
        Ratio(f"{name} / the same hops, bare", ours, bare_hops, aim=1.5),
        *budget(max(count // 3, 1)),
    ]


def budget(count: int) -> list[Figure]:
    """The time of each step of such a bid."""
    with Stage() as stage:
        traces = {name: Trace(stage.file(f"{name}.trace")) for name in ("host", *NAMES)}
        match = Match.seated(stage, traces)
        match.bid()
        bids = [match.traced_bid(traces) for _ in range(count)]
    steps = [steps for steps in bids if steps]
    return [
        Share(text, [seconds[place] for seconds in steps], allowed)
        for place, (_who, _point, allowed, text) in enumerate(STEPS)
        if steps
    ]


class Trace:
    """The points that a traced program has passed."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def last(self, name: str, begun: float, end: float) -> float | None:
        """When it passed this point last, between two times."""
        passed = (line.split() for line in self.path.read_text().splitlines())
        times = [float(when) for point, when in passed if point == name]
        return max((time for time in times if begun <= time <= end), default=None)


class Match:
    """Two screens at one table, played by keys."""

    def __init__(self, screens: Sequence[Terminal]) -> None:
        self._screens = list(screens)

    @classmethod
    def seated(cls, stage: Stage, traces: Mapping[str, Trace] | None = None) -> Match:
        """Two players at a fresh table; traced if there are traces of all."""

        def program(name: str) -> Callable[..., list[str]]:
            return partial(traced, traces[name].path) if traces else spoof

        port = stage.host("--seats", "2", "--start-when", "2", program=program("host"))
        join = ("join", f"127.0.0.1:{port}")
        return cls([stage.screen(program(name)(*join), name) for name in NAMES])

    def traced_bid(self, traces: Mapping[str, Trace]) -> list[float]:
        """Seconds of all `STEPS` of a bid; none if one of them was not seen."""
        speaker, other, low = self._turn()
        places = [traces[NAMES[self._screens.index(each)]] for each in (speaker, other)]
        owners = {"speaker": places[0], "other": places[1], "host": traces["host"]}
        begun = time.perf_counter()
        speaker.send("\r")
        end = other.started + other.wait(f"◂ {low + 1} ▸")
        passed = [end]
        for who, point, _allowed, _text in reversed(STEPS[:-1]):
            found = owners[who].last(point, begun, passed[0])
            if found is None:
                return []
            passed.insert(0, found)
        return [later - before for before, later in pairwise([begun, *passed])]

    def bid(self) -> float:
        """Seconds from Enter on one screen to the frame of the other that shows the bid."""
        speaker, other, low = self._turn()
        begun = time.perf_counter()
        speaker.send("\r")
        return other.started + other.wait(f"◂ {low + 1} ▸") - begun

    def _turn(self) -> tuple[Terminal, Terminal, int]:
        """A bidder, a player who can raise that bid, and the bid."""
        one, two = self._screens
        end = time.perf_counter() + PATIENCE
        while time.perf_counter() < end:
            for screen in self._screens:
                screen.settle(_REST)
            for speaker, other in ((one, two), (two, one)):
                offer = _RAISE.search(speaker.text())
                if offer and int(offer[2]) < int(offer[1]):
                    if int(offer[2]) > 1:
                        return speaker, other, int(offer[2])
                    # The first word waits for three seconds after the last count, and is not
                    # measured.
                    speaker.send("\r")
                    break
                _go_on(speaker)
        raise TimeoutError(f"no turn comes:\n{one.text()}\n{two.text()}")


def _go_on(screen: Terminal) -> None:
    """Press the keys that lead to the next bid, if this screen is asked for anything."""
    text = screen.text()
    if "YOUR TURN" in text:
        screen.send("c")
    elif "YOUR HAND" in text:
        screen.send("1")
    elif "any key goes on" in text:
        screen.send(" ")
    elif "Enter ready" in text or "Enter play again" in text:
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


class Hops:
    """A table without a game: two screens and a host with the same hops as a bid."""

    def __init__(self, stage: Stage) -> None:
        host = stage.process(bare("bare_table", "host"))
        assert host.stdout
        port = host.stdout.readline().strip()
        self._screens = [stage.screen(bare("bare_table", "player", port)) for _ in range(2)]
        for screen in self._screens:
            screen.wait("heard 0 times")
        self._count = 0

    def say(self) -> float:
        """Seconds from a key on one screen to the frame of the other."""
        speaker, other = self._screens
        for screen in self._screens:
            screen.settle(_REST)
        self._count += 1
        begun = time.perf_counter()
        speaker.send("x")
        return other.started + other.wait(f"heard {self._count} times") - begun


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
