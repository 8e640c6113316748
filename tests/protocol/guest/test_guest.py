"""A participant's side: it keeps its secrets, opens its fist unasked, and believes nobody."""

import functools
from collections.abc import Callable
from dataclasses import replace

import pytest

from protocol.crypto.seals import SealedHand, SealPlace
from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Malformed, Reason
from protocol.guest.effects import (
    Halt,
    Hangup,
    Keep,
    Refused,
    Secret,
    Store,
    Sync,
    Transmit,
)
from protocol.guest.guest import Guest
from protocol.guest.link import HostLink
from protocol.guest.viewpoint import Viewpoint
from protocol.rules.words import Bid, Ending
from protocol.table.head import EMPTY, Head
from protocol.table.log import Entry, Intent
from protocol.table.statements import (
    Fist,
    Gesticulate,
    Gesture,
    Measure,
    Open,
    Ready,
    Say,
    Seen,
    Speak,
    Witness,
)
from protocol.timeouts import LOST_DELAY, PING_INTERVAL, Moment, RoundTrip
from protocol.version import PROTOCOL
from protocol.views import LinkState
from protocol.wire.handshake import GuestHandshake
from protocol.wire.messages import (
    Entries,
    Farewell,
    Goodbye,
    Greeting,
    Ping,
    Presence,
    Refusal,
    Welcome,
    write,
)
from tests.protocol.greetings import greeting_of
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
        SealPlace(game.table, game.number, game.round_number, pair.guest.key), coins, nonce
    )


# What it sealed


OTHER_HAND = SealedHand(speaking().hands[0].place, 0, OTHER_NONCE)
OTHER_SHARE = replace(lot().share(0), nonce=OTHER_NONCE)


@pytest.mark.parametrize(
    ("story", "secrets", "lacks"),
    [
        pytest.param(lot(), None, False, id="its own share"),
        pytest.param(lot(), [], True, id="no share"),
        pytest.param(lot(), [OTHER_SHARE], True, id="another share"),
        pytest.param(lot().copy().toss(0), [], False, id="a share that is open"),
        pytest.param(choosing(), [], False, id="nothing sealed yet"),
        pytest.param(
            choosing().copy().fists_of({0: 1}), [], True, id="no hand, with a fist to come"
        ),
        pytest.param(speaking(), None, False, id="its own hand"),
        pytest.param(speaking(), [], True, id="no hand"),
        pytest.param(speaking(), [OTHER_HAND], True, id="another hand"),
        pytest.param(opening(), [], True, id="no hand to open"),
        pytest.param(opening().copy().open(0), [], False, id="a fist that is open"),
        pytest.param(gathering(), [], False, id="no game"),
    ],
)
def test_a_seal_whose_secret_another_computer_has_is_known_for_what_it_is(
    story: Story, secrets: list[Secret] | None, lacks: bool
) -> None:
    guest = Pair(story, secrets=secrets).guest
    assert guest.lacks_secret is lacks is Viewpoint(guest).view().lacks_secret
    if lacks:
        assert guest.own_hand is None, "what is not in the fist is not shown as if it were"


# What it owes it sends unasked


def test_an_ending_word_is_confirmed_even_without_the_hand() -> None:
    assert Pair(witnessing(), secrets=[]).proposed == [Witness()]


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


# A crash, and another start


def test_of_two_kept_secrets_of_one_place_the_first_counts() -> None:
    first, second = (SealedHand(choosing().hand(0, 0).place, coins, NONCE) for coins in (1, 2))
    assert Pair(choosing(), secrets=[first, second]).proposed == [Fist(first.seal)]


def test_without_the_secret_nothing_is_made_up() -> None:
    assert Pair(opening(), secrets=[]).proposed == []
    assert Pair(lot(), secrets=[]).proposed == []


# Connections


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


def test_a_word_that_has_come_to_nothing_in_its_turn_is_said_again_by_itself() -> None:
    pair = Pair(speaking())
    pair.link = None
    pair.act(pair.guest.speak(Bid(1)))
    pair.act(pair.guest.propose(Say(HI.text)))
    later = speaking().entry(0, HI).intent
    assert later is not None
    said = Intent.sign(signing_key(0), sequence_of(pair) + 1, later.seen, HI)
    pair.hear(Entries((host_says(said),)))
    assert pair.guest.waiting == (Speak(Bid(1)),) and not pair.events(Refused)
    assert pair.proposed == [Speak(Bid(1)), HI, Speak(Bid(1))]
    assert pair.intents[-1].sequence > said.sequence


def test_who_spoke_elsewhere_with_the_same_key_is_told_that_this_was_not_heard() -> None:
    elsewhere = speaking().copy().tell(0, Say(ForeignText("from my other computer")))
    pair = Pair(speaking(), host_story=elsewhere, connect=False)
    pair.act(pair.guest.propose(Say(ForeignText("from this one"))))
    pair.connect()
    assert pair.events(Refused) == [Refused(Say(ForeignText("from this one")), Reason.STALE)]
    assert not pair.guest.waiting


