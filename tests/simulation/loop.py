"""An event loop in virtual time: one for each run of a machine's program, all driven by one
world."""

from __future__ import annotations

import asyncio
import contextvars
import itertools
from asyncio.events import _get_running_loop, _set_running_loop
from collections import deque
from collections.abc import Callable, Coroutine, Generator, Iterator
from contextlib import contextmanager
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, Final

from tests.simulation.disks import PowerCut

if TYPE_CHECKING:
    from tests.simulation.wires import Network
    from tests.simulation.world import Machine

MAX_ROUNDS: Final = 100_000
"""Callbacks at one moment after which a program counts as running in circles."""

WORK: Final = (0.002, 0.05)
"""Least and most seconds that something handed to another thread takes."""

INFINITE: Final = float("inf")

RESOLUTION: Final = 1e-9
"""Seconds, the shortest time that can be waited for."""

LAST_ROUNDS: Final = 50
LAST_WORDS: Final = 1_000
"""How often a dead program is cancelled, and how many callbacks it gets each time."""


ENDLESS: Final = ("_tick", "_mind", "_play")
"""Coroutines that only end by being cancelled."""

MISTAKES: Final = (
    ArithmeticError, AssertionError, AttributeError, LookupError, NameError, RuntimeError, TypeError
)  # fmt: skip
"""Errors that no program intends."""


class Idle(float):
    """Seconds between two looks at what may be due; longer while nothing is."""

    longest: float

    @classmethod
    def of(cls, seconds: float, longest: float) -> Idle:
        """Look every so many seconds, or every `longest` seconds while nothing is due."""
        idle = cls(seconds)
        idle.longest = longest
        return idle


class _Task(asyncio.Task[Any]):
    """A task whose place in a set is the same in every run."""

    number = 0

    def __hash__(self) -> int:
        return self.number


class _Future(asyncio.Future[Any]):
    number = 0

    def __hash__(self) -> int:
        return self.number


