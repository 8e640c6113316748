"""A participant's side: it keeps its secrets, opens by itself, and believes nobody."""

import functools
from collections.abc import Callable
from dataclasses import replace

import pytest

from protocol.crypto.seals import Place, SealedHand, SealedShare
from protocol.encoding.codec import Message, pack
from protocol.encoding.framing import FrameReader, frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, LocalError, Malformed, Reason
from protocol.guest.effects import (
    Changed,
    CodeWanted,
    Halt,
    Hangup,
    Keep,
    Refused,
    Settle,
    Store,
    Transmit,
)
from protocol.guest.guest import Guest
from protocol.rules.words import Bid, Ending
from protocol.table.head import EMPTY, Head
from protocol.table.log import Entry, Intent
from protocol.table.statements import (
    Fist,
    Gesticulate,
    Gesture,
    Leave,
    Measure,
    Open,
    Ready,
    Say,
    Seen,
    Sit,
    Speak,
    Toss,
    Witness,
)
from protocol.timing import LOST_DELAY, PING_INTERVAL, SUPPORT_DELAY, UNSTEADY_DELAY, Moment
from protocol.version import PROTOCOL
from protocol.views import LinkState
from protocol.wire.messages import (
    Card,
    Entries,
    Farewell,
    Goodbye,
    Greeting,
    Hello,
    Ping,
    Presence,
    Refusal,
    State,
    Welcome,
    read_from_guest,
    write,
)
from tests.helpers.tables import MemoryTable
from tests.protocol.stories import Pair, Story, refused, signing_key

NONCE, OTHER_NONCE = b"n" * 32, b"o" * 32
HI = Say(ForeignText("hi"))


@functools.cache
def gathering() -> Story:
    return Story(3).ready(1)


@functools.cache
def lot() -> Story:
    return Story(2).sit(2).start(0, 1)


@functools.cache
def choosing() -> Story:
    return lot().copy().toss(0, 1)


@functools.cache
def speaking() -> Story:
    return choosing().copy().fists(1, 2)


@functools.cache
def opening() -> Story:
    return witnessing().copy().witness()


@functools.cache
def witnessing() -> Story:
    """The second has called."""
    return speaking().copy().say(Bid(3), Ending.CALL)


def hand_of(pair: Pair, coins: int, nonce: bytes = NONCE) -> SealedHand:
    game = pair.guest.table and pair.guest.table.game
    assert game
    return SealedHand(
        Place(game.table, game.number, game.round_number, pair.guest.key), coins, nonce
    )


# What it owes it does by itself


def test_a_share_of_the_lot_opens_by_itself() -> None:
    pair = Pair(lot())
    share = lot().share(0)
    assert pair.proposed == [Toss(share.share, share.nonce)]
    assert pair.logged[-1] == pair.proposed[0]


def test_an_ending_word_is_confirmed_and_the_fist_opens_by_itself() -> None:
    pair = Pair(witnessing())
    hand = witnessing().hands[0]
    assert pair.proposed == [Witness(), Open(hand.coins, hand.nonce)]
    assert pair.logged[-2:] == pair.proposed


def test_the_fist_of_the_ender_stays_shut_until_the_other_has_seen_the_word() -> None:
    pair = Pair(speaking())
    pair.act(pair.guest.speak(Ending.SPOOF))
    assert pair.proposed == [Speak(Ending.SPOOF)]
    other = signing_key(1)
    pair.desk.propose(pair.desk.join(1), Intent.sign(other, 99, pair.desk.host.log.head, Witness()))
    pair.act([])
    hand = speaking().hands[0]
    assert pair.proposed[1:] == [Open(hand.coins, hand.nonce)]


def test_an_ending_word_is_confirmed_even_without_the_hand() -> None:
    assert Pair(witnessing(), secrets=[]).proposed == [Witness()]


def test_no_fist_opens_before_the_ending_word() -> None:
    pair = Pair(speaking())
    pair.act(pair.guest.speak(Bid(1)))
    assert pair.proposed == [Speak(Bid(1))]


def test_nothing_opens_twice() -> None:
    pair = Pair(opening().copy().open(0))
    pair.desk.propose(pair.desk.join(2), opening().intent(2, HI))
    pair.act([])
    assert pair.guest.table == pair.desk.host.table
    assert pair.proposed == []