def test_two_talks_may_wait_but_one_word_only() -> None:
    pair = Pair(speaking(), connect=False)
    pair.act([*pair.guest.propose(Say(HI.text)), *pair.guest.propose(Say(HI.text))])
    pair.act(pair.guest.propose(Gesticulate(Gesture.MITT_FULL)))
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


# Time


def tick(pair: Pair, seconds: float) -> LinkState:
    pair.desk.time += seconds
    pair.act(pair.guest.tick(pair.desk.now()), read=False)
    return pair.guest.link


def test_a_host_that_is_heard_but_does_not_ping_is_unsteady_and_not_lost() -> None:
    pair = Pair(speaking())
    for _ in range(20):
        tick(pair, 1.0)
        pair.act(pair.guest.received(write(Presence(())), pair.desk.now()), read=False)
    assert pair.guest.link is LinkState.UNSTEADY
    assert not pair.guest.hears_other_end(pair.desk.now())


def test_the_guest_pings_every_second_once_it_is_welcome() -> None:
    pair = Pair(speaking())
    pair.effects.clear()
    for _ in range(8):
        tick(pair, PING_INTERVAL / 4)
    ping = write(Ping(0, len(pair.guest.log)))
    assert [effect.data for effect in pair.events(Transmit)] == [ping] * 2


@pytest.mark.parametrize("host", [None, bytes(32)])
def test_what_delays_a_ping_within_one_program_says_nothing_about_a_network(
    host: bytes | None,
) -> None:
    link = HostLink(GuestHandshake(b"", host), heard=0.0, asked=0.0, pinged=0.0, trip=RoundTrip(0))
    for number in range(1, 5):
        link.take_ping(number, Moment(number * 2 * PING_INTERVAL, 0))
    assert bool(link.trip.mean) is (host is not None)


def test_nothing_is_pinged_before_the_welcome() -> None:
    guest = Guest(signing_key(0))
    guest.connected(b"", Moment(0, 0), None)
    assert guest.tick(Moment(9, 0)) == []
    assert guest.tick(Moment(LOST_DELAY + 1, 0))[0] == Hangup(Farewell.SILENT)


# A host that cannot be talked to


def greeting(table: bytes, protocol: int = PROTOCOL) -> Greeting:
    said = greeting_of(Story(0))
    return replace(said, protocol=protocol, program="9.9", card=replace(said.card, table=table))


def newcomer(table: bytes | None = None) -> Guest:
    guest = Guest(signing_key(0), table)
    guest.connected(b"", Moment(0, 0), None)
    return guest


def test_a_table_whose_first_entry_is_of_another_protocol_halts() -> None:
    opened = replace(Story(0).table.opened, protocol=99)
    first = Entry.sign(signing_key(255), 0, EMPTY, 0, opened)
    guest = newcomer()
    guest.received(write(greeting(first.hash)) + write(Welcome(1)), Moment(0, 0))
    effects = guest.received(write(Entries((first.blob,))), Moment(0, 0))
    assert isinstance(effects[-1], Halt) and "protocol 99" in str(effects[-1].error)


def test_nothing_behind_a_goodbye_is_read() -> None:
    pair = Pair(speaking())
    entry = speaking().entry(1, HI)
    data = write(Goodbye(Farewell.REPLACED)) + write(Entries((entry.blob,))) + write(Welcome(99))
    pair.act(pair.guest.received(data, pair.desk.now()))
    assert pair.events(Hangup) == [Hangup(Farewell.REPLACED)]
    assert pair.guest.log.head == speaking().table.head


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
    "a word that saw another log": host_says(said_by(0, Speak(Bid(1)), seen=Head(3, bytes(32)))),
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


# The electors


def without_one() -> Story:
    """Five players, one of them set aside, which nobody has confirmed."""
    story = Story(5).start(0, 1, 2, 3, 4).toss(0, 1, 2, 3, 4).away(4).wait()
    return story.vote(Measure.PLAY_ON, 4, 0, 1, 2)


def test_a_change_of_the_electors_is_confirmed_once_it_is_on_the_disk() -> None:
    pair = Pair(without_one())
    assert pair.proposed == [Seen()]
    kinds = [type(effect) for effect in pair.effects]
    assert kinds.index(Sync) < max(at for at, kind in enumerate(kinds) if kind is Transmit)
    assert pair.desk.host.table.seen == {signing_key(0).public}


def test_a_confirmation_that_comes_too_late_is_nothing_to_tell_anybody() -> None:
    story = without_one()
    pair = Pair(story, host_story=story.copy().tell(1, Seen()).tell(2, Seen()), connect=False)
    pair.connect()
    pair.hear(Refusal(1, Reason.NO_CHANGE.code))
    assert pair.events(Refused) == []
