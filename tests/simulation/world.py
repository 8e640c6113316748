"""Virtual time, the machines that live in it, and everything random: all from one seed."""

from __future__ import annotations

import hashlib
import heapq
import itertools
import random
from collections.abc import Callable
from typing import Final

from protocol.timeouts import Moment
from tests.simulation.disks import Disk
from tests.simulation.loop import MachineLoop

BORN: Final = 1_700_000_000_000
"""Wall clock of the first moment of every world, in milliseconds since 1970."""

DRIFT: Final = 0.005
"""The most by which a clock runs fast or slow, per second."""

Act = Callable[[], None]


class World:
    """A heap of events in the order of their time, and the trace of what happened."""

    def __init__(self, seed: int, tell: Callable[[str], None] | None = None) -> None:
        """`tell` gets every line of the trace, if anybody wants to read it."""
        self.seed: Final = seed
        self.random: Final = random.Random(seed)
        self.time = 0.0
        """Seconds since the beginning."""
        self.trouble: BaseException | None = None
        """The first unexpected error of a program, or broken law."""
        self._events: list[tuple[float, int, Act]] = []
        self._count = itertools.count()
        self._trace = hashlib.sha256()
        self._tell = tell

    def later(self, delay: float, act: Act) -> None:
        """Have something happen after this many seconds."""
        heapq.heappush(self._events, (self.time + delay, next(self._count), act))

    def note(self, who: str, what: str) -> None:
        """Add a line to the trace."""
        line = f"{self.time:10.4f} {who:<6} {what}"
        self._trace.update(line.encode() + b"\n")
        if self._tell:
            self._tell(line)

    def run(self, until: float) -> None:
        """Let events happen up to that time; raises the trouble, if there is any."""
        events = self._events
        while events and events[0][0] <= until:
            self.time, _, act = heapq.heappop(events)
            act()
            if self.trouble:
                raise self.trouble
        self.time = max(self.time, until)

    def step(self) -> None:
        """Let the next event happen; raises the trouble, if there is any."""
        if not self._events:
            raise RuntimeError("nothing will ever happen again")
        self.run(max(self.time, self._events[0][0]))

    @property
    def trace(self) -> str:
        """Hash of everything that was noted."""
        return self._trace.hexdigest()


class Machine:
    """A computer: a disk, two clocks, a network address, and a program that may crash."""

    def __init__(self, world: World, name: str, number: int) -> None:
        self.world: Final = world
        self.name: Final = name
        self.address = f"10.0.0.{number + 1}"
        self.random: Final = random.Random(world.random.getrandbits(64))
        """The randomness of its program."""
        self.disk: Final = Disk(self, world.random)
        self.is_awake = True
        self.is_up = True
        """Whether a program runs on it."""
        self.is_on = True
        """Whether it has power: then its system answers, whatever happens to a program."""
        self.on_crash: Callable[[bool], None] = lambda is_told: None
        """Called when the program is gone, with whether its system is sure to tell others."""
        self.is_idle: Callable[[], bool] = lambda: False
        """Whether its program expects nothing to do soon."""
        self.lag = 0.0
        """Seconds by which everything to and from it is late now."""
        self.busy_until = 0.0
        """When its program has finished its present work, in the world's time."""
        self.speed: Final = 1.0 + world.random.choice((-DRIFT, DRIFT))
        """The speed of its clocks."""
        self._skew = world.random.randint(-2000, 2000)
        self._slept = 0.0
        self._asleep_since = 0.0
        self.life = 0
        """Counts the programs that have run on it."""
        self.loop = self._new_loop()
        """Where its program runs."""

    @property
    def time(self) -> float:
        """The world's time as its program sees it, which may be in the middle of work."""
        return max(self.world.time, self.busy_until)

    @property
    def monotonic(self) -> float:
        """Its clock for intervals, which stands while it sleeps."""
        if not self.is_awake:
            return (self._asleep_since - self._slept) * self.speed
        time, busy = self.world.time, self.busy_until
        return ((time if time > busy else busy) - self._slept) * self.speed

    def now(self) -> Moment:
        """The time by its clocks."""
        return Moment(self.monotonic, self.wall)

    @property
    def wall(self) -> int:
        """Its wall clock, in milliseconds since 1970."""
        time, busy = self.world.time, self.busy_until
        return BORN + int((time if time > busy else busy) * self.speed * 1000) + self._skew

    def work(self, seconds: float) -> None:
        """Its program does nothing else for this long."""
        self.busy_until = self.time + seconds

    def shift_wall_clock(self, seconds: float) -> None:
        """Somebody, or a time server, sets its wall clock."""
        self._skew += int(seconds * 1000)

    def do(self, act: Callable[..., object], *arguments: object) -> None:
        """Have its program do something as soon as it is awake and has time."""
        if self.is_up:
            self.loop.call_soon(act, *arguments)

    def crash(self) -> None:
        """The program is gone, and with it everything on its disk that was not synced."""
        if not self.is_up:
            return
        self.world.note(self.name, "crashes")
        self._end(self.disk.crash, is_told=False)

    def stop(self) -> None:
        """The program is gone, and its system is not: what was written stays, and others are
        told."""
        if self.is_up:
            self.world.note(self.name, "is gone")
            self._end(self.disk.close, is_told=True)

    def _end(self, leave_disk: Act, *, is_told: bool) -> None:
        self.life += 1
        self.is_up = False
        self.busy_until = 0.0
        self.loop.die()
        leave_disk()
        self.on_crash(is_told)

    def start(self) -> None:
        """Be ready for a program."""
        self.is_up = self.is_on = True
        self.loop = self._new_loop()
        self.world.note(self.name, "starts")

    def _new_loop(self) -> MachineLoop:
        # It has everything that a program needs from a loop here.
        return MachineLoop(self)  # type: ignore[abstract]

    def sleep(self) -> None:
        """Close the lid."""
        if self.is_awake:
            self.is_awake, self._asleep_since = False, self.time
            self.world.note(self.name, "sleeps")

    def free(self) -> None:
        """Its program goes on, on a machine that is awake, whatever kept it busy."""
        if self.busy_until > self.world.time:
            self.busy_until = 0.0
            self.loop.wake()
        self.wake()

    def wake(self) -> None:
        """Open the lid: what waited happens now, and the clocks have drifted apart."""
        if self.is_awake:
            return
        self.is_awake = True
        self._slept += self.time - self._asleep_since
        self.world.note(self.name, "wakes")
        self.loop.wake()