def test_who_only_watches_owes_nothing() -> None:
    stories = lot(), choosing(), speaking(), witnessing(), opening()
    assert [Pair(story, 2).proposed for story in stories] == [[]] * 5


def test_a_hand_that_does_not_open_the_seal_is_not_sent() -> None:
    other = SealedHand(opening().hands[0].place, 0, OTHER_NONCE)
    assert Pair(opening(), secrets=[other]).proposed == []


def test_a_refused_opening_is_not_repeated_until_the_table_moves() -> None:
    pair = Pair(speaking().copy().say(Bid(3)))
    pair.link = None
    last = witnessing().copy().witness().entries[-1]
    pair.hear(Entries((witnessing().entries[-1].blob, last.blob)))
    pair.hear(Refusal(sequence_of(pair), "not-now"), Ping(0), Ping(0))
    assert len(pair.proposed) == 1
    talk = Intent.sign(signing_key(2), 99, speaking().entries[0].head, HI)
    after = Entry.sign(signing_key(255), 0, last.head, last.time, talk)
    pair.hear(Entries((after.blob,)))
    assert [type(statement) for statement in pair.proposed] == [Open, Open]


def test_a_fist_that_came_too_late_for_a_removal_goes_in_again_by_itself() -> None:
    story = Story(3).start(0, 1, 2).toss(0, 1, 2)
    after = story.copy().decide(Measure.REMOVE, 2).fists_of({1: 2})
    pair = Pair(story, host_story=after, connect=False)
    pair.act(pair.guest.choose(2, NONCE))
    pair.connect()
    assert pair.proposed == [Fist(hand_of(pair, 2).seal)] * 2
    assert pair.logged[-1] == pair.proposed[-1]


# Secrets


def test_the_hand_is_kept_before_its_seal_is_sent() -> None:
    pair = Pair(choosing())
    effects = pair.guest.choose(2, NONCE)
    assert [type(effect) for effect in effects] == [Keep, Transmit, Changed]
    assert effects[0] == Keep(hand_of(pair, 2))
    pair.act(effects)
    assert pair.logged[-1] == Fist(hand_of(pair, 2).seal)


def test_the_share_is_kept_before_its_seal_is_sent() -> None:
    pair = Pair(gathering(), secrets=[])
    effects = pair.guest.ready(NONCE, OTHER_NONCE)
    assert [type(effect) for effect in effects] == [Keep, Transmit, Changed]
    assert effects[0] == Keep(SealedShare(gathering().share(0).place, NONCE, OTHER_NONCE))


def test_a_hand_is_chosen_once_a_round_r3() -> None:
    pair = Pair(choosing())
    pair.act(pair.guest.choose(2, NONCE), read=False)
    for _ in range(2):
        with refused(Reason.FIST_IS_IN):
            pair.guest.choose(3, OTHER_NONCE)
        pair.act([])
    assert pair.guest.own_hand == 2
    assert pair.proposed == [Fist(hand_of(pair, 2).seal)]


def test_a_hand_is_chosen_once_even_without_a_connection() -> None:
    pair = Pair(choosing(), connect=False)
    assert [type(effect) for effect in pair.guest.choose(2, NONCE)] == [Keep, Changed]
    with refused(Reason.FIST_IS_IN):
        pair.guest.choose(3, NONCE)


@pytest.mark.parametrize("coins", [-1, 4])
def test_a_hand_is_of_ones_own_coins_r2(coins: int) -> None:
    pair = Pair(choosing())
    with refused(Reason.HAND_TOO_BIG):
        pair.guest.choose(coins, NONCE)
    assert pair.guest.own_hand is None and not pair.guest.waiting


@pytest.mark.parametrize(
    "story,who,reason",
    [
        (gathering, 0, Reason.NO_GAME),
        (lot, 0, Reason.NO_FISTS_NOW),
        (choosing, 2, Reason.NOT_PLAYING),
        (speaking, 0, Reason.FIST_IS_IN),
        (opening, 0, Reason.FIST_IS_IN),
    ],
)
def test_a_hand_is_chosen_when_fists_go_in_only(
    story: Callable[[], Story], who: int, reason: Reason
) -> None:
    with refused(reason):
        Pair(story(), who, connect=False).guest.choose(0, NONCE)


def test_a_fist_that_cannot_be_sent_leaves_no_secret() -> None:
    pair = Pair(speaking(), secrets=[])
    with refused(Reason.FIST_IS_IN):
        pair.guest.choose(1, NONCE)
    assert pair.guest.own_hand is None


