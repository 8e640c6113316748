"""Whole files that are written where no loop waits for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from spoof_tui.runtime.notices import Notice, NotSaved
from spoof_tui.storage.disk import Disk


class Saver:
    """Writes whole files where no loop waits for them."""

    def __init__(self, disk: Disk, notify: Callable[[Notice], None]) -> None:
        self._disk = disk
        self._notify = notify
        self._saving: set[asyncio.Future[Path | None]] = set()

    def save(self, job: Callable[[], Path | None], done: Callable[[Path | None], None]) -> None:
        """Write a file, and go on with its path, or with None if that did not go well."""

        def saved(future: asyncio.Future[Path | None]) -> None:
            self._saving.discard(future)
            try:
                path = future.result()
            except OSError as error:
                self._notify(NotSaved(error))
                path = None
            done(path)

        saving = self._disk.run(job)
        self._saving.add(saving)
        saving.add_done_callback(saved)

    async def wait(self, most: float) -> None:
        """Wait for the files that are under way, at most for so many seconds."""
        if self._saving:
            await asyncio.wait(self._saving, timeout=most)
