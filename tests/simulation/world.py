"""Virtual time, the machines that live in it, and everything random: all of it from one seed."""

from __future__ import annotations

import hashlib
import heapq
import itertools
import random
from collections.abc import Callable
from typing import Final

from protocol.timing import Moment
from tests.simulation.disks import Disk, PowerCut

BORN: Final = 1_700_000_000_000
"""Wall clock of the first moment of every world, in milliseconds since 1970."""

Act = Callable[[], None]


class World:
    """A heap of events in the order of their time, and the trace of what happened."""

    def __init__(self, seed: int, tell: Callable[[str], None] | None = None) -> None:
        """`tell` is given every line of the trace, if somebody wants to read it."""
        self.random: Final = random.Random(seed)
        self.time = 0.0
        """Seconds since the beginning."""
        self.after: Act = lambda: None
        """Called after every event."""
        self._events: list[tuple[float, int, Act]] = []
        self._count = itertools.count()
        self._trace = hashlib.sha256()
        self._tell = tell

    def later(self, delay: float, act: Act) -> None:
        """Have something happen after so many seconds."""
        heapq.heappush(self._events, (self.time + delay, next(self._count), act))

    def note(self, who: str, what: str) -> None:
        """Add a line to the trace."""
        line = f"{self.time:10.4f} {who:<6} {what}"
        self._trace.update(line.encode() + b"\n")
        if self._tell:
            self._tell(line)

    def run(self, until: float, is_over: Callable[[], bool] = lambda: False) -> None:
        """Let events happen up to that time, or until it is over."""
        while self._events and self._events[0][0] <= until and not is_over():
            self.time, _, act = heapq.heappop(self._events)
            act()
            self.after()
        if not is_over():
            self.time = max(self.time, until)

    @property
    def trace(self) -> str:
        """Hash of everything that was noted."""
        return self._trace.hexdigest()


class Machine:
    """A computer: a disk, two clocks, a network address, and a program that may crash."""

    def __init__(self, world: World, name: str) -> None:
        self.world: Final = world
        self.name: Final = name
        """Also its address in the network."""
        self.disk: Final = Disk(world.random, lambda line: world.note(name, line))
        self.is_awake = True
        self.is_up = True
        """Whether a program runs on it."""
        self.on_crash: Act = lambda: None
        """Called when the program is gone: what the rest of the world sees of that."""
        self.lag = 0.0
        """Seconds by which everything on the way to and from it is late now."""
        self._skew = world.random.randint(-2000, 2000)
        self._slept = 0.0
        self._asleep_since = 0.0
        self.life = 0
        """Counts the programs that have run on it."""
        self._waiting: list[tuple[int, Act]] = []

    def now(self) -> Moment:
        """The time by its clocks: the monotonic one stands while it sleeps."""
        elapsed = self.world.time
        return Moment(elapsed - self._slept, BORN + int(elapsed * 1000) + self._skew)

    def later(self, delay: float, act: Act) -> None:
        """Have its program do something, unless it has crashed by then."""
        life = self.life
        self.world.later(delay, lambda: self._do(life, act))

    def do(self, act: Act) -> None:
        """Have its program do something as soon as it is awake."""
        self._do(self.life, act)

    def _do(self, life: int, act: Act) -> None:
        if life != self.life or not self.is_up:
            return
        if not self.is_awake:
            self._waiting.append((life, act))
            return
        try:
            act()
        except PowerCut:
            self.crash()

    def crash(self) -> None:
        """The program is gone, and of its disk what was not synced."""
        if not self.is_up:
            return
        self.world.note(self.name, "crashes")
        self.life += 1
        self.is_up = False
        self._waiting.clear()
        self.disk.crash()
        self.on_crash()

    def start(self, program: Act) -> None:
        """Run a program anew."""
        self.is_up = True
        self.world.note(self.name, "starts")
        self.do(program)

    def sleep(self) -> None:
        """Close the lid."""
        if self.is_awake:
            self.is_awake, self._asleep_since = False, self.world.time
            self.world.note(self.name, "sleeps")

    def wake(self) -> None:
        """Open it: what waited happens now, and the clocks went apart."""
        if self.is_awake:
            return
        self.is_awake = True
        self._slept += self.world.time - self._asleep_since
        self.world.note(self.name, "wakes")
        waiting, self._waiting = self._waiting, []
        for life, act in waiting:
            self._do(life, act)
