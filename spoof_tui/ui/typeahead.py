"""Handles keys that are typed faster than the program works."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator, Sequence
from time import process_time
from typing import Any, Final

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message import Message

from protocol.host.rate_limit import Bucket
from spoof_tui.clock import now

MANY: Final = 16
"""The most keys of one read whose effects are shown in a single update of the screen."""

TIMEOUT: Final = 0.25
"""Seconds to wait for a key or an update to be handled before the next key is handed over
anyway."""

WORK_BURST: Final = 1000
"""Milliseconds of processor time that a visitor's keys may take at once."""

WORK_RATE: Final = 50
"""Milliseconds of processor time per second after that; several times what playing needs."""

WORK_OF_KEY: Final = 50
"""The most milliseconds counted for one key, since the program may be busy with other things."""


class Typeahead:
    """Hands a terminal's keys to the app one by one; used by the thread that reads them.

    A key may open the screen for which the next one is meant. Many keys are shown in a single
    update, and no queue of keys builds up in the app.
    """

    def __init__(
        self,
        app: App[Any],
        loop: asyncio.AbstractEventLoop,
        stop: threading.Event,
        *,
        is_limited: bool,
    ) -> None:
        """`loop` is the app's; waiting ends when `stop` is set.

        `is_limited`: a visitor's keys may take only part of the processor, so that the table keeps
        running.
        """
        self._app, self._loop, self._stop = app, loop, stop
        self._work = Bucket(WORK_BURST, 1 / WORK_RATE) if is_limited else None

    def hand_over(self, read: Sequence[Message]) -> Iterator[Message]:
        """Yield the messages of a read, each key once the one before has been handled."""
        begun = process_time()
        for at in range(0, len(read), MANY):
            some = read[at : at + MANY]
            is_many = sum(isinstance(each, events.Key) for each in some) > 1
            yield from self._in_one_picture(some) if is_many else self._in_turn(some)
        if self._work:
            keys = sum(isinstance(each, events.Key) for each in read)
            spent = min(round((process_time() - begun) * 1000), keys * WORK_OF_KEY)
            self._stop.wait(self._work.spend(spent, now().monotonic))

    def _in_one_picture(self, some: Sequence[Message]) -> Iterator[Message]:
        batch = self._app.batch_update()
        self._loop.call_soon_threadsafe(batch.__enter__)
        try:
            yield from self._in_turn(some)
        finally:
            self._loop.call_soon_threadsafe(batch.__exit__, None, None, None)
        self._wait(_painted(self._app))

    def _in_turn(self, some: Sequence[Message]) -> Iterator[Message]:
        for number, message in enumerate(some, 1):
            yield message
            if isinstance(message, events.Key) or number == len(some):
                self._wait(_handled(self._app))

    def _wait(self, until: Coroutine[Any, Any, None]) -> None:
        waiting = asyncio.run_coroutine_threadsafe(until, self._loop)
        try:
            # The loop may be waiting for this thread.
            waiting.result(0 if self._stop.is_set() else TIMEOUT)
        except TimeoutError:
            waiting.cancel()


async def _handled(app: App[Any]) -> None:
    """Wait until the app has handled all messages sent to it so far."""
    await _turn(app)
    node: DOMNode | None = (app.focused or app.screen) if app.screen_stack else None
    while node is not None:
        await _turn(node)
        # A key for which a widget has no use goes on to its parent.
        node = node.parent


async def _turn(node: DOMNode) -> None:
    done = asyncio.Event()
    if node.call_later(done.set):
        await done.wait()


async def _painted(app: App[Any]) -> None:
    done = asyncio.Event()
    if app.screen_stack and app.screen.call_after_refresh(done.set):
        await done.wait()
