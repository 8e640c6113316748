"""The log at its host: what gets into it, and how much of the talk does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.host import sequencer as sequencing
from protocol.host.sequencer import Sequencer
from protocol.limits import (
    LOG_RESERVE,
)
from protocol.table.statements import (
    Leave,
    Measure,
    Ready,
    Say,
    Vote,
)
from protocol.timeouts import Moment
from tests.protocol.stories import Story, public, refused, signing_key

# One entry after the other


def sequencer(story: Story) -> Sequencer:
    return Sequencer(story.host_key, story.entries)


def at_time(seconds: float, wall: int = 1_700_000_001_000) -> Moment:
    return Moment(seconds, wall + int(seconds * 1000))


def test_talk_and_seats_leave_room_for_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    story = Story(2).ready(0)
    monkeypatch.setattr(sequencing, "MAX_LOG", len(story.entries) + LOG_RESERVE)
    log = sequencer(story)
    for statement in (Say(ForeignText("!")), Leave(), Vote(Measure.MUTE, public(0), yes=True)):
        with refused(Reason.LOG_FULL):
            log.append(story.intent(1, statement), at_time(1))
    log.append(story.intent(1, Ready(story.share(1).seal)), at_time(1))
    assert len(log.log) == len(story.entries) + 1


def test_a_full_log_takes_nothing_of_anybody(monkeypatch: pytest.MonkeyPatch) -> None:
    story = Story(2).ready(0)
    monkeypatch.setattr(sequencing, "MAX_LOG", len(story.entries))
    with refused(Reason.LOG_FULL):
        sequencer(story).append(story.intent(1, Ready(story.share(1).seal)), at_time(1))


def test_the_clock_of_the_log_goes_on_though_this_machines_is_behind() -> None:
    story = Story(1)
    log = sequencer(story)
    first = log.append(story.intent(0, Say(ForeignText("!"))), at_time(0, wall=5))
    assert first.time == story.table.time
    assert log.time(at_time(2, wall=5)) == story.table.time + 2000


def test_the_clock_of_the_log_goes_on_when_this_machines_is_set_back() -> None:
    log = sequencer(Story(1))
    before = log.time(at_time(0, wall=2**42))
    for hours in (1, 2):
        assert log.time(at_time(0, wall=2**42 - hours * 3_600_000)) == before
    assert log.time(at_time(2, wall=2**42 - 2 * 3_600_000)) == before + 2000


def test_the_clock_of_the_log_goes_on_from_what_was_borrowed_of_a_clock_that_is_ahead() -> None:
    story = Story(2).start(0, 1).toss(0, 1)
    kept = len(story.entries)
    story.wait(3600).fists(1, 2)
    candidate = Sequencer(signing_key(1), story.entries[:kept])
    candidate.time(at_time(0))
    candidate.borrow((entry.blob for entry in story.entries[kept:]), 1)
    assert candidate.time(at_time(1)) == story.table.time
    assert candidate.time(at_time(3)) == story.table.time + 2000


def test_what_answers_another_log_gets_into_none() -> None:
    story = Story(2)
    with refused(Reason.OTHER_LOG):
        sequencer(story).append(Story(2, salt=77).intent(0, Leave()), at_time(1))


# What a candidate lacks


def behind(story: Story, count: int) -> tuple[Sequencer, list[bytes]]:
    """A candidate that lacks the last entries of a story, and these entries."""
    kept = len(story.entries) - count
    lent = [entry.blob for entry in story.entries[kept:]]
    return Sequencer(signing_key(1), story.entries[:kept]), lent


@given(st.integers(1, 8), st.integers(0, 4))
def test_what_follows_is_borrowed_and_what_is_here_is_passed_over(count: int, again: int) -> None:
    story = Story(2).start(0, 1).toss(0, 1).fists(1, 2)
    sequencer, lent = behind(story, count)
    known = [entry.blob for entry in story.entries[-count - again : -count]]
    assert [entry.blob for entry in sequencer.borrow([*known, *lent], 1)] == lent
    assert sequencer.log.head == story.entries[-1].head
    assert sequencer.borrow(lent, 1) == []


@pytest.mark.parametrize("place", [0, 1, 2])
def test_the_first_that_does_not_follow_ends_what_is_borrowed(place: int) -> None:
    story = Story(2).start(0, 1).toss(0, 1).fists(1, 2)
    sequencer, lent = behind(story, 3)
    lent[place] = lent[place][:-1] + bytes([lent[place][-1] ^ 1])
    assert len(sequencer.borrow(lent, 1)) == place


def test_nothing_is_borrowed_of_the_own_epoch_or_a_later_one() -> None:
    story = Story(2).start(0, 1).toss(0, 1).fists(1, 2)
    sequencer, lent = behind(story, 3)
    assert sequencer.borrow(lent, 0) == []
