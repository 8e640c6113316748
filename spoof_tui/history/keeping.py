"""Adds a game to the history as soon as it is saved, in a thread that nobody waits for."""

from __future__ import annotations

import asyncio
from pathlib import Path

from spoof_tui.history.schema import FILE
from spoof_tui.storage.disk import Disk, ThreadDisk

KEEPER: Disk = ThreadDisk()
"""A thread of its own, so that writes that a game waits for do not queue behind it."""


def note(record: Path) -> asyncio.Future[None]:
    """Have the record of a finished game added to the history beside it, if there is one."""
    noting = KEEPER.run(lambda: _add(record))
    # The next program that opens the history makes up for any failure.
    noting.add_done_callback(lambda done: done.cancelled() or done.exception())
    return noting


def _add(record: Path) -> None:
    if not (record.parent.parent / FILE).exists():
        return
    # Loads SQLite and the notation only for a user who has a history, and only after a game.
    from spoof_tui.history.index import add

    add(record)
