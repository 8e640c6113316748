"""How far a log goes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from protocol.table.head import EMPTY, NO_HASH, Head
from protocol.table.log import Log
from tests.protocol.stories import Story


def test_an_empty_log_has_the_head_of_nothing() -> None:
    assert Log().head == EMPTY == Head(0, NO_HASH)
    assert len(NO_HASH) == 32 and not any(NO_HASH)


@given(st.integers(0, 6))
def test_a_head_counts_the_entries_and_has_the_hash_of_the_last_one(more: int) -> None:
    story = Story(3)
    if more:
        story.start(0, 1, 2).toss(*range(min(more, 3)))
    entries = story.entries
    assert Log(entries).head == Head(len(entries), entries[-1].hash)


def test_every_entry_stands_on_the_head_before_it() -> None:
    log = Log()
    for entry in Story(3).start(0, 1, 2).entries:
        assert entry.previous == log.head.hash
        log.append(entry)
    assert log.head.length == len(log)


def test_two_logs_of_one_length_are_told_apart_by_their_hash() -> None:
    one, other = Story(2).away(0).table.head, Story(2).away(1).table.head
    assert one.length == other.length
    assert one != other
