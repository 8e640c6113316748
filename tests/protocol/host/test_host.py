"""The host's side: a sequencer whose only powers are order and time."""

from dataclasses import replace

import pytest

from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, LocalError, Reason
from protocol.host.host import Host, HostPolicy
from protocol.limits import (
    HELLO_TIMEOUT,
    MAX_UNPROVEN_OF_ADDRESS,
    TALK_BURST,
    TALK_INTERVAL,
)
from protocol.rules.words import Bid, Ending
from protocol.table.announcements import Away, Back
from protocol.table.head import EMPTY, Head
from protocol.table.log import Entry, Intent
from protocol.table.state import Phase
from protocol.table.statements import Fist, Gesticulate, Gesture, Leave, Measure, Open, Speak
from protocol.timing import LOST_DELAY
from protocol.version import PROTOCOL
from protocol.wire.messages import (
    Entries,
    Farewell,
    Goodbye,
    Greeting,
    Hello,
    Ping,
    Propose,
    Refusal,
    State,
    Welcome,
    sign_hello,
    write,
)
from tests.helpers.offenders import offenders
from tests.protocol.host.cases import FIRST, HELLO_TEXT, SECOND, STRANGER, added, at
from tests.protocol.stories import Desk, Story, signing_key

# The grid


class Trial:
    """What somebody tries at a table, and what comes of it."""

    def __init__(self, phase: Phase) -> None:
        self.story = at(phase)
        self.desk = Desk(self.story)
        self.link = self.desk.join(FIRST)
        self.other = self.desk.join(SECOND)
        self.desk.heard(self.link)
        self.desk.heard(self.other)
        self.before = self.desk.host.log.head, self.desk.host.table

    def verdict(self, name: str) -> str:
        """Try it; in a word, what happened."""
        getattr(self, name.replace(" ", "_"))()
        heard = self.desk.heard(self.link)
        if self.desk.closed:
            (why,) = {said.why for said in heard if isinstance(said, Goodbye)}
            return f"link closed, {why.value}"
        refusals = [said.code for said in heard if isinstance(said, Refusal)]
        after = self.desk.host.log.head, self.desk.host.table
        if after == self.before:
            assert self.desk.heard(self.other) == []
            return refusals[0] if refusals else "ignored"
        (statement,) = added(self.desk, self.other)
        return statement.KIND

    def propose(self, statement: Message, seen: Head | None = None, who: int = FIRST) -> None:
        self.desk.propose(self.link, self.story.intent(who, statement, seen))

    def last_of_first(self, which: int) -> Intent:
        said = [entry.intent for entry in self.story.entries if entry.intent]
        return [intent for intent in said if intent.author == signing_key(FIRST).public][which]

    # What is tried

    def disconnect(self) -> None:
        self.desk.drop(self.link)

    def late_duplicate(self) -> None:
        self.desk.propose(self.link, self.last_of_first(-1))

    def replay_of_an_old_intent(self) -> None:
        self.desk.propose(self.link, self.last_of_first(0))

    def word_out_of_turn(self) -> None:
        self.link, self.other = self.other, self.link
        self.propose(Speak(Bid(1)), who=SECOND)

    def wrong_opening(self) -> None:
        self.propose(Open(2, bytes(32)))

    def wrong_opening_of_the_second(self) -> None:
        self.link, self.other = self.other, self.link
        self.propose(Open(1, bytes(32)), who=SECOND)

    def second_seal(self) -> None:
        self.propose(Fist(bytes(32)))

    def stale_head(self) -> None:
        turn = self.story.table.turn
        seen = self.story.entries[turn - 2].head if turn > 1 else EMPTY
        self.propose(Speak(Bid(1)), seen)

    def oldest_head_of_talk(self) -> None:
        self.propose(HELLO_TEXT, self.story.entries[0].head)

    def head_of_nothing_of_talk(self) -> None:
        self.propose(HELLO_TEXT, EMPTY)

    def head_of_another_log(self) -> None:
        self.propose(HELLO_TEXT, Head(2, bytes(32)))

    def head_of_the_future(self) -> None:
        self.propose(HELLO_TEXT, Head(self.story.table.head.length + 1, bytes(32)))

    def intent_by_another_author(self) -> None:
        self.desk.propose(self.link, self.story.intent(SECOND, HELLO_TEXT))

    def forged_signature(self) -> None:
        intent = self.story.intent(SECOND, HELLO_TEXT)
        forged = Intent.sign(signing_key(FIRST), 9, EMPTY, HELLO_TEXT)
        self.desk.propose(self.link, replace(forged, blob=intent.blob[:-64] + forged.blob[-64:]))

    def announcement_of_the_host(self) -> None:
        self.propose(Away(signing_key(SECOND).public))

    def second_hello(self) -> None:
        greeting = Greeting(PROTOCOL, "test", self.desk.host.card, bytes(32))
        hello = sign_hello(signing_key(FIRST), "test", greeting, b"channel", EMPTY)
        self.desk.send(self.link, hello)

    def message_of_the_host(self) -> None:
        self.desk.send(self.link, Welcome(1))

    def random_bytes(self) -> None:
        self.desk.receive(self.link, b"GET / HTTP/1.1\r\n\r\n")

    def silence(self) -> None:
        self.desk.pass_time(LOST_DELAY + 1, self.other)

    def talk(self) -> None:
        self.propose(HELLO_TEXT)


