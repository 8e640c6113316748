"""A table at which a game is over, and its log; and two logs of which one has to give way."""

from __future__ import annotations

from typing import Final

from protocol.table.log import Entry
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import Story


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


_STORY: Final = Story(4).start(0, 1, 2, 3).toss(0, 1, 2, 3)


def _parted() -> tuple[int, list[Entry], list[Entry]]:
    """How much the log of a host in epoch 1 shares with that of one in epoch 2, and both."""
    lost, other = _STORY.copy().move(1, 0, 1, 2).away(3), _STORY.copy().away(0, 3)
    other.take(other.moved_entry(other.moving(2, 1, 2, 3, epoch=2), 2))
    return len(other.entries) - 3, lost.entries, other.entries


PARTED: Final = _parted()
THIRD: Final = _STORY.copy().away(1).entries[-1]
"""What a third log has where these two part."""