def test_being_ready_again_seals_the_same_share() -> None:
    pair = Pair(gathering(), secrets=[])
    pair.act(pair.guest.ready(NONCE, NONCE))
    pair.cut()
    pair.connect()
    pair.act(pair.guest.ready(OTHER_NONCE, OTHER_NONCE))
    assert len(pair.events(Keep)) == 1
    said = [each for each in pair.proposed if isinstance(each, Ready)]
    assert said == [Ready(pair.events(Keep)[0].secret.seal)] * 2


def test_a_share_that_was_not_said_is_not_remembered_as_kept() -> None:
    others = gathering().copy().start(2)
    others.toss(1, 2).play_on()
    pair = Pair(gathering(), host_story=others, secrets=[], connect=False)
    pair.act(pair.guest.ready(NONCE, NONCE))
    pair.connect(read=False)
    assert pair.link is not None
    welcome, entries, *refusal = pair.desk.heard(pair.link)
    pair.hear(welcome, entries, read=False)
    with refused(Reason.REPEATED):
        pair.guest.ready(OTHER_NONCE, OTHER_NONCE)
    pair.hear(*refusal, *pair.desk.heard(pair.link))
    assert isinstance(pair.guest.ready(OTHER_NONCE, OTHER_NONCE)[0], Keep)


def test_nothing_that_leaves_the_guest_shows_a_secret() -> None:
    pair = Pair(choosing())
    pair.act(pair.guest.choose(2, NONCE))
    shown = f"{pair.effects} {pair.guest} {pair.guest.waiting} {pair.guest.table}"
    assert "coins=2" not in shown
    assert repr(NONCE) not in shown and NONCE.hex() not in shown


# A crash, and another start


def test_after_a_crash_the_same_seal_is_sent_again() -> None:
    kept = Pair(choosing(), connect=False).guest.choose(2, NONCE)[0]
    assert isinstance(kept, Keep) and isinstance(kept.secret, SealedHand)
    pair = Pair(choosing(), secrets=[kept.secret])
    assert pair.proposed == [Fist(kept.secret.seal)]
    assert pair.guest.own_hand == 2
    with refused(Reason.FIST_IS_IN):
        pair.guest.choose(1, OTHER_NONCE)


def test_after_a_crash_an_accepted_seal_is_not_sent_again() -> None:
    later = choosing().copy().fists_of({0: 2})
    pair = Pair(choosing(), host_story=later, secrets=[later.hands[0]])
    assert pair.proposed == []
    assert pair.guest.table == later.table


def test_after_a_crash_the_fist_still_opens() -> None:
    pair = Pair(choosing(), host_story=opening(), secrets=[opening().hands[0]])
    assert pair.proposed == [Open(1, opening().hands[0].nonce)]


def test_of_two_kept_secrets_of_one_place_the_first_counts() -> None:
    first, second = (SealedHand(choosing().hand(0, 0).place, coins, NONCE) for coins in (1, 2))
    assert Pair(choosing(), secrets=[first, second]).proposed == [Fist(first.seal)]


def test_a_hand_of_another_round_is_left_alone() -> None:
    place = choosing().hand(0, 1).place
    other = SealedHand(Place(place.table, place.game, 2, place.seat), 1, NONCE)
    pair = Pair(choosing(), secrets=[other])
    assert pair.proposed == [] and pair.guest.own_hand is None


def test_without_the_secret_nothing_is_made_up() -> None:
    assert Pair(opening(), secrets=[]).proposed == []
    assert Pair(lot(), secrets=[]).proposed == []


def test_everything_stored_is_everything_needed() -> None:
    pair = Pair(opening(), who=5, secrets=[], known=0)
    stored = [effect.entry for effect in pair.events(Store)]
    assert stored == opening().entries
    again = Guest(signing_key(5), None, stored)
    assert again.table == pair.guest.table == opening().table


# Connections


def hellos(pair: Pair) -> list[Hello]:
    sent = b"".join(effect.data for effect in pair.events(Transmit))
    said = [read_from_guest(payload) for payload in FrameReader().feed(sent)]
    return [each for each in said if isinstance(each, Hello)]


