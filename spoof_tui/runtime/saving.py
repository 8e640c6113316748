"""Whole files that are written where no loop waits for them, and what is told of the disk."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from spoof_tui.runtime.notices import DiskTrouble, Notice, NotSaved
from spoof_tui.storage.disk import RETRY_DELAY, Disk


class Saver:
    """Writes whole files where no loop waits for them."""

    def __init__(self, disk: Disk, notify: Callable[[Notice], None]) -> None:
        self._disk = disk
        self._notify = notify
        self._saving: set[asyncio.Future[Path | None]] = set()

    def save(
        self,
        job: Callable[[], Path | None],
        done: Callable[[Path | None], None],
        *,
        waits_for_room: bool = False,
        is_told: bool = False,
    ) -> None:
        """Write a file, and go on with its path.

        If that does not go well, this is told, unless it is known; then `done` is given None at
        once, or the path as soon as there is room.
        """

        def saved(future: asyncio.Future[Path | None]) -> None:
            self._saving.discard(future)
            path = None
            try:
                path = future.result()
            except OSError as error:
                if not is_told:
                    self._notify(NotSaved(error))
                if waits_for_room:
                    again = partial(self.save, job, done, waits_for_room=True, is_told=True)
                    asyncio.get_running_loop().call_later(RETRY_DELAY, again)
                    return
            done(path)

        saving = self._disk.run(job)
        self._saving.add(saving)
        saving.add_done_callback(saved)

    async def wait(self, most: float | None = None) -> None:
        """Wait for the files that are being written, at most for so many seconds."""
        if self._saving:
            await asyncio.wait(self._saving, timeout=most)


class DiskReport:
    """Tells once that nothing can be written, and once that this is over."""

    def __init__(self, notify: Callable[[DiskTrouble], None]) -> None:
        self._notify = notify
        self._told: DiskTrouble | None = None

    def look(self, host: OSError | None, seat: OSError | None = None) -> None:
        """Tell what is another than at the last look, of the table's log and of the own seat."""
        told, error = self._told, host or seat
        if error is None:
            if told:
                self._told = None
                self._notify(DiskTrouble(None, told.is_host))
            return
        is_news = told is None or told.error is None or told.error.errno != error.errno
        if is_news or (host and told and not told.is_host):
            self._told = DiskTrouble(error, is_host=host is not None)
            self._notify(self._told)