GRID = """
                             gathering       lot             choosing        speaking        opening
disconnect                   away            away            away            away            away
silence                      silent          silent          silent          silent          silent
talk                         say             say             say             say             say
late duplicate               ignored         ignored         ignored         ignored         ignored
replay of an old intent      ignored         ignored         ignored         ignored         ignored
word out of turn             no-game         fists-not-in    fists-not-in    not-your-turn   round-is-over
wrong opening                no-opening-now  no-opening-now  no-opening-now  no-opening-now  opened-already
wrong opening of the second  no-opening-now  no-opening-now  no-opening-now  no-opening-now  wrong-opening
second seal                  no-game         no-fists-now    fist-is-in      fist-is-in      no-fists-now
stale head                   other-log       stale           stale           stale           stale
oldest head of talk          say             say             say             say             say
head of nothing of talk      other-log       other-log       other-log       other-log       other-log
head of another log          other-log       other-log       other-log       other-log       other-log
head of the future           other-log       other-log       other-log       other-log       other-log
intent by another author     malformed       malformed       malformed       malformed       malformed
forged signature             malformed       malformed       malformed       malformed       malformed
announcement of the host     malformed       malformed       malformed       malformed       malformed
second hello                 malformed       malformed       malformed       malformed       malformed
message of the host          malformed       malformed       malformed       malformed       malformed
random bytes                 malformed       malformed       malformed       malformed       malformed
"""  # noqa: E501


def cells() -> list[tuple[Phase, str, str]]:
    """Phase, trial and verdict of every cell."""
    header, *rows = GRID.strip().splitlines()
    return [
        (Phase(phase), row[:29].strip(), verdict)
        for row in rows
        for phase, verdict in zip(header.split(), row[29:].split(), strict=True)
    ]


def tried(phase: Phase, name: str, verdict: str) -> None:
    """The host decides so of what is tried in this phase."""
    trial = Trial(phase)
    if verdict not in ("malformed", "silent"):
        assert trial.verdict(name) == verdict
    else:
        assert trial.verdict(name) == f"link closed, {verdict}"
        assert added(trial.desk, trial.other) == [Away(signing_key(FIRST).public)]
        assert set(trial.desk.closed) == {trial.link}
    assert trial.desk.host.table.phase is phase


def test_the_grid() -> None:
    assert offenders(tried, cells()) == []


# Coming and going


def test_a_link_is_greeted_with_the_card_and_a_challenge() -> None:
    desk = Desk(at(Phase.LOT))
    (greeting,) = desk.heard(desk.dial())
    assert isinstance(greeting, Greeting)
    assert (greeting.protocol, greeting.card) == (PROTOCOL, desk.host.card)
    assert (greeting.card.taken, greeting.card.seats) == (3, 9)
    assert greeting.card.state is State.PLAYING
    assert Desk(at(Phase.GATHERING)).host.card.state is State.GATHERING


@pytest.mark.parametrize(
    "message", [Ping(0), Propose(b""), Propose(Story(1).intent(0, Leave()).blob)]
)
def test_nothing_counts_before_the_hello(message: Message) -> None:
    desk = Desk(Story(1))
    link = desk.dial()
    desk.send(link, message)
    assert desk.closed == {link: Farewell.MALFORMED}
    assert len(desk.host.table.seats) == 1