def test_a_reconnect_resumes_from_the_position() -> None:
    pair = Pair(speaking())
    pair.cut()
    pair.desk.propose(pair.desk.join(2), speaking().intent(2, HI))
    pair.connect()
    length = len(speaking().entries)
    assert [hello.length for hello in hellos(pair)] == [length, length]
    assert [type(effect.entry.statement).__name__ for effect in pair.events(Store)] == [
        "Away",
        "Say",
        "Back",
    ]
    assert pair.guest.table == pair.desk.host.table


def test_what_was_said_without_a_connection_is_sent_once_there_is_one() -> None:
    pair = Pair(speaking(), connect=False)
    pair.act(pair.guest.speak(Bid(1)))
    assert pair.proposed == [] and list(pair.guest.waiting) == [Speak(Bid(1))]
    pair.connect()
    assert pair.proposed == [Speak(Bid(1))]
    assert not pair.guest.waiting
    assert pair.logged.count(Speak(Bid(1))) == 1


def test_nothing_is_said_on_a_link_before_the_welcome() -> None:
    pair = Pair(speaking(), connect=False)
    pair.connect(read=False)
    pair.act(pair.guest.speak(Bid(1)), read=False)
    assert pair.proposed == []
    pair.act([])
    assert pair.proposed == [Speak(Bid(1))]


def test_what_was_lost_with_the_connection_is_sent_again_once() -> None:
    pair = Pair(speaking())
    pair.link, lost = None, pair.link
    pair.act(pair.guest.speak(Bid(1)))
    pair.link = lost
    pair.cut()
    pair.connect()
    pair.hear(Ping(0), Ping(0))
    assert pair.proposed == [Speak(Bid(1))] * 2
    assert pair.intents[0].blob == pair.intents[1].blob
    assert pair.logged.count(Speak(Bid(1))) == 1


def test_what_arrived_before_the_connection_broke_counts_once() -> None:
    pair = Pair(speaking())
    pair.act(pair.guest.speak(Bid(1)), read=False)
    pair.cut()
    assert list(pair.guest.waiting) == [Speak(Bid(1))]
    pair.connect()
    assert not pair.guest.waiting and pair.events(Refused) == []
    assert pair.logged.count(Speak(Bid(1))) == 1


def test_a_refusal_that_was_lost_does_not_block_for_ever() -> None:
    pair = Pair(speaking())
    pair.link = None
    pair.act(pair.guest.speak(Bid(1)))
    pair.act(pair.guest.state(Say(HI.text)))
    later = speaking().entry(0, HI).intent
    assert later is not None
    said = Intent.sign(signing_key(0), sequence_of(pair) + 1, later.seen, HI)
    pair.hear(Entries((host_says(said),)))
    assert pair.events(Refused) == [Refused(Speak(Bid(1)), Reason.STALE)]
    assert not pair.guest.waiting


def test_who_spoke_elsewhere_with_the_same_key_is_told_that_this_was_not_heard() -> None:
    elsewhere = speaking().copy().tell(0, Say(ForeignText("from my other computer")))
    pair = Pair(speaking(), host_story=elsewhere, connect=False)
    pair.act(pair.guest.state(Say(ForeignText("from this one"))))
    pair.connect()
    assert pair.events(Refused) == [Refused(Say(ForeignText("from this one")), Reason.STALE)]
    assert not pair.guest.waiting


def test_the_same_thing_said_elsewhere_is_said() -> None:
    elsewhere = speaking().copy().say(Bid(1)).tell(1, HI)
    pair = Pair(speaking(), host_story=elsewhere, connect=False)
    pair.act(pair.guest.speak(Bid(1)))
    pair.connect()
    assert pair.events(Refused) == [] and not pair.guest.waiting


def test_two_talks_may_wait_but_one_word_only() -> None:
    pair = Pair(speaking(), connect=False)
    pair.act([*pair.guest.state(Say(HI.text)), *pair.guest.state(Say(HI.text))])
    pair.act(pair.guest.state(Gesticulate(Gesture.MITT_FULL)))
    pair.act(pair.guest.speak(Bid(1)))
    with refused(Reason.REPEATED):
        pair.guest.speak(Bid(2))
    pair.connect()
    assert pair.logged[-4:] == [HI, HI, Gesticulate(Gesture.MITT_FULL), Speak(Bid(1))]


