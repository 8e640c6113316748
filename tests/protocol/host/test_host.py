"""The host's side: a sequencer whose only powers are order and time."""

from dataclasses import replace

import pytest

from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, LocalError, Reason
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.limits import RETURNS_OF_ALL_BURST, TALK_BURST
from protocol.rules.words import Bid, Ending, Offence
from protocol.table.head import EMPTY, Head
from protocol.table.state import Phase
from protocol.table.statements import (
    AwardFine,
    Away,
    Elect,
    Fist,
    LiftFine,
    Measure,
    Speak,
)
from protocol.timeouts import LOST_DELAY
from protocol.wire.messages import (
    Entries,
    Farewell,
    Goodbye,
    Greeting,
    Hello,
    Ping,
    Propose,
    Refusal,
    Welcome,
    sign_hello,
    write,
)
from tests.protocol.host.cases import FIRST, HELLO_TEXT, SECOND, STRANGER, added, at
from tests.protocol.stories import Desk, Story, signing_key

# Coming and going


def hello(desk: Desk, link: int, held: Head, channel: bytes = b"channel") -> Hello:
    (greeting,) = desk.heard(link)
    assert isinstance(greeting, Greeting)
    return sign_hello(signing_key(FIRST), "test", greeting, channel, held)


def test_a_hello_that_comes_late_on_an_older_connection_sends_nobody_away() -> None:
    desk = Desk(at(Phase.GATHERING))
    older = desk.dial()
    late = hello(desk, older, EMPTY)
    newer = desk.join(FIRST)
    desk.heard(newer)
    desk.send(older, late)
    assert desk.heard(older) == [Goodbye(Farewell.TOO_MANY)]
    assert desk.heard(newer) == []


def test_the_newest_connection_of_a_key_wins() -> None:
    desk = Desk(at(Phase.SPEAKING))
    older, watcher = desk.join(FIRST), desk.join(SECOND)
    desk.heard(older), desk.heard(watcher)
    newer = desk.join(FIRST)
    assert desk.heard(older) == [Goodbye(Farewell.REPLACED)]
    assert desk.closed == {older: Farewell.REPLACED}
    desk.propose(older, at(Phase.SPEAKING).intent(FIRST, Speak(Bid(1))))
    desk.drop(older)
    assert added(desk, watcher) == []
    desk.propose(newer, at(Phase.SPEAKING).intent(FIRST, Speak(Bid(1))))
    assert added(desk, watcher) == [Speak(Bid(1))]


def test_who_only_watches_leaves_no_trace() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link = desk.join(STRANGER)
    desk.drop(link)
    desk.send(desk.join(STRANGER), Goodbye(Farewell.CLOSED))
    assert desk.host.log.head == at(Phase.SPEAKING).table.head


def test_nothing_behind_a_goodbye_is_read() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link = desk.join(FIRST)
    word = Propose(at(Phase.SPEAKING).intent(FIRST, Speak(Bid(1))).blob)
    desk.receive(link, write(Ping(0)) + write(Goodbye(Farewell.CLOSED)) + write(word))
    assert [type(entry.statement) for entry in list(desk.host.log)[-1:]] == [Away]


# Time


def test_a_silent_link_is_lost_and_its_seat_away() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link, other = desk.join(FIRST), desk.join(SECOND)
    desk.pass_time(LOST_DELAY, other)
    assert desk.closed == {}
    desk.pass_time(0.25, other)
    assert desk.closed == {link: Farewell.SILENT}
    assert added(desk, other) == [Away(signing_key(FIRST).public)]


def test_the_host_pings_every_second() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link = desk.join(FIRST)
    desk.heard(link)
    desk.pass_time(5, link)
    assert desk.heard(link) == [Ping(number) for number in range(1, 6)]


# Talk


@pytest.mark.parametrize(
    "said", [Elect(b"e" * 32), LiftFine(0), AwardFine(b"e" * 32, Offence.OTHER), HELLO_TEXT]
)
def test_what_binds_no_game_is_rationed_together(said: Message) -> None:
    story = Story(3, "hollywood")
    about = story.table.seats[0].key
    said = replace(said, seat=about) if isinstance(said, Elect | AwardFine) else said
    desk = Desk(story.tell(0, AwardFine(about, Offence.OTHER)))
    link = desk.join(0)
    desk.heard(link)
    for number in range(TALK_BURST + 1):
        statement = said if number == TALK_BURST else Elect(about)
        desk.propose(link, story.intent(0, statement, sequence=99 + number))
    refusals = [each.code for each in desk.heard(link) if isinstance(each, Refusal)]
    assert refusals == [Reason.TOO_FAST.code]


# Stopping and going on


def test_after_a_restart_nobody_is_there_until_they_return() -> None:
    desk = Desk(at(Phase.OPENING))
    desk.carry_out(desk.host.resume(desk.now()))
    assert all(seat.away for seat in desk.host.table.seats)
    desk.carry_out(desk.host.resume(desk.now()))
    assert len(desk.recorded) == 3
    desk.join(FIRST)
    assert [seat.away for seat in desk.host.table.seats] == [False, True, True]


def test_a_seat_may_be_removed_because_the_others_are_away_when_a_table_goes_on() -> None:
    desk = Desk(Story(3).vote(Measure.REMOVE, 2, 2))
    desk.carry_out(desk.host.resume(desk.now()))
    assert [seat.key for seat in desk.host.table.seats] == [
        signing_key(each).public for each in range(2)
    ]
    assert all(seat.away for seat in desk.host.table.seats)


def test_only_the_hosts_own_key_goes_on_with_its_table() -> None:
    with pytest.raises(LocalError):
        Host(signing_key(1), HostPolicy(ForeignText("H")), at(Phase.LOT).entries, bytes)


def test_a_broken_log_is_not_gone_on_with() -> None:
    story = at(Phase.LOT)
    with pytest.raises(BrokenLog):
        Host(
            story.host_key,
            HostPolicy(ForeignText("H")),
            story.entries[:3] + story.entries[4:],
            bytes,
        )
    with pytest.raises(LocalError):
        Host(story.host_key, HostPolicy(ForeignText("H")), [], bytes)


def test_whoever_is_set_aside_and_wants_to_play_is_back() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).fists(1, 1, 1).say(Ending.SPOOF).wait()
    desk = Desk(story.vote(Measure.PLAY_ON, 1, 0, 2))
    link = desk.join(1)
    assert desk.host.table.set_aside == {signing_key(1).public}
    desk.propose(link, story.intent(1, Fist(bytes(32))))
    assert isinstance(desk.heard(link)[-1], Entries)
    assert desk.host.table.set_aside == frozenset()


def test_a_player_comes_back_to_their_seat_though_strangers_have_used_up_all_returns() -> None:
    desk = Desk(at(Phase.GATHERING))
    for number in range(RETURNS_OF_ALL_BURST):
        assert desk.host._returns.take(number.to_bytes(32, "big"), f"10.0.0.{number % 100}", 0.0)
    strangers = desk.join(STRANGER, EMPTY, "10.0.1.1"), desk.join(FIRST, EMPTY, "10.0.1.1")
    assert [type(desk.heard(link)[0]) for link in strangers] == [Goodbye, Welcome]
