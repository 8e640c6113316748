"""A log and the table that it says, kept in step."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.errors import BrokenLog
from protocol.table.replica import Replica
from protocol.table.statements import Leave
from tests.protocol.stories import Story


def test_a_replica_says_what_its_log_says() -> None:
    story = Story(3).start(0, 1, 2)
    replica = Replica(story.entries)
    assert (replica.table, replica.log.head) == (story.table, story.table.head)
    assert Replica().table is None


def test_what_does_not_follow_is_not_added() -> None:
    story = Story(2)
    replica = Replica(story.entries)
    for entry in (story.entries[0], replace(story.entry(0, Leave()), epoch=7)):
        with pytest.raises(BrokenLog):
            replica.take(entry)
        assert (replica.table, len(replica.log)) == (story.table, len(story.entries))


def test_a_replica_moves_to_another_past() -> None:
    story = Story(2)
    one, other = story.copy().tell(0, Leave()), story.copy().tell(1, Leave())
    replica = Replica(one.entries)
    start = len(story.entries)
    replica.move(start, other.entries[start:], other.table)
    assert (replica.table, list(replica.log)) == (other.table, other.entries)