def test_after_a_refusal_the_same_word_may_be_said_again_and_no_other() -> None:
    pair = Pair(speaking())
    pair.link = None
    pair.act(pair.guest.speak(Bid(1)))
    pair.hear(Refusal(sequence_of(pair), "not-your-turn"))
    with refused(Reason.REPEATED):
        pair.guest.speak(Bid(2))
    pair.act(pair.guest.speak(Bid(1)))
    assert pair.proposed == [Speak(Bid(1))] * 2


def test_a_word_that_is_said_leaves_the_next_turn_free() -> None:
    pair = Pair(speaking())
    pair.act(pair.guest.speak(Bid(1)))
    answer = speaking().intent(1, Speak(Bid(2)), pair.desk.host.log.head)
    pair.desk.propose(pair.desk.join(1), answer)
    pair.act([])
    pair.act(pair.guest.speak(Bid(3)))
    assert pair.logged[-1] == Speak(Bid(3))


def test_a_refusal_comes_back_with_its_reason_and_changes_nothing() -> None:
    others = gathering().copy().start(2)
    pair = Pair(gathering(), host_story=others, secrets=[], connect=False)
    pair.act(pair.guest.ready(NONCE, NONCE))
    pair.connect()
    assert [each.reason for each in pair.events(Refused)] == [Reason.STALE]
    assert pair.desk.host.log.head == others.table.head
    assert not pair.guest.waiting


def sequence_of(pair: Pair) -> int:
    table = pair.guest.table
    assert table is not None
    return table.sequences[pair.guest.key] + 1


def test_an_unknown_reason_is_still_a_reason() -> None:
    pair = Pair(speaking())
    pair.link = None
    pair.act(pair.guest.speak(Bid(1)))
    pair.hear(Refusal(sequence_of(pair), "of-next-year"))
    assert pair.events(Refused) == [Refused(Speak(Bid(1)), Reason.NOT_NOW)]
    assert not pair.guest.waiting


def test_an_illegal_statement_never_leaves() -> None:
    pair = Pair(speaking())
    with refused(Reason.CALL_NEEDS_BID):
        pair.guest.speak(Ending.CALL)
    with refused(Reason.GAME_RUNNING):
        pair.guest.state(Leave())
    assert pair.proposed == [] and not pair.guest.waiting


def test_nothing_is_said_before_the_table_is_known() -> None:
    guest = Guest(signing_key(0))
    with pytest.raises(LocalError):
        guest.state(Sit(ForeignText("Ann")))
    assert guest.own_hand is None and guest.farewell() == []


def test_a_farewell_ends_the_link_and_keeps_the_seat() -> None:
    pair = Pair(speaking())
    pair.act(pair.guest.farewell(), read=False)
    assert pair.desk.closed == {0: Farewell.CLOSED}
    assert pair.desk.host.table.seats[0].away


# Time


def tick(pair: Pair, seconds: float) -> LinkState:
    pair.desk.time += seconds
    pair.act(pair.guest.tick(pair.desk.now()), read=False)
    return pair.guest.link


def test_a_link_is_unsteady_after_three_seconds_and_lost_after_fifteen() -> None:
    pair = Pair(speaking())
    assert tick(pair, UNSTEADY_DELAY) is LinkState.UP
    assert tick(pair, 0.1) is LinkState.UNSTEADY
    assert tick(pair, LOST_DELAY - UNSTEADY_DELAY - 0.1) is LinkState.UNSTEADY
    assert tick(pair, 0.1) is LinkState.DOWN
    assert pair.events(Hangup) == [Hangup(Farewell.SILENT)]


def test_a_ping_makes_a_link_steady_again() -> None:
    pair = Pair(speaking())
    tick(pair, UNSTEADY_DELAY + 1)
    pair.act(pair.guest.received(write(Ping(7, 0)), pair.desk.now()), read=False)
    assert pair.guest.link is LinkState.UP


def test_a_host_that_is_heard_but_does_not_ping_is_unsteady_and_not_lost() -> None:
    pair = Pair(speaking())
    for _ in range(20):
        tick(pair, 1.0)
        pair.act(pair.guest.received(write(Presence(())), pair.desk.now()), read=False)
    assert pair.guest.link is LinkState.UNSTEADY


def test_the_guest_pings_every_second_once_it_is_welcome() -> None:
    pair = Pair(speaking())
    pair.effects.clear()
    for _ in range(8):
        tick(pair, PING_INTERVAL / 4)
    ping = write(Ping(0, len(pair.guest.log)))
    assert [effect.data for effect in pair.events(Transmit)] == [ping] * 2