def hello(desk: Desk, link: int, held: Head, channel: bytes = b"channel") -> Hello:
    (greeting,) = desk.heard(link)
    assert isinstance(greeting, Greeting)
    return sign_hello(signing_key(FIRST), "test", greeting, channel, held)


def test_a_hello_for_another_link_proves_nothing() -> None:
    desk = Desk(at(Phase.GATHERING))
    one, other = desk.dial(), desk.dial()
    desk.send(other, hello(desk, one, desk.host.log.head))
    assert desk.closed == {other: Farewell.WRONG_PROOF}


def test_a_hello_through_a_man_in_the_middle_proves_nothing() -> None:
    desk = Desk(at(Phase.GATHERING))
    link = desk.dial()
    desk.send(link, hello(desk, link, desk.host.log.head, b"another channel"))
    assert desk.closed == {link: Farewell.WRONG_PROOF}


@pytest.mark.parametrize("held", [Head(2, bytes(32)), Head(99, bytes(32)), Head(0, b"x" * 32)])
def test_a_guest_with_another_log_is_told_so(held: Head) -> None:
    desk = Desk(at(Phase.GATHERING))
    assert desk.closed == {desk.join(FIRST, held): Farewell.OTHER_LOG}


def test_a_guest_of_another_version_is_told_so() -> None:
    desk = Desk(at(Phase.GATHERING))
    link = desk.dial()
    desk.send(link, replace(hello(desk, link, EMPTY), protocol=PROTOCOL + 1))
    assert desk.heard(link) == [Goodbye(Farewell.OTHER_VERSION)]
    assert desk.closed == {link: Farewell.OTHER_VERSION}


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


def test_who_is_lost_is_away_and_who_returns_is_back() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link, watcher = desk.join(FIRST), desk.join(SECOND)
    desk.drop(link)
    again = desk.join(FIRST)
    away, back = Away(signing_key(FIRST).public), Back(signing_key(FIRST).public)
    assert added(desk, watcher) == [away, back]
    assert added(desk, again) == [back]


def test_who_only_watches_leaves_no_trace() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link = desk.join(STRANGER)
    desk.drop(link)
    desk.send(desk.join(STRANGER), Goodbye(Farewell.CLOSED))
    assert desk.host.log.head == at(Phase.SPEAKING).table.head


def test_a_goodbye_ends_the_link_and_keeps_the_seat() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link, watcher = desk.join(FIRST), desk.join(SECOND)
    desk.send(link, Goodbye(Farewell.CLOSED))
    assert added(desk, watcher) == [Away(signing_key(FIRST).public)]
    assert desk.closed == {link: Farewell.CLOSED}
    assert len(desk.host.table.seats) == 3


def test_nothing_behind_a_goodbye_is_read() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link = desk.join(FIRST)
    word = Propose(at(Phase.SPEAKING).intent(FIRST, Speak(Bid(1))).blob)
    desk.receive(link, write(Ping(0)) + write(Goodbye(Farewell.CLOSED)) + write(word))
    assert [type(entry.statement) for entry in list(desk.host.log)[-1:]] == [Away]


def test_bytes_of_an_unknown_link_are_dropped() -> None:
    desk = Desk(at(Phase.SPEAKING))
    assert desk.host.received(77, b"\xff" * 9, desk.now()) == []
    assert desk.host.lost(77, desk.now()) == []


def test_one_address_has_room_for_so_many_unproven_links_and_no_more() -> None:
    desk = Desk(Story(0))
    links = [desk.dial("192.0.2.1") for _ in range(MAX_UNPROVEN_OF_ADDRESS + 1)]
    assert desk.heard(links[-1]) == [Goodbye(Farewell.TOO_MANY)]
    assert desk.closed == {links[-1]: Farewell.TOO_MANY}
    desk.drop(links[0])
    assert isinstance(desk.heard(desk.dial("192.0.2.1"))[0], Greeting)


# Time


def test_a_link_has_so_long_to_say_hello() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link, joined = desk.dial(), desk.join(FIRST)
    desk.pass_time(HELLO_TIMEOUT, joined)
    assert desk.closed == {}
    desk.pass_time(0.25, joined)
    assert desk.closed == {link: Farewell.TOO_LATE}