class MachineLoop(asyncio.AbstractEventLoop):
    """Runs the program of one machine from its start to its crash.

    It has no thread and no sockets: `World.run` calls it, and its connections are those of a
    `Network`, which must be set before anything connects.
    """

    network: Network

    def __init__(self, machine: Machine) -> None:
        self.machine: Final = machine
        self.life: Final = machine.life
        self.is_dead = False
        self._ready: deque[asyncio.Handle] = deque()
        self._timers: list[tuple[float, int, asyncio.TimerHandle]] = []
        self._armed = INFINITE
        """When the world looks at this loop next."""
        self._late: list[tuple[float, asyncio.TimerHandle]] = []
        """Looks that are postponed because nothing is due, and when they would have been."""
        self._is_running = False
        self._count = itertools.count()
        self._tasks: dict[int, asyncio.Task[Any]] = {}

    # What a program calls

    def time(self) -> float:
        return self.machine.monotonic

    def get_debug(self) -> bool:
        return False

    def is_running(self) -> bool:
        return self._is_running

    def is_closed(self) -> bool:
        return False

    def call_soon(  # type: ignore[override]
        self,
        callback: Callable[..., object],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.Handle:
        handle = asyncio.Handle(callback, args, self, context)
        self._ready.append(handle)
        if not self._is_running:
            self._arm(0.0)
        return handle

    call_soon_threadsafe = call_soon  # type: ignore[assignment]

    def call_later(  # type: ignore[override]
        self,
        delay: float,
        callback: Callable[..., object],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        now = self.machine.monotonic
        if type(delay) is not Idle or not self.machine.is_idle():
            return self.call_at(now + delay, callback, *args, context=context)
        timer = self.call_at(now + delay.longest, callback, *args, context=context)
        self._late = [(due, each) for due, each in self._late if each.when() > now]
        self._late.append((now + delay, timer))
        return timer

    def call_at(  # type: ignore[override]
        self,
        when: float,
        callback: Callable[..., object],
        *args: Any,
        context: contextvars.Context | None = None,
    ) -> asyncio.TimerHandle:
        timer = asyncio.TimerHandle(when, callback, args, self, context)
        heappush(self._timers, (when, next(self._count), timer))
        if not self._is_running:
            self._arm_timer()
        return timer

    def create_future(self) -> asyncio.Future[Any]:
        future = _Future(loop=self)
        future.number = next(self._count)
        return future

    def create_task(
        self,
        coro: Generator[Any, None, Any] | Coroutine[Any, Any, Any],
        *,
        name: str | None = None,
        context: contextvars.Context | None = None,
    ) -> asyncio.Task[Any]:
        task = _Task(coro, loop=self, name=name, context=context)
        task.number = next(self._count)
        self._tasks[task.number] = task
        task.add_done_callback(self._forget)
        return task

    def run_in_executor(  # type: ignore[override]
        self, executor: object, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """Do this after a while, in one step: a crash comes before all of it or after all of it."""
        future = self.create_future()

        def act() -> None:
            try:
                result = func(*args)
            except PowerCut:
                raise
            except BaseException as error:
                if not future.cancelled():
                    future.set_exception(error)
            else:
                if not future.cancelled():
                    future.set_result(result)

        self.call_later(self.machine.random.uniform(*WORK), act)
        return future

    async def create_connection(  # type: ignore[override]
        self,
        protocol_factory: Callable[[], asyncio.Protocol],
        host: str,
        port: int,
        **options: object,
    ) -> tuple[asyncio.Transport, asyncio.Protocol]:
        return await self.network.connect(self.machine, protocol_factory, host, port)

    async def create_server(  # type: ignore[override]
        self, protocol_factory: Callable[[], asyncio.Protocol], *, sock: Any, **options: Any
    ) -> object:
        return self.network.listen(self.machine, protocol_factory, sock)

    def remove_reader(self, fd: Any) -> bool:
        return False

    def call_exception_handler(self, context: dict[str, Any]) -> None:
        """An unexpected error: the world comes to its end."""
        error = context.get("exception")
        machine = self.machine
        if self.is_dead or machine.disk.is_cut or machine.world.trouble:
            return
        machine.world.trouble = error or RuntimeError(str(context.get("message")))

    def _timer_handle_cancelled(self, handle: asyncio.TimerHandle) -> None:
        pass

    def _forget(self, task: asyncio.Task[Any]) -> None:
        self._tasks.pop(task.number, None)  # type: ignore[attr-defined]
        if task.cancelled() or (error := task.exception()) is None:
            return
        is_endless = getattr(task.get_coro(), "__name__", "") in ENDLESS
        if is_endless or isinstance(error, MISTAKES):
            # The caller may wait for it for a long time, or throw it away.
            self.call_exception_handler({"exception": error})

    # What the world calls

    def wake(self) -> None:
        """Go on after a sleep."""
        self._arm(0.0)

    def die(self) -> None:
        """Take the program apart: what it still does reaches neither disk nor network."""
        self.is_dead = True
        with self._current():
            for _ in range(LAST_ROUNDS):
                for task in list(self._tasks.values()):
                    task.cancel()
                self._run_last_words()
                if not self._tasks:
                    return
                while self._timers and not self._ready:
                    timer = heappop(self._timers)[2]
                    if not timer.cancelled():
                        self._ready.append(timer)

    def _run_last_words(self) -> None:
        for _ in range(LAST_WORDS):
            if not self._ready:
                return
            self._ready.popleft()._run()

    def _arm_timer(self) -> None:
        timers = self._timers
        while timers and timers[0][2]._cancelled:
            heappop(timers)
        if timers:
            # Never zero: a caller who waits for a moment must find that it has come.
            machine = self.machine
            self._arm(max(RESOLUTION, (timers[0][0] - machine.monotonic) / machine.speed))

    def _arm(self, delay: float) -> None:
        world = self.machine.world
        when = max(world.time + delay, self.machine.busy_until)
        if when < self._armed:
            self._armed = when
            world.later(when - world.time, lambda: self._look(when))

    def _look(self, due: float) -> None:
        if due != self._armed:
            # Another, earlier look has been there.
            return
        self._armed = INFINITE
        machine = self.machine
        if self.is_dead or not machine.is_awake:
            return
        if machine.busy_until <= machine.world.time:
            _set_running_loop(self)
            self._is_running = True
            try:
                self._run_ready(machine)
                if self._late and not machine.is_idle():
                    self._hasten()
            finally:
                self._is_running = False
                _set_running_loop(None)
            if machine.disk.is_cut:
                machine.crash()
                return
        if self._ready:
            self._arm(0.0)
        else:
            self._arm_timer()

    def _run_ready(self, machine: Machine) -> None:
        timers, ready, disk, world = self._timers, self._ready, machine.disk, machine.world
        if timers:
            now = machine.monotonic
            while timers and timers[0][0] <= now:
                ready.append(heappop(timers)[2])
        left = MAX_ROUNDS
        while ready:
            if disk.is_cut or machine.busy_until > world.time:
                return
            handle = ready.popleft()
            if not handle._cancelled:
                handle._run()
            left -= 1
            if not left:
                raise RuntimeError(f"{machine.name} runs in circles")

    def _hasten(self) -> None:
        """Something is due now: look when that would have been otherwise."""
        late, self._late = self._late, []
        for due, timer in late:
            if not timer.cancelled() and timer.when() > self.machine.monotonic:
                self.call_at(due, timer._callback, *timer._args, context=timer._context)  # type: ignore[attr-defined]
                timer.cancel()

    @contextmanager
    def _current(self) -> Iterator[None]:
        before = _get_running_loop()
        _set_running_loop(self)
        self._is_running = True
        try:
            yield
        finally:
            self._is_running = False
            _set_running_loop(before)
