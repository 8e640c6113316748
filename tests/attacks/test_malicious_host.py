"""Attempts of a host to win: each is impossible, or its guests stop and say why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.crypto.seals import SealedHand
from protocol.encoding.codec import Message
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.guest.effects import Hangup, Keep, WentOn
from protocol.guest.guest import Guest
from protocol.rules.options import Rules
from protocol.rules.words import Bid, Ending
from protocol.table.continuation import draft, sign, signed
from protocol.table.fold import Phase
from protocol.table.head import EMPTY
from protocol.table.log import Entry
from protocol.table.statements import (
    Admitted,
    Away,
    Back,
    Decide,
    Fist,
    GameStarted,
    Measure,
    Speak,
    Witness,
)
from protocol.table.verify import Blame, Flaw, verify
from protocol.timeouts import LOST_DELAY, Moment
from protocol.wire.messages import (
    Card,
    Continued,
    Entries,
    Farewell,
    Goodbye,
    Offer,
    Ping,
    Presence,
    Refusal,
    Welcome,
    write,
)
from spoof_tui.telling import sentences
from tests.attacks.crooked import (
    ANN,
    BO,
    CHANNEL,
    HI,
    MALLORY,
    NOW,
    STRANGER,
    CrookedHost,
    Victim,
    honest,
)
from tests.protocol.greetings import greeting_of
from tests.protocol.stories import Story, decision, first_entry, public, refused, signing_key

TWO_STORIES = "two stories are being told"
NONCE = b"n" * 32

# To learn a hand


def test_a_host_guesses_a_hand_from_its_seal() -> None:
    host = CrookedHost(honest(Phase.CHOOSING), ANN)
    ann = host[ANN]
    (kept, *sent) = ann.guest.choose(2, bytes(range(32)))
    assert isinstance(kept, Keep) and isinstance(kept.secret, SealedHand)
    ann.act(sent)
    (fist,) = ann.intents
    assert isinstance(fist.statement, Fist)
    heard = [bytes(32), public(ANN), ann.table.id, fist.statement.seal, fist.seen.hash]
    tried = [SealedHand(kept.secret.place, coins, n) for coins in range(4) for n in heard]
    assert not any(guess.opens(fist.statement.seal) for guess in tried)
    assert kept.secret.nonce not in fist.blob


def test_a_host_tells_one_guest_a_forged_ending_word_to_see_its_fist() -> None:
    host = CrookedHost(honest(Phase.SPEAKING))
    host.play(ANN, Speak(Ending.SPOOF))
    host.play(BO, Speak(Bid(1)))
    host.tell(ANN, *host[ANN].intents)
    assert host[ANN].proposed == [Witness()]
    assert host[ANN].table.phase is Phase.WITNESSING


def test_a_host_asks_for_a_fist_before_the_ending_word() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    length = len(host.story.entries)
    host[ANN].hear(Welcome(length), Refusal(1, "no-opening-now"), Presence(()), Ping(0))
    host[ANN].hear(Welcome(length + 1), Ping(0))
    assert host[ANN].intents == []


def test_a_host_greets_twice_to_have_a_hello_for_somebody_else_signed() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    host[ANN].hear(greeting_of(host.story))
    assert len(host[ANN].hellos) == 1
    assert host[ANN].farewells == [Farewell.MALFORMED]


@pytest.mark.parametrize("measure", [Measure.REMOVE, Measure.BAR])
def test_a_host_removes_everybody_else_to_be_alone_with_a_fist(measure: Measure) -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    host.tell(ANN, decision(measure, BO))
    host.play(ANN, Speak(Ending.SPOOF))
    host.tell(ANN, *host[ANN].intents)
    game = host[ANN].table.game
    assert game is not None and game.witnesses_missing == (BO,)
    assert host[ANN].opened == []


def test_a_host_is_alone_with_one_fist_to_use_it_against_another() -> None:
    host = CrookedHost(honest(Phase.CHOOSING))
    ann, bo = host[ANN], host[BO]
    for victim in (ann, bo):
        victim.act(victim.guest.choose(victim.who, bytes([victim.who]) * 32))
    host.tell(ANN, decision(Measure.REMOVE, BO))
    ann.hear(Refusal(ann.intents[0].sequence, Reason.STALE.code))
    host.tell(ANN, ann.intents[-1])
    host.play(ANN, Fist(NONCE), Speak(Ending.SPOOF))
    host.tell(ANN, ann.intents[-1])
    assert len(ann.opened) == 1
    # Now the host knows her hand; but at Bo's table she has confirmed nothing.
    host.tell(BO, ann.intents[0], bo.intents[0])
    host.play(BO, Fist(NONCE), Speak(Ending.SPOOF))
    host.tell(BO, bo.intents[-1])
    assert bo.table.phase is Phase.WITNESSING
    host.tell(BO, next(intent for intent in ann.intents if intent.statement == Witness()))
    assert TWO_STORIES in bo.told and bo.opened == []


ANNOUNCEMENTS = [
    *(decision(measure, who) for measure in Measure for who in (ANN, BO, MALLORY, STRANGER)),
    *(kind(public(who)) for kind in (Away, Back, Admitted) for who in (ANN, STRANGER)),
    GameStarted(()),
    GameStarted((public(ANN), public(MALLORY))),
    first_entry("milan", 9, 0).statement,
]


@pytest.mark.parametrize("phase", [Phase.SPEAKING, Phase.WITNESSING])
def test_a_host_calls_a_round_off_to_have_its_fist_back_or_see_another(phase: Phase) -> None:
    for announcement in ANNOUNCEMENTS:
        host = CrookedHost(honest(phase), ANN)
        before = host[ANN].table
        host.tell(ANN, announcement)
        assert host[ANN].table.game == before.game
        assert host[ANN].table.phase is phase
        assert host[ANN].opened == [] and host[ANN].guest.own_hand == 1


def test_a_host_drops_a_word_and_lets_the_next_one_speak() -> None:
    host = CrookedHost(honest(Phase.SPEAKING))
    host.play_all(Speak(Bid(1)))
    host[ANN].act(host[ANN].guest.speak(Bid(2)))
    bo = host[BO].guest
    with refused(Reason.NOT_YOUR_TURN):
        bo.speak(Bid(3))
    host.play(BO, Speak(Bid(3)))
    assert host[BO].told.endswith("“It is Ann’s turn, not yours. (R4)”")
    assert host[ANN].guest.waiting == (Speak(Bid(2)),)


def test_a_host_refuses_a_word_falsely_to_have_two_to_choose_from() -> None:
    story = honest(Phase.SPEAKING).copy().say(Bid(1))
    host = CrookedHost(story, ANN)
    ann = host[ANN]
    ann.act(ann.guest.speak(Bid(2)))
    ann.hear(Refusal(ann.intents[0].sequence, Reason.STALE.code))
    with refused(Reason.REPEATED):
        ann.guest.speak(Ending.CALL)


def test_a_host_refuses_a_fist_falsely_to_have_another_one_put_in() -> None:
    host = CrookedHost(honest(Phase.CHOOSING), ANN)
    ann = host[ANN]
    ann.act(ann.guest.choose(2, NONCE))
    ann.hear(Refusal(ann.intents[0].sequence, Reason.STALE.code))
    with refused(Reason.FIST_IS_IN):
        ann.guest.choose(3, b"m" * 32)
    assert len({repr(statement) for statement in ann.proposed}) == 1


# To pick the lot


def shares_are_open() -> CrookedHost:
    """Everybody's share is open except Mallory's: the host knows where the lot would fall."""
    host = CrookedHost(honest(Phase.LOT))
    host.tell_all(*host[ANN].intents, *host[BO].intents)
    return host


def test_a_host_calls_a_lot_off_that_falls_badly() -> None:
    host = shares_are_open()
    host.tell_all(decision(Measure.REMOVE, MALLORY))
    ann = host[ANN]
    # Everybody sees that it did, and who lost the seat by it; the next lot is a different one.
    assert ann.table.phase is Phase.GATHERING
    assert isinstance(ann.guest.log[-1].statement, Decide)
    assert public(MALLORY) not in [seat.key for seat in ann.table.seats]
    assert ann.table.ready_seats == ()
    (kept, *_) = ann.guest.ready(NONCE, NONCE)
    assert isinstance(kept, Keep) and kept.secret.place.game == 2


@pytest.mark.parametrize("whom", [ANN, BO, MALLORY])
def test_a_host_takes_coins_away_in_the_middle_of_a_round(whom: int) -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    before = host[ANN].table.game
    host.tell(ANN, decision(Measure.REMOVE, whom))
    assert host[ANN].told == "" and host[ANN].table.game == before
    assert host[ANN].table.leaving == (public(whom),)


# To be another table, or another host


def newcomer(host: bytes | None = None, card: Card | None = None) -> Victim:
    """A newcomer who holds nothing yet, after the greeting and the welcome."""
    story = honest(Phase.GATHERING)
    victim = Victim(STRANGER, story, story.host_key.public, known=0)
    victim.connect(host, card)
    victim.hear(Welcome(len(story.entries)))
    return victim


OTHERS = {
    "name": ForeignText("Other"),
    "rules": Rules.parse("three-coins"),
    "seats": 5,
    "locked": True,
}


@pytest.mark.parametrize("field", OTHERS)
def test_a_host_shows_a_card_and_opens_another_table(field: str) -> None:
    story = honest(Phase.GATHERING)
    changes: dict[str, object] = {field: OTHERS[field]}
    victim = newcomer(card=replace(greeting_of(story).card, **changes))  # type: ignore[arg-type]
    victim.hear(Entries((story.entries[0].blob,)))
    assert victim.halt is not None
    assert str(victim.halt.error) == "entry 0: it opens another table than the card showed"
    assert victim.guest.table is None


def test_another_host_shows_the_log_of_this_one() -> None:
    victim = newcomer(host=public(STRANGER))
    victim.hear(Entries((honest(Phase.GATHERING).entries[0].blob,)))
    assert victim.halt is not None
    assert "another host than the certificate" in str(victim.halt.error)


def test_another_host_says_that_this_table_is_closed() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    ann = host[ANN]
    ann.act(ann.guest.disconnected())
    ann.act(ann.guest.connected(CHANNEL, NOW, public(STRANGER)))
    ann.hear(Goodbye(Farewell.CLOSED))
    assert ann.farewells == [Farewell.IMPOSTOR] and len(ann.hellos) == 1
    assert "its key is not the host’s" in sentences.turned_away(Farewell.IMPOSTOR)


def code_typed() -> Guest:
    """A newcomer who has typed the code of the table on the screen."""
    story = honest(Phase.GATHERING)
    guest = Guest(signing_key(STRANGER))
    guest.use_code("K7M4Q", lambda count: bytes(range(count)))
    guest.connected(CHANNEL, NOW, story.host_key.public)
    return guest


def heard(guest: Guest, *messages: Message) -> list[object]:
    """What these messages lead to."""
    return [effect for message in messages for effect in guest.received(write(message), NOW)]


def test_a_host_that_does_not_know_the_code_lets_in_who_typed_it() -> None:
    story, guest = honest(Phase.GATHERING), code_typed()
    effects = heard(guest, greeting_of(story), Welcome(1), Entries((story.entries[0].blob,)))
    assert Hangup(Farewell.NO_PROOF) in effects and guest.table is None
    assert "somebody is intercepting" in sentences.farewell(Farewell.NO_PROOF)


def test_a_host_that_does_not_know_the_code_shows_its_log_first() -> None:
    story, guest = honest(Phase.GATHERING), code_typed()
    effects = heard(guest, greeting_of(story), Entries((story.entries[0].blob,)), Welcome(1))
    assert Hangup(Farewell.MALFORMED) in effects and guest.table is None


def test_who_has_promised_to_follow_another_host_confirms_nothing_to_this_one() -> None:
    ann = Guest(signing_key(ANN), None, Story(5).entries, promise=1)
    host = CrookedHost(Story(5), ANN)
    host[ANN].guest = ann
    host[ANN].connect()
    host[ANN].hear(Welcome(len(host.story.entries)))
    assert host[ANN].farewells[-1] is Farewell.OLD_EPOCH and host[ANN].intents == []


def a_new_table(host: CrookedHost, coins: int, *along: int) -> Continued:
    """The first entry of a table served by this host, with seats and coins of its choice."""
    plain = draft(host.story.table, {public(ANN), public(BO)}, host.key.public, b"n" * 32)
    seats = zip(plain.seats, along, strict=True)
    made_up = replace(
        plain,
        seats=tuple(replace(seat, key=public(who), coins=coins) for seat, who in seats),
        starter=public(along[0]),
        behind=(),
    )
    by = {public(who): sign(signing_key(who), made_up) for who in along}
    return Continued(Entry.sign(host.key, 0, EMPTY, 1_700_000_900_000, signed(made_up, by)).blob)


@pytest.mark.parametrize("along", [(STRANGER, 10), (MALLORY, STRANGER)])
def test_a_host_takes_those_along_who_have_agreed_to_nothing(along: tuple[int, int]) -> None:
    host = CrookedHost(honest(Phase.SPEAKING))
    lie = a_new_table(host, 9, *along)
    for who in (ANN, BO):
        host[who].hear(lie)
        halt = host[who].halt
        assert halt and halt.evidence == lie.blob
        assert not any(isinstance(effect, WentOn) for effect in host[who].effects)
        assert "it opens a new table that does not follow from this one" in host[who].told
        report = verify([frame(entry.blob) for entry in [*host[who].guest.log]] + [frame(lie.blob)])
        assert report.fault and report.fault.flaw is Flaw.MADE_UP


def test_a_file_with_a_true_new_table_behind_its_log_accuses_nobody() -> None:
    host = CrookedHost(honest(Phase.SPEAKING))
    plain = draft(host.story.table, {public(ANN), public(BO)}, host.key.public, b"n" * 32)
    true = signed(plain, {public(who): sign(signing_key(who), plain) for who in (ANN, BO)})
    blob = Entry.sign(host.key, 0, EMPTY, 1_700_000_900_000, true).blob
    report = verify([frame(entry.blob) for entry in host.story.entries] + [frame(blob)])
    assert report.fault and report.fault.flaw is Flaw.NEW_TABLE
    assert report.fault.flaw.blame is Blame.FILE


def test_a_host_has_the_new_table_agreed_to_at_once_by_words_that_nobody_gave() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    ann = host[ANN]
    along = public(ANN), public(BO)
    made_up = sign(signing_key(MALLORY), draft(host.story.table, set(along), along[1], b"n" * 32))
    shown = []
    for bos in (made_up, None):
        ann.hear(Offer(host.key.public, b"n" * 32, along, (None, bos), 0))
        shown.append(ann.guest.departure.offer)
    assert shown == [None, Offer(host.key.public, b"n" * 32, along, (None, None), 60)]
    with refused(Reason.NOT_NOW):
        ann.guest.departure.agree()


def test_a_host_never_answers_a_word() -> None:
    host = CrookedHost(honest(Phase.SPEAKING).copy().say(Bid(1)), ANN)
    ann = host[ANN]
    ann.act(ann.guest.speak(Bid(2)))
    ann.act(ann.guest.tick(Moment(NOW.monotonic + LOST_DELAY + 1, NOW.wall)))
    assert ann.farewells == [Farewell.SILENT]
    ann.connect()
    ann.hear(Welcome(ann.head.length))
    assert [intent.blob for intent in ann.intents] == [ann.intents[0].blob] * 2


def test_after_any_of_this_nothing_more_is_taken_from_that_host() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    host.tell(ANN, host.forged(ANN, BO, HI))
    ann = host[ANN]
    said, length = len(ann.intents), len(ann.guest.log)
    ann.connect()
    ann.hear(Welcome(length), Ping(0))
    host.play(ANN, Speak(Ending.SPOOF))
    assert (len(ann.intents), len(ann.guest.log)) == (said, length)
