"""Puts a game into the history as soon as it is saved, where nobody waits for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from spoof_tui.history.schema import FILE
from spoof_tui.storage.disk import Disk, ThreadDisk

KEEPER: Disk = ThreadDisk()
"""A thread of its own: what must be on the disk before a game goes on does not wait for it."""


def note(record: Path) -> asyncio.Future[None]:
    """Have the record of a finished game put into the history beside it, if there is one."""
    noting = KEEPER.run(lambda: _add(record))
    # What goes wrong is made good by the next that opens the history.
    noting.add_done_callback(lambda done: done.cancelled() or done.exception())
    return noting


def _add(record: Path) -> None:
    if not (record.parent.parent / FILE).exists():
        return
    # SQLite and the notation are loaded for somebody who has a history, and after a game.
    from spoof_tui.history.index import add

    add(record)