def test_nothing_is_pinged_before_the_welcome() -> None:
    guest = Guest(signing_key(0))
    guest.connected(b"", Moment(0, 0), None)
    assert guest.tick(Moment(9, 0)) == []
    assert guest.tick(Moment(LOST_DELAY + 1, 0))[0] == Hangup(Farewell.SILENT)


def test_a_link_is_up_when_the_log_is_here() -> None:
    pair = Pair(speaking(), 5, connect=False, known=0)
    states = [pair.guest.link]
    pair.connect(read=False)
    states.append(pair.guest.link)
    pair.act([])
    states.append(pair.guest.link)
    pair.cut()
    assert [*states, pair.guest.link] == [
        LinkState.DOWN,
        LinkState.MEETING,
        LinkState.UP,
        LinkState.DOWN,
    ]
    assert pair.guest.tick(pair.desk.now()) == []


def test_the_host_tells_who_is_unsteady() -> None:
    pair = Pair(speaking())
    pair.hear(Presence((signing_key(1).public,)))
    assert pair.guest.unsteady == (signing_key(1).public,)


# A host that cannot be talked to


def greeting(table: bytes, protocol: int = PROTOCOL) -> Greeting:
    opened = Story(0).table.opened
    card = Card(table, opened.name, opened.name, opened.rules, 9, 0, State.GATHERING, False, 0)
    return Greeting(protocol, "9.9", card, bytes(32))


def newcomer(table: bytes | None = None) -> Guest:
    guest = Guest(signing_key(0), table)
    guest.connected(b"", Moment(0, 0), None)
    return guest


def test_a_host_of_another_version_is_left_with_that_farewell() -> None:
    effects = newcomer().received(write(greeting(bytes(32), PROTOCOL + 1)), Moment(0, 0))
    assert effects[0] == Hangup(Farewell.OTHER_VERSION)
    assert not [effect for effect in effects if isinstance(effect, Transmit)]


@pytest.mark.parametrize(
    "message", [Welcome(1), Entries((b"x",)), Presence(()), Ping(0), Refusal(1, "stale")]
)
def test_a_host_that_does_not_greet_first_is_left(message: Message) -> None:
    guest = newcomer()
    effects = guest.received(write(message), Moment(0, 0))
    assert effects[0] == Hangup(Farewell.MALFORMED)
    assert guest.link is LinkState.DOWN


def test_a_second_greeting_gets_no_second_hello() -> None:
    guest = newcomer()
    guest.received(write(greeting(bytes(32))), Moment(0, 0))
    effects = guest.received(write(greeting(bytes(32))), Moment(0, 0))
    assert effects[0] == Hangup(Farewell.MALFORMED)
    assert not [effect for effect in effects if isinstance(effect, Transmit)]


def test_a_table_whose_first_entry_is_of_another_protocol_halts() -> None:
    opened = replace(Story(0).table.opened, protocol=99)
    first = Entry.sign(signing_key(255), 0, EMPTY, 0, opened)
    guest = newcomer()
    guest.received(write(greeting(first.hash)) + write(Welcome(1)), Moment(0, 0))
    effects = guest.received(write(Entries((first.blob,))), Moment(0, 0))
    assert isinstance(effects[-1], Halt) and "protocol 99" in str(effects[-1].error)


def test_another_table_than_the_expected_one_gets_no_hello() -> None:
    guest = newcomer(b"t" * 32)
    effects = guest.received(write(greeting(bytes(32))), Moment(0, 0))
    assert effects[0] == Hangup(Farewell.OTHER_LOG)
    assert guest.link is LinkState.DOWN
    assert not [effect for effect in effects if isinstance(effect, Transmit)]


@pytest.mark.parametrize(
    "data",
    [
        b"HTTP/1.1 400 Bad Request\r\n",
        frame(b"\xc1"),
        frame(pack(("hello",))),
        frame(pack(("entries", (b"",)))),
        bytes(4),
    ],
)
def test_what_is_malformed_ends_the_link(data: bytes) -> None:
    pair = Pair(speaking())
    pair.act(pair.guest.received(data, pair.desk.now()))
    assert pair.events(Hangup) == [Hangup(Farewell.MALFORMED)]
    assert pair.guest.link is LinkState.DOWN


