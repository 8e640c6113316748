"""Writing to the disk, and what has to wait for it, without ever blocking an event loop.

A host and a guest say what they want done as a list of effects, and safety depends on the order: an
entry is on the host's disk before anybody hears of it, a secret hand on its player's disk before
its seal leaves, an ending word before the host is told that this seat holds it, a promise before
the support that it is given for. A disk may take long to confirm a write, and an event loop that
waited for it would delay every link, ping and clock.

So `OrderedEffects` keeps the order and leaves the waiting to others:

- A `Disk` does the writes, one batch at a time, in the order in which they were put. Whatever
  comes while one batch is being written forms the next one: a slow disk gets fewer and larger
  batches, and is never more than two behind.
- An effect of `DiskTask.WRITE_FIRST` holds back all that were put after it until it is on the disk.
  Nothing overtakes it, not even pings: a ping says how much of the log was sent before it, and
  its answer how much is on the disk. Effects that depend on nothing written (a handshake with a
  stranger) do not pass through here.
- An effect of `DiskTask.WRITE` holds nothing back: the copy of a log that its host has already.
- A write may be done earlier than its turn, with the batch before it; never later.
- What cannot be written stays first in line, and is tried again every `RETRY_DELAY`: a full disk
  counts as a disk that is slow until there is room. So a log has no gap, and nobody is told that
  something is kept before it is. Owners keep the line short: see `TableServer` and `Session`.

`DISK` is the only place where another thread comes in: tests and simulators put their own there.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from queue import SimpleQueue
from typing import Any, Final, Generic, Protocol, TypeVar

RETRY_DELAY: Final = 0.5
"""Seconds from a failed write to the next attempt, which takes the disk's thread only a moment."""

T = TypeVar("T")
E = TypeVar("E")
P = TypeVar("P", contravariant=True)


class Disk(Protocol):
    """Runs jobs that may take as long as a disk takes, one after the other."""

    def run(self, job: Callable[[], T]) -> asyncio.Future[T]:
        """Run `job` after all earlier jobs; the future gets its result or its error."""


class ThreadDisk:
    """A disk whose jobs run in a thread, so that no event loop waits for them."""

    def __init__(self) -> None:
        self._jobs: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._thread: threading.Thread | None = None

    def run(self, job: Callable[[], T]) -> asyncio.Future[T]:
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        if self._thread is None:
            # A daemon, so that a disk that hangs does not keep the program from exiting.
            self._thread = threading.Thread(target=self._work, name="disk", daemon=True)
            self._thread.start()
        self._jobs.put(lambda: _do(job, loop, done))
        return done

    def _work(self) -> None:
        while True:
            self._jobs.get()()


class InlineDisk:
    """A disk whose jobs run at once: for what is kept in memory, or not at all."""

    def run(self, job: Callable[[], T]) -> asyncio.Future[T]:
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        try:
            _complete(done, job(), None)
        except Exception as error:
            _complete(done, None, error)
        return done


DISK: Disk = ThreadDisk()
"""The disk of this process."""

INLINE: Final = InlineDisk()


def _do(job: Callable[[], T], loop: asyncio.AbstractEventLoop, done: asyncio.Future[T]) -> None:
    result, error = None, None
    try:
        result = job()
    except Exception as caught:
        error = caught
    # The loop may be closed by now; then nobody is waiting.
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(_complete, done, result, error)


def _complete(done: asyncio.Future[Any], result: object, error: Exception | None) -> None:
    if done.done():
        return
    if error is None:
        done.set_result(result)
    else:
        done.set_exception(error)


class DiskTask(Enum):
    """What has to be on disk for an effect, and what waits for it."""

    ACT = "act"
    """Nothing is written; the effect is carried out in its turn."""
    WRITE = "write"
    """The effect is written to disk, and no later effect waits for that."""
    WRITE_FIRST = "write first"
    """The effect is written to disk, and all later effects wait for that."""


@dataclass(slots=True, eq=False)
class _Item(Generic[E]):
    effect: E
    kind: DiskTask
    is_written: bool = False


