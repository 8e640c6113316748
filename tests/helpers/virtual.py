"""Virtual time for tests: an async test runs on a made-up machine, on the simulator's wires.

A folder whose tests live there says so in its `conftest.py`:

    def pytest_asyncio_loop_factories(item: pytest.Item) -> dict[str, LoopFactory]:
        return {"real": asyncio.new_event_loop} if … else {"virtual": virtual_loop}

What ships runs as it is; only what `tests/simulation/substitutes.py` names is made up. Nothing
waits: hours of a test take as long as what happens in them.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import errno
from asyncio.events import _get_running_loop, _set_running_loop
from collections.abc import Awaitable, Callable, Coroutine, Generator, Iterator
from typing import Any, Final, TypeVar, cast
from unittest.mock import patch

from spoof_tui.network.addresses import Address
from spoof_tui.runtime.background import BackgroundLoop
from spoof_tui.storage import files
from tests.simulation.laws import Laws
from tests.simulation.loop import MachineLoop
from tests.simulation.memory import remembered
from tests.simulation.substitutes import SimulatedSearch, here, simulated
from tests.simulation.wires import Network
from tests.simulation.world import Machine, World

T = TypeVar("T")

LoopFactory = Callable[[], asyncio.AbstractEventLoop]

LONGEST: Final = 3600.0
"""Virtual seconds after which a test counts as hanging."""


class _NoLaws:
    """Watches nothing: the simulator's laws need a whole evening."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        return lambda *_: None


class Computer(Machine):
    """A machine of a test."""

    def _new_loop(self) -> MachineLoop:
        return _TestLoop(self)  # type: ignore[abstract]


class _TestLoop(MachineLoop):
    """As much of an event loop as `asyncio.Runner` needs; closing it ends the world."""

    on_close: Callable[[], None] = staticmethod(lambda: None)

    def run_until_complete(self, future: Generator[Any, None, T] | Awaitable[T]) -> T:
        world, task = (
            self.machine.world,
            asyncio.ensure_future(cast(Awaitable[T], future), loop=self),
        )
        end = world.time + LONGEST
        try:
            while not task.done():
                assert world.time < end, "the test does not come to its end"
                world.step()
        finally:
            world.trouble = None
        return task.result()

    def set_debug(self, enabled: bool) -> None:
        pass

    async def shutdown_asyncgens(self) -> None:
        pass

    async def shutdown_default_executor(self, *_: object) -> None:
        pass

    def close(self) -> None:
        self.on_close()


def virtual_loop(seed: int = 1) -> asyncio.AbstractEventLoop:
    """A world with one machine, on which the test itself runs, and the loop of that."""
    world = World(seed)
    laws = cast(Laws, _NoLaws())
    network = Network(world, laws)
    network.is_watched = True
    substitutes = contextlib.ExitStack()
    substitutes.enter_context(simulated(network, laws))
    substitutes.enter_context(remembered())
    loop = _new_computer(network).loop
    assert isinstance(loop, _TestLoop)

    def close() -> None:
        for each in network.machines.values():
            each.loop.die()
        substitutes.close()

    loop.on_close = close
    return loop


def _new_computer(network: Network) -> Computer:
    number = len(network.machines)
    made = network.machines[f"m{number}"] = Computer(network.world, f"m{number}", number)
    made.on_crash = lambda is_told: network.crashed(made, is_told)
    return made


def network() -> Network:
    """Everything between the machines of this test; it can be cut, slow and deaf."""
    return here().loop.network


def computer() -> Machine:
    """One more machine, with its own disk, clocks and address."""
    return _new_computer(network())


def search() -> SimulatedSearch:
    """Discovery for the machine whose program runs now."""
    return SimulatedSearch(here())


def at(machine: Machine, port: int) -> Address:
    """A place on a machine."""
    return Address(machine.address, port)


@contextlib.contextmanager
def on(machine: Machine) -> Iterator[None]:
    """Calls made inside the context are those of a program on that machine."""
    before = _get_running_loop()
    _set_running_loop(machine.loop)
    try:
        yield
    finally:
        _set_running_loop(before)


async def done_on(machine: Machine, work: Coroutine[Any, Any, T]) -> T:
    """The result of a coroutine run by a program on that machine."""
    asking = here()
    answer: asyncio.Future[T] = asking.loop.create_future()

    def tell(task: asyncio.Task[T]) -> None:
        if task.cancelled():
            asking.do(answer.cancel)
        elif error := task.exception():
            asking.do(answer.set_exception, error)
        else:
            asking.do(answer.set_result, task.result())

    with on(machine):
        machine.loop.create_task(work).add_done_callback(tell)
    return await answer


@contextlib.contextmanager
def unwritable() -> Iterator[None]:
    """Inside the context no program finds, or makes, a folder for its files."""

    def refuse(path: object) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    # Not by a fixture, which would put the substitute back after the world has ended.
    with patch.object(files, "make_private_directory", refuse):
        yield


class VirtualBackground(BackgroundLoop):
    """A background loop on a machine: what is given to it happens there."""

    def __init__(self, machine: Machine) -> None:
        self.machine: Final = machine
        self._on_error = None

    @property
    def is_running(self) -> bool:
        return self.machine.is_up

    def run(self, work: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        result: concurrent.futures.Future[T] = concurrent.futures.Future()

        def tell(task: asyncio.Task[T]) -> None:
            if task.cancelled():
                result.cancel()
            elif error := task.exception():
                result.set_exception(error)
            else:
                result.set_result(task.result())

        with on(self.machine):
            self.machine.loop.create_task(work).add_done_callback(tell)
        return result

    def call(self, function: Callable[..., object], *arguments: Any) -> None:
        self.machine.do(function, *arguments)