def test_nothing_behind_a_goodbye_is_read() -> None:
    pair = Pair(speaking())
    entry = speaking().entry(1, HI)
    data = write(Goodbye(Farewell.REPLACED)) + write(Entries((entry.blob,))) + write(Welcome(99))
    pair.act(pair.guest.received(data, pair.desk.now()))
    assert pair.events(Hangup) == [Hangup(Farewell.REPLACED)]
    assert pair.guest.log.head == speaking().table.head


def test_bytes_after_the_end_of_a_link_are_dropped() -> None:
    pair = Pair(speaking())
    pair.cut()
    assert pair.guest.received(write(Goodbye(Farewell.CLOSED)), pair.desk.now()) == []


# A host that lies


def host_says(said: Intent | Message, **changes: object) -> bytes:
    """An entry of a modified host."""
    story = speaking()
    after = changes.get("after", story.table.head)
    key = signing_key(255 if "key" not in changes else 1)
    time = story.table.time + int(str(changes.get("time", 0)))
    assert isinstance(after, Head)
    return Entry.sign(key, int(str(changes.get("epoch", 0))), after, time, said).blob


def said_by(who: int, statement: Message, **changes: Head) -> Intent:
    return speaking().intent(who, statement, changes.get("seen"))


def turned(blob: bytes, place: int) -> bytes:
    return blob[:place] + bytes([blob[place] ^ 1]) + blob[place + 1 :]


HONEST = host_says(said_by(0, Speak(Bid(1))))
TALK = said_by(1, HI)

