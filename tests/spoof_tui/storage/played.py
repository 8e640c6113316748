"""A table at which a game is over, and its log."""

from __future__ import annotations

from typing import Final

from tests.helpers.tables import MemoryTable


def _played() -> MemoryTable:
    table = MemoryTable(2, seed=5)
    table.ready()
    table.play_on()
    return table


TABLE: Final = _played()
ID: Final = TABLE.host.table.id
WHOLE: Final = list(TABLE.host.log)
OVER: Final = TABLE.host.table
BLOBS: Final = [entry.blob for entry in WHOLE]