class EffectOwner(Protocol[P]):
    """The owner of effects that are carried out in order: it writes them to disk and carries them
    out."""

    on_trouble: Callable[[], None]
    """Called when nothing can be written any more, and when it can again."""

    def kind_of(self, effect: P) -> DiskTask:
        """How this effect has to be treated."""

    def write(self, effects: Sequence[P]) -> None:
        """Write these effects in order, all or none; raises `OSError`. Called by the disk, where it
        may take long."""

    def act(self, effect: P) -> None:
        """Carry out an effect that writes nothing, or take note that a `WRITE_FIRST` is on disk."""


class OrderedEffects(Generic[E]):
    """Effects that are carried out in order, each after everything that has to be on disk before
    it."""

    def __init__(
        self, owner: EffectOwner[E], disk: Disk, idle: Callable[[], None] | None = None
    ) -> None:
        """`idle` is called when all effects that need not wait are carried out, and when trouble
        begins or ends."""
        self.trouble: OSError | None = None
        """Why nothing can be written now; None if writing works."""
        self._owner = owner
        self._idle = idle
        self._known_trouble: OSError | None = None
        self._disk = disk
        self._waiting: deque[_Item[E]] = deque()
        self._unwritten: list[_Item[E]] = []
        self._is_writing = False
        self._is_acting = False
        self._retry: asyncio.TimerHandle | None = None
        self._is_closed = False
        self._is_idle = asyncio.Event()
        self._is_idle.set()

    def put(self, effects: Iterable[E]) -> None:
        """Carry these effects out after all earlier ones: at once, unless one of those waits for
        the disk."""
        for effect in effects:
            item = _Item(effect, self._owner.kind_of(effect))
            if item.kind is not DiskTask.ACT:
                self._unwritten.append(item)
            if item.kind is not DiskTask.WRITE:
                self._waiting.append(item)
        self._go_on()

    def forget(self, is_vain: Callable[[E], bool]) -> None:
        """Drop the waiting effects that write nothing and for which `is_vain` is true."""
        self._waiting = deque(
            item
            for item in self._waiting
            if item.kind is not DiskTask.ACT or not is_vain(item.effect)
        )

    async def finish(self, within: float) -> None:
        """Wait until everything is written and carried out, but no longer than so many seconds."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(within):
                await self._is_idle.wait()

    def close(self) -> None:
        """Write nothing more; what is not written yet was told to nobody, and is dropped.

        Another program of the same player may use the file from now on.
        """
        self._is_closed = True
        if self._retry:
            self._retry.cancel()

    def _go_on(self) -> None:
        if self._is_acting or self._is_closed:
            # What follows from an effect comes after those that were queued with it.
            return
        self._act()
        while self._unwritten and not (self._is_writing or self._retry):
            self._begin_write()
        if self._waiting or self._unwritten or self._is_writing:
            self._is_idle.clear()
        else:
            self._is_idle.set()

    def _act(self) -> None:
        self._is_acting = True
        try:
            while self._waiting:
                item = self._waiting[0]
                if item.kind is DiskTask.WRITE_FIRST and not item.is_written:
                    break
                self._waiting.popleft()
                self._owner.act(item.effect)
        finally:
            self._is_acting = False
        if self.trouble is not self._known_trouble:
            self._known_trouble = self.trouble
            self._owner.on_trouble()
        if self._idle:
            self._idle()

    def _begin_write(self) -> None:
        items, self._unwritten = self._unwritten, []
        effects = [item.effect for item in items]
        self._is_writing = True
        done = self._disk.run(lambda: None if self._is_closed else self._owner.write(effects))
        if done.done():
            self._end_write(items, done)
            self._act()
        else:
            done.add_done_callback(lambda done: self._written(items, done))

    def _written(self, items: list[_Item[E]], done: asyncio.Future[None]) -> None:
        if not done.cancelled():
            self._end_write(items, done)
            self._go_on()

    def _end_write(self, items: list[_Item[E]], done: asyncio.Future[None]) -> None:
        self._is_writing = False
        self.trouble = None
        try:
            done.result()
        except OSError as error:
            self.trouble = error
            self._unwritten[:0] = items
            self._retry = asyncio.get_running_loop().call_later(RETRY_DELAY, self._try_again)
            if self._is_closed:
                self._retry.cancel()
        else:
            for item in items:
                item.is_written = True

    def _try_again(self) -> None:
        self._retry = None
        self._go_on()
