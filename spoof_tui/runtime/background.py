"""A thread with its own event loop, for everything that must not wait for a terminal.

The interface's loop blocks while the terminal does (Ctrl-S, a frozen ssh client). Servers, sessions
and discovery run here instead, and keep the table going.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import sys
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final, TypeVar

from spoof_tui import system

T = TypeVar("T")

SWITCH_INTERVAL: Final = 0.001
"""Seconds for which the interface's thread may keep this one from running: a fifth of Python's
default."""

PATIENCE: Final = 0.2
"""Seconds that cancelled tasks may take to end."""

LAST_TIMEOUT: Final = 0.75
"""Seconds that the last work of a program may take."""


class BackgroundLoop:
    """The background thread; start it once, stop it at the end."""

    def __init__(self, on_error: Callable[[BaseException], None] | None = None) -> None:
        """`on_error` is called in the thread with every error that nobody would see otherwise."""
        self._on_error = on_error
        self._loop = system.network_loop()
        if on_error:
            self._loop.set_exception_handler(self._failed)
        self._thread = threading.Thread(target=self._run, name="background", daemon=True)
        self._given: set[concurrent.futures.Future[Any]] = set()
        """Work that is not done yet, kept here because asyncio itself has no strong reference to a
        waiting task."""

    @property
    def is_running(self) -> bool:
        """Whether the thread is running and accepts work."""
        return self._thread.is_alive()

    def start(self) -> None:
        """Start the thread."""
        sys.setswitchinterval(SWITCH_INTERVAL)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        """Run a coroutine in the thread; the future gets its result or its error."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        self._given.add(future)
        future.add_done_callback(self._given.discard)
        return future

    def spawn(self, work: Coroutine[Any, Any, object]) -> concurrent.futures.Future[object]:
        """Run a coroutine that nobody waits for; its error goes to `on_error`."""
        future = self.run(work)
        future.add_done_callback(self._spawned)
        return future

    def call(self, function: Callable[..., object], *arguments: Any) -> None:
        """Have the thread call a function soon; returns at once."""
        self._loop.call_soon_threadsafe(function, *arguments)

    def stop(self, timeout: float = 2.0) -> None:
        """End the thread, after cancelling what still runs there; waits up to `timeout` seconds for
        each of the two."""
        if not self._thread.is_alive():
            # It never ran, or is closed already.
            self._loop.close()
            return
        try:
            self.run(self._finish()).result(timeout + PATIENCE)
        except (TimeoutError, concurrent.futures.CancelledError):
            pass
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(timeout)

    def _spawned(self, future: concurrent.futures.Future[object]) -> None:
        error = None if future.cancelled() else future.exception()
        if error and self._on_error:
            self._on_error(error)

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if self._on_error and isinstance(error, Exception):
            self._on_error(error)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._loop.run_forever()
        # Tasks are left only if the thread hung while it was stopped. `_finish` may be one of them,
        # and ends every other task: what waits here must be none.
        rest = asyncio.all_tasks(self._loop)
        for task in rest:
            task.cancel()
        if rest:
            self._loop.run_until_complete(asyncio.gather(*rest, return_exceptions=True))
        self._loop.close()

    async def _finish(self) -> None:
        await system.end(*(asyncio.all_tasks() - {asyncio.current_task()}))


class LastWork:
    """The last work of a program in its background loop: done once, whoever asks for it first,
    within a time limit."""

    def __init__(
        self,
        background: BackgroundLoop,
        work: Callable[[], Coroutine[Any, Any, object]],
        timeout: float = LAST_TIMEOUT,
    ) -> None:
        """`work` is run once and may take up to `timeout` seconds from its start."""
        self._background = background
        self._work = work
        self._timeout = timeout
        self._lock = threading.Lock()
        self._until = 0.0
        self._doing: concurrent.futures.Future[object] | None = None

    def begin(self) -> None:
        """Start the work unless it has started; may be called in any thread."""
        with self._lock:
            if self._doing is None and self._background.is_running:
                self._until = time.monotonic() + self._timeout
                self._doing = self._background.run(self._work())

    def finish(self) -> None:
        """Start the work unless it has started, and wait until it is done or its time is up.

        To be called in any thread but the loop's.
        """
        self.begin()
        if self._doing is not None:
            concurrent.futures.wait([self._doing], max(0.0, self._until - time.monotonic()))