LIES = {
    "a bit turned in the statement": turned(HONEST, 150),
    "a bit turned in the signature": turned(HONEST, len(HONEST) - 1),
    "no entry at all": b"\xc1",
    "signed by somebody else": host_says(TALK, key="another"),
    "an entry twice": speaking().entries[-1].blob,
    "an entry out of order": host_says(TALK, after=Head(len(speaking().entries) + 1, bytes(32))),
    "an entry of another chain": host_says(TALK, after=Head(len(speaking().entries), bytes(32))),
    "an older entry": host_says(TALK, time=-5),
    "another epoch": host_says(TALK, epoch=1),
    "a word of the wrong player": host_says(said_by(1, Speak(Bid(1)))),
    "a word that the rules forbid": host_says(said_by(0, Speak(Ending.CALL))),
    "a fist after the last one": host_says(said_by(0, Fist(bytes(32)))),
    "an opening before the ending word": host_says(said_by(0, Open(1, bytes(32)))),
    "a start in the middle of a game": host_says(speaking().starting()),
    "another opening of the table": host_says(speaking().table.opened),
    "a word of the host": host_says(Speak(Bid(1))),
    "an old intent again": host_says(next(e.intent for e in speaking().entries if e.intent)),
    "a word that saw another log": host_says(said_by(0, Speak(Bid(1)), seen=Head(3, bytes(32)))),
    "a word that saw the turn before": host_says(
        said_by(0, Speak(Bid(1)), seen=Head(1, bytes(32)))
    ),
    "a word that saw nothing": host_says(said_by(0, Speak(Bid(1)), seen=EMPTY)),
    "talk that saw nothing": host_says(said_by(1, HI, seen=EMPTY)),
    "a word of a stranger": host_says(
        Intent.sign(signing_key(2), 9, speaking().table.head, Speak(Bid(1)))
    ),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_log_that_does_not_hold_together_halts_with_the_evidence(lie: str) -> None:
    pair = Pair(speaking())
    pair.hear(Entries((LIES[lie],)))
    (halt,) = pair.events(Halt)
    assert halt.evidence == LIES[lie]
    assert isinstance(halt.error, BrokenLog | Malformed)
    assert pair.events(Hangup) == [Hangup(Farewell.OTHER_LOG)]
    assert pair.events(Store) == [] and pair.guest.table == speaking().table


def test_the_honest_entries_before_the_lie_are_kept() -> None:
    pair = Pair(speaking())
    pair.hear(Entries((HONEST, HONEST)))
    assert [effect.entry.blob for effect in pair.events(Store)] == [HONEST]
    assert [type(effect) for effect in pair.effects[-4:]] == [Store, Hangup, Changed, Halt]


def test_after_a_halt_nothing_is_read_any_more() -> None:
    pair = Pair(speaking())
    pair.hear(Entries((LIES["no entry at all"],)))
    pair.connect(read=False)
    pair.effects.clear()
    pair.hear(Entries((HONEST,)), read=False)
    assert pair.effects == []


def test_a_log_of_another_table_than_the_greeting_named_halts() -> None:
    guest = newcomer()
    guest.received(write(greeting(b"t" * 32)) + write(Welcome(1)), Moment(0, 0))
    effects = guest.received(write(Entries((Story(0).entries[0].blob,))), Moment(0, 0))
    assert isinstance(effects[-1], Halt)
    assert guest.table is None


def test_a_tampered_log_on_the_disk_is_not_gone_on_with() -> None:
    entries = list(speaking().entries)
    entries[3], entries[4] = entries[4], entries[3]
    with pytest.raises(BrokenLog):
        Guest(signing_key(0), None, entries)


# All together


def test_a_whole_game_leaves_everybody_with_the_same_table() -> None:
    table = MemoryTable(2, "bid-spoof", seed=3)
    table.ready()
    table.play_on(raise_odds=0.3)
    assert table.host.table.game is not None and table.host.table.game.winner is not None
    for client in table.clients:
        assert client.guest.table == table.host.table
        assert [entry.blob for entry in client.stored] == table.recorded
        assert client.events == []


def test_a_seat_that_was_asked_for_a_moment_ago_can_be_left() -> None:
    table = MemoryTable(1)
    client = table.add(sit=False)
    asked = client.guest.state(Sit(ForeignText("Brief")))
    left = client.guest.state(Leave())
    table.act(client, [*asked, *left])
    assert [seat.name.raw for seat in table.host.table.seats] == ["Player1"]
    assert not client.guest.waiting


def test_another_host_under_the_tables_name_hears_no_hello() -> None:
    table = MemoryTable(1)
    (client,) = table.clients
    table.cut(client)
    client.guest.connected(b"", table.now(), signing_key(9).public)
    effects = client.guest.received(table.greeting(), table.now())
    assert Hangup(Farewell.IMPOSTOR) in effects
    assert not any(isinstance(effect, Transmit) for effect in effects)


@pytest.mark.parametrize("why", [Farewell.CLOSED, Farewell.OTHER_LOG, Farewell.BARRED])
def test_another_host_cannot_say_that_the_table_closes(why: Farewell) -> None:
    table = MemoryTable(1)
    (client,) = table.clients
    table.cut(client)
    client.guest.connected(b"", table.now(), signing_key(9).public)
    effects = client.guest.received(write(Goodbye(why)), table.now())
    assert Hangup(Farewell.IMPOSTOR) in effects and Hangup(why) not in effects


def test_a_later_host_that_is_not_known_yet_can_ask_for_the_code_again() -> None:
    table = MemoryTable(1)
    (client,) = table.clients
    table.cut(client)
    client.guest.connected(b"", table.now(), signing_key(9).public)
    effects = client.guest.received(write(Goodbye(Farewell.WRONG_CODE)), table.now())
    assert CodeWanted(Farewell.WRONG_CODE) in effects


# The electors


def without_one() -> Story:
    """Five of whom one is set aside, which nobody has confirmed."""
    story = Story(5).start(0, 1, 2, 3, 4).toss(0, 1, 2, 3, 4).away(4).wait()
    return story.vote(Measure.PLAY_ON, 4, 0, 1, 2)


def test_a_change_of_the_electors_is_confirmed_once_it_is_on_the_disk() -> None:
    pair = Pair(without_one())
    assert pair.proposed == [Seen()]
    kinds = [type(effect) for effect in pair.effects]
    assert kinds.index(Settle) < max(at for at, kind in enumerate(kinds) if kind is Transmit)
    assert pair.desk.host.table.seen == {signing_key(0).public}


def test_a_confirmation_that_comes_too_late_is_nothing_to_tell_anybody() -> None:
    story = without_one()
    pair = Pair(story, host_story=story.copy().tell(1, Seen()).tell(2, Seen()), connect=False)
    pair.connect()
    pair.hear(Refusal(1, Reason.NO_CHANGE.code))
    assert pair.events(Refused) == []


def test_whoever_gives_its_seat_up_supports_nobody() -> None:
    table = MemoryTable(3)
    leaver, heir, _ = table.clients
    table.cut(leaver)
    table.act(leaver, leaver.guest.state(Leave()))
    table.now(SUPPORT_DELAY)
    table.stand(heir)
    for client in (heir, leaver):
        table.connect(client)
    table.pass_time(2)
    assert table.host.is_standing and leaver.guest.epoch == 0
