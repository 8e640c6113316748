"""The log at its host: what gets into it, and how much of what binds nobody."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Illegal, LocalError, Reason
from protocol.guest.effects import Refused
from protocol.host import sequencer as sequencing
from protocol.host.sequencer import Sequencer
from protocol.limits import (
    LOG_RESERVE,
    RETURNS_BURST,
    SEATING_BURST,
    TALK_BURST,
    TALK_INTERVAL,
    TALK_OF_ROUND,
)
from protocol.rules.words import Bid, Ending
from protocol.table.fold import advance, fold
from protocol.table.head import Head
from protocol.table.log import Entry, Intent
from protocol.table.state import Phase, Table
from protocol.table.statements import (
    NO_ONE,
    Fist,
    Leave,
    Measure,
    Open,
    Ready,
    Say,
    Sit,
    Speak,
    Vote,
    Witness,
)
from protocol.timing import Moment
from protocol.wire.messages import Refusal
from tests.helpers.tables import MemoryTable
from tests.protocol.joining import newcomer
from tests.protocol.stories import Desk, Story, refused, signing_key


def key_of(who: int) -> bytes:
    return signing_key(who).public


def talk(desk: Desk, story: Story, link: int, who: int, number: int) -> None:
    desk.propose(link, story.intent(who, Say(ForeignText("!")), sequence=number))


def test_talk_in_one_round_is_bounded_however_long_it_takes() -> None:
    story = Story(2).start(0, 1).toss(0, 1)
    assert story.table.phase is Phase.CHOOSING
    desk = Desk(story)
    link = desk.join(0)
    begin = len(desk.host.log)
    for number in range(TALK_OF_ROUND + 20):
        talk(desk, story, link, 0, 100 + number)
        desk.pass_time(TALK_INTERVAL, link)
    assert len(desk.host.log) - begin == TALK_OF_ROUND


def test_before_a_game_one_may_talk_on_and_on_but_not_at_once() -> None:
    story = Story(2)
    desk = Desk(story)
    link = desk.join(0)
    for number in range(TALK_BURST + 1):
        talk(desk, story, link, 0, 100 + number)
    refusals = [m for m in desk.heard(link) if isinstance(m, Refusal)]
    assert [refusal.code for refusal in refusals] == [Reason.TOO_FAST.code]


def test_many_keys_cannot_fill_the_log_by_sitting_down_and_leaving() -> None:
    table = MemoryTable(0)
    for _ in range(SEATING_BURST):
        client = table.add()
        if table.host.table.seat(client.guest.key):
            table.act(client, client.guest.state(Leave()))
    assert len(table.host.log) == 1 + SEATING_BURST
    refused = [e.reason for c in table.clients for e in c.events if isinstance(e, Refused)]
    assert refused and set(refused) == {Reason.TOO_FAST}


def test_a_key_that_comes_and_goes_cannot_fill_the_log() -> None:
    table = MemoryTable(1)
    (client,) = table.clients
    for _ in range(RETURNS_BURST * 3):
        table.cut(client)
        table.connect(client)
    assert len(table.host.log) < 2 * RETURNS_BURST + 5


# One entry after the other


def sequencer(story: Story) -> Sequencer:
    return Sequencer(story.host_key, story.entries)


def at_time(seconds: float, wall: int = 1_700_000_001_000) -> Moment:
    return Moment(seconds, wall + int(seconds * 1000))


stages = st.sampled_from(
    [
        Story(3),
        Story(3).ready(0),
        Story(3).start(0, 1, 2),
        Story(3).start(0, 1, 2).toss(0, 1, 2),
        Story(3).start(0, 1, 2).toss(0, 1, 2).fists(1, 0, 2),
        Story(3).start(0, 1, 2).toss(0, 1, 2).fists(1, 0, 2).say(Bid(2), Ending.CALL),
        Story(3).pause(),
    ]
)
"""Tables in every phase."""

statements = st.one_of(
    st.builds(Sit, st.just(ForeignText("Ann"))),
    st.just(Leave()),
    st.just(Witness()),
    st.builds(Speak, st.one_of(st.builds(Bid, st.integers(0, 10)), st.sampled_from(Ending))),
    st.builds(Fist, st.binary(min_size=32, max_size=32)),
    st.builds(Open, st.integers(0, 3), st.binary(min_size=32, max_size=32)),
    st.just(Say(ForeignText("!"))),
)


@given(stages, st.integers(0, 4), statements, st.integers(0, 20), st.integers(0, 40))
def test_what_is_refused_changes_nothing_and_what_is_taken_follows(
    story: Story, who: int, statement: Message, sequence: int, seen: int
) -> None:
    log = sequencer(story)
    head = story.entries[seen % len(story.entries)].head
    intent = Intent.sign(signing_key(who), sequence, head, statement)
    before, length = log.table, len(log.log)
    try:
        entry = log.append(intent, at_time(1))
    except Illegal:
        assert (log.table, len(log.log)) == (before, length)
        with pytest.raises(BrokenLog):
            fold(before, Entry.sign(story.host_key, 0, log.log.head, before.time, intent))
    else:
        assert (log.table, len(log.log)) == (fold(before, entry), length + 1)


def test_the_rules_are_asked_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def counted(*arguments: Any) -> Table:
        asked.append(arguments)
        return advance(*arguments)

    monkeypatch.setattr(sequencing, "advance", counted)
    story = Story(1)
    sequencer(story).append(story.intent(0, Say(ForeignText("!"))), at_time(1))
    assert len(asked) == 1


def test_an_intent_that_saw_another_log_is_refused() -> None:
    story = Story(1)
    with refused(Reason.OTHER_LOG):
        sequencer(story).append(story.intent(0, Leave(), Head(2, bytes(32))), at_time(1))


def test_talk_and_seats_leave_room_for_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    story = Story(2).ready(0)
    monkeypatch.setattr(sequencing, "MAX_LOG", len(story.entries) + LOG_RESERVE)
    log = sequencer(story)
    for statement in (Say(ForeignText("!")), Leave(), Vote(Measure.MUTE, key_of(0), yes=True)):
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
    assert log.time(at_time(0, wall=2**42 - 3_600_000)) == before
    assert log.time(at_time(2, wall=2**42 - 3_600_000)) == before + 2000


def test_a_table_begins_with_its_first_entry() -> None:
    with pytest.raises(LocalError):
        _ = Sequencer(signing_key(0), []).table


def test_whoever_watches_a_table_that_is_shut_takes_no_seat_there() -> None:
    table = MemoryTable(2)
    watcher = newcomer(table)
    table.decide(Measure.LOCK, NO_ONE)
    table.act(watcher, watcher.guest.state(Sit(ForeignText("Eve"))))
    assert [each.reason for each in watcher.events if isinstance(each, Refused)] == [
        Reason.TABLE_LOCKED
    ]
    bot = table.add(name="Bot")
    assert table.host.table.seat(bot.guest.key)


# What a candidate lacks


def behind(story: Story, count: int) -> tuple[Sequencer, list[bytes]]:
    """A candidate without the last entries of a story, and these."""
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