def test_bytes_do_not_make_up_for_a_missing_hello() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link = desk.dial()
    for byte in b"\x00\x00\x00\xff" + bytes(8):
        desk.pass_time(0.5)
        desk.receive(link, bytes([byte]))
    assert desk.closed == {link: Farewell.TOO_LATE}


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


def test_entries_are_never_older_than_the_one_before() -> None:
    story = at(Phase.SPEAKING)
    desk = Desk(story)
    desk.time = -10_000.0
    desk.propose(desk.join(FIRST), story.intent(FIRST, Speak(Bid(1))))
    assert desk.host.log[-1].time == story.entries[-1].time


# Talk


def talk(desk: Desk, link: int, count: int) -> list[str]:
    """Say so many lines; the codes of the refusals."""
    desk.heard(link)
    for number in range(count):
        table = desk.host.table
        sequence = table.sequences.get(signing_key(FIRST).public, 0) + 1
        statement = Gesticulate(Gesture.MITT_FULL) if number % 2 else HELLO_TEXT
        intent = Intent.sign(signing_key(FIRST), sequence, table.head, statement)
        desk.propose(link, intent)
    return [said.code for said in desk.heard(link) if isinstance(said, Refusal)]


def test_talk_and_gestures_are_rationed() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link = desk.join(FIRST)
    assert talk(desk, link, TALK_BURST) == []
    assert talk(desk, link, 1) == [Reason.TOO_FAST.code]
    desk.pass_time(TALK_INTERVAL, link)
    assert talk(desk, link, 2) == [Reason.TOO_FAST.code]


def test_the_ration_grows_back_to_a_burst_and_no_further() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link = desk.join(FIRST)
    talk(desk, link, TALK_BURST)
    desk.pass_time(60, link)
    assert len(talk(desk, link, TALK_BURST + 3)) == 3


def test_a_new_connection_brings_no_new_ration() -> None:
    desk = Desk(at(Phase.SPEAKING))
    talk(desk, desk.join(FIRST), TALK_BURST)
    assert talk(desk, desk.join(FIRST), 1) == [Reason.TOO_FAST.code]


def test_who_talked_too_much_may_still_play() -> None:
    desk = Desk(at(Phase.SPEAKING))
    link = desk.join(FIRST)
    talk(desk, link, TALK_BURST + 1)
    desk.propose(link, at(Phase.SPEAKING).intent(FIRST, Speak(Bid(1)), sequence=99))
    assert added(desk, link) == [Speak(Bid(1))]


# Games


# Stopping and going on


def test_a_table_goes_on_from_its_log() -> None:
    story = at(Phase.OPENING)
    desk = Desk(story)
    assert desk.host.table == story.table
    link = desk.join(SECOND)
    hand = story.hands[SECOND]
    desk.propose(link, story.intent(SECOND, Open(hand.coins, hand.nonce)))
    assert desk.host.table.phase is Phase.CHOOSING
    assert [Entry.read(b, story.host_key.public) for b in desk.recorded] == [desk.host.log[-1]]


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


def test_every_entry_is_recorded_before_it_is_sent() -> None:
    story = at(Phase.SPEAKING)
    desk = Desk(story)
    link = desk.join(FIRST)
    payload = Propose(story.intent(FIRST, Speak(Bid(1))).blob)
    effects = desk.host.received(link, write(payload), desk.now())
    assert [type(effect).__name__ for effect in effects] == ["Record", "Send"]


def test_closing_tells_everybody_and_ends_every_link() -> None:
    desk = Desk(at(Phase.SPEAKING))
    links = [desk.join(FIRST), desk.join(SECOND), desk.dial()]
    for link in links:
        desk.heard(link)
    desk.carry_out(desk.host.close())
    assert [desk.heard(link) for link in links] == [[Goodbye(Farewell.CLOSED)]] * 3
    assert desk.closed == dict.fromkeys(links, Farewell.CLOSED)
    desk.pass_time(20)
    assert desk.recorded == []


def test_whoever_is_set_aside_and_wants_to_play_is_back() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2).fists(1, 1, 1).say(Ending.SPOOF).wait()
    desk = Desk(story.vote(Measure.PLAY_ON, 1, 0, 2))
    link = desk.join(1)
    assert desk.host.table.set_aside == {signing_key(1).public}
    desk.propose(link, story.intent(1, Fist(bytes(32))))
    assert isinstance(desk.heard(link)[-1], Entries)
    assert desk.host.table.set_aside == frozenset()
