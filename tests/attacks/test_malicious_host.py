"""What a host tries that wants to win: each is impossible, or its guests stop and say why."""

from __future__ import annotations

from dataclasses import replace

import pytest

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import SealedHand, digest
from protocol.encoding.codec import Message, pack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.guest.effects import Hangup, Keep, WentOn
from protocol.guest.guest import Guest
from protocol.rules.options import Rules
from protocol.rules.words import Bid, Ending
from protocol.table.announcements import (
    Admitted,
    Away,
    Back,
    Backing,
    Decide,
    GameStarted,
    HostMoved,
)
from protocol.table.continuation import draft, sign, signed
from protocol.table.fold import Phase
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
    Sit,
    Speak,
    Toss,
    Witness,
)
from protocol.table.transitions.succession import sign_support
from protocol.table.verify import Blame, Flaw, verify
from protocol.timing import LOST_DELAY, Moment
from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import (
    Card,
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
from protocol.wire.new_table import Continued, Offer
from spoof_tui.ui.wording import sentences
from tests.attacks.crooked import (
    ANN,
    BO,
    CHANNEL,
    MALLORY,
    NOW,
    STRANGER,
    CrookedHost,
    Victim,
    card_of,
    honest,
)
from tests.protocol.stories import GRACE, Story, decision, first_entry, refused, signing_key, vote

FORGED = "the word in it is not signed by its author: it is forged"
TWO_STORIES = "two stories are told"
HI = Say(ForeignText("hi"))
NONCE = b"n" * 32


def public(who: int) -> bytes:
    return signing_key(who).public


# To learn a hand


def test_a_host_guesses_a_hand_from_its_seal() -> None:
    host = CrookedHost(honest(Phase.CHOOSING), ANN)
    ann = host[ANN]
    (kept, *sent) = ann.guest.choose(2, bytes(range(32)))
    assert isinstance(kept, Keep) and isinstance(kept.secret, SealedHand)
    ann.act(sent)
    (fist,) = ann.said
    assert isinstance(fist.statement, Fist)
    heard = [bytes(32), public(ANN), ann.table.id, fist.statement.seal, fist.seen.hash]
    tried = [SealedHand(kept.secret.place, coins, n) for coins in range(4) for n in heard]
    assert not any(guess.opens(fist.statement.seal) for guess in tried)
    assert kept.secret.nonce not in fist.blob


def test_a_host_tells_one_guest_a_forged_ending_word_to_see_its_fist() -> None:
    host = CrookedHost(honest(Phase.SPEAKING))
    host.play(ANN, Speak(Ending.SPOOF))
    host.play(BO, Speak(Bid(1)))
    host.tell(ANN, *host[ANN].said)
    assert host[ANN].stated == [Witness()]
    assert host[ANN].table.phase is Phase.WITNESSING


def test_a_host_lets_another_confirm_another_ending_word() -> None:
    host = CrookedHost(honest(Phase.SPEAKING))
    host.play(ANN, Speak(Ending.SPOOF))
    host.play(BO, Speak(Ending.SPOOF), later=2)
    host.tell(ANN, *host[ANN].said, *host[BO].said)
    assert TWO_STORIES in host[ANN].told
    assert host[ANN].opened == host[BO].opened == []


@pytest.mark.parametrize("who", [BO, MALLORY])
def test_a_host_confirms_its_ending_word_for_another(who: int) -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    host.play(ANN, Speak(Ending.SPOOF))
    said = host.forged(ANN, BO, Witness()) if who == BO else host.mallory(ANN, Witness())
    host.tell(ANN, *host[ANN].said, said)
    assert (FORGED if who == BO else "(R11)") in host[ANN].told
    assert host[ANN].opened == []


def test_a_host_asks_for_a_fist_before_the_ending_word() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    length = len(host.story.entries)
    host[ANN].hear(Welcome(length), Refusal(1, "no-opening-now"), Presence(()), Ping(0))
    host[ANN].hear(Welcome(length + 1), Ping(0))
    assert host[ANN].said == []


def test_a_host_repeats_the_ending_word_of_the_round_before() -> None:
    story = honest(Phase.OPENING).copy().open().fists(1, 2, 1)
    spoof = next(e.intent for e in story.entries if e.statement == Speak(Ending.SPOOF))
    assert spoof is not None and story.speaker == MALLORY
    host = CrookedHost(story, ANN)
    host.tell(ANN, spoof)
    assert host[ANN].told.endswith("“This was said already. (R4)”")
    assert host[ANN].opened == []


def test_a_host_greets_twice_to_have_a_hello_for_somebody_else_signed() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    host[ANN].hear(Greeting(PROTOCOL, PROGRAM, card_of(host.story), b"x" * 32))
    assert len(host[ANN].hellos) == 1
    assert host[ANN].farewells == [Farewell.MALFORMED]


@pytest.mark.parametrize("measure", [Measure.REMOVE, Measure.BAR])
def test_a_host_removes_everybody_else_to_be_alone_with_a_fist(measure: Measure) -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    host.tell(ANN, decision(measure, BO))
    host.play(ANN, Speak(Ending.SPOOF))
    host.tell(ANN, *host[ANN].said)
    game = host[ANN].table.game
    assert game is not None and game.witnesses_missing == (BO,)
    assert host[ANN].opened == []


def test_a_host_is_alone_with_one_fist_to_use_it_against_another() -> None:
    host = CrookedHost(honest(Phase.CHOOSING))
    ann, bo = host[ANN], host[BO]
    for victim in (ann, bo):
        victim.act(victim.guest.choose(victim.who, bytes([victim.who]) * 32))
    host.tell(ANN, decision(Measure.REMOVE, BO))
    ann.hear(Refusal(ann.said[0].sequence, Reason.STALE.code))
    host.tell(ANN, ann.said[-1])
    host.play(ANN, Fist(NONCE), Speak(Ending.SPOOF))
    host.tell(ANN, ann.said[-1])
    assert len(ann.opened) == 1
    # Now the host knows her hand; but where Bo is in the game, she has confirmed nothing.
    host.tell(BO, ann.said[0], bo.said[0])
    host.play(BO, Fist(NONCE), Speak(Ending.SPOOF))
    host.tell(BO, bo.said[-1])
    assert bo.table.phase is Phase.WITNESSING
    host.tell(BO, next(intent for intent in ann.said if intent.statement == Witness()))
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


# To change what was said


def test_a_host_changes_the_seal_of_a_fist() -> None:
    host = CrookedHost(honest(Phase.CHOOSING))
    host[ANN].act(host[ANN].guest.choose(2, NONCE))
    (fist,) = host[ANN].said
    assert isinstance(fist.statement, Fist)
    other = replace(fist, blob=fist.blob.replace(fist.statement.seal, b"x" * 32))
    host.tell(BO, other)
    assert host[BO].told == f"entry {len(host.story.entries)}: {FORGED}"


@pytest.mark.parametrize("who", [ANN, BO, STRANGER])
def test_a_host_forges_a_word(who: int) -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    host.play(ANN, Speak(Bid(1)))
    host.tell(ANN, host.forged(ANN, who, Speak(Bid(2))))
    assert host[ANN].told == f"entry {len(host.story.entries) + 1}: {FORGED}"
    assert host[ANN].farewells == [Farewell.OTHER_LOG]


@pytest.mark.parametrize("statement", [Speak(Bid(1)), Fist(NONCE), Witness(), Open(1, NONCE)])
def test_a_host_announces_what_a_player_has_to_sign(statement: Message) -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    host.tell(ANN, statement)
    assert "what it says is no statement" in host[ANN].told


def test_a_host_drops_a_word_and_lets_the_next_one_speak() -> None:
    host = CrookedHost(honest(Phase.SPEAKING))
    host.play_all(Speak(Bid(1)))
    host[ANN].act(host[ANN].guest.speak(Bid(2)))
    bo = host[BO].guest
    with refused(Reason.NOT_YOUR_TURN):
        bo.speak(Bid(3))
    host.play(BO, Speak(Bid(3)))
    assert host[BO].told.endswith("“It is not your turn: Ann speaks. (R4)”")
    assert host[ANN].guest.waiting == (Speak(Bid(2)),)


def test_a_host_drops_an_entry() -> None:
    host = CrookedHost(honest(Phase.SPEAKING))
    host.play(ANN, HI)
    host.send(BO, host.entry(ANN, host.mallory(ANN, Speak(Bid(1)))))
    length = len(host.story.entries)
    assert host[BO].told == (
        f"entry {length}: it is entry {length + 1}: what belongs between is missing"
    )


def test_a_host_gives_two_guests_the_same_words_in_another_order() -> None:
    host = CrookedHost(honest(Phase.SPEAKING))
    host[ANN].act(host[ANN].guest.state(Say(HI.text)))
    said = [*host[ANN].said, host.mallory(ANN, Gesticulate(Gesture.MITT_FULL))]
    host.tell(ANN, *said)
    host.tell(BO, *said[::-1])
    host[BO].act(host[BO].guest.state(Say(HI.text)))
    host.tell(ANN, *host[BO].said)
    assert TWO_STORIES in host[ANN].told


def test_a_host_sends_an_entry_twice() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    blob = host.entry(ANN, host.mallory(ANN, HI))
    host.send(ANN, blob, blob)
    length = len(host.story.entries)
    assert host[ANN].told == f"entry {length + 1}: it is entry {length} once more"


def bid_by_ann() -> Story:
    return honest(Phase.SPEAKING).copy().say(Bid(1), Bid(2))


def test_a_host_repeats_a_word_of_the_round_before() -> None:
    story = bid_by_ann()
    bid = story.entries[-1].intent
    story.say(Ending.CLIFF).open().fists(1, 1, 1)
    assert bid is not None and bid.author == public(ANN)
    while story.speaker != ANN:
        story.say(Bid(1) if not story.game.round or not story.game.round.words else Bid(2))
    host = CrookedHost(story, BO)
    host.tell(BO, bid)
    assert host[BO].told.endswith("“This was said already. (R4)”")


def test_a_host_repeats_a_word_of_an_earlier_game() -> None:
    story = Story(3, opener=MALLORY).start(ANN, BO, MALLORY)
    readies = [entry.intent for entry in story.entries if isinstance(entry.statement, Ready)]
    story.toss(ANN, BO, MALLORY).play_on()
    host = CrookedHost(story, BO)
    assert readies[0] is not None and readies[0].author == public(ANN)
    host.tell(BO, readies[0])
    assert host[BO].told.endswith("“This was said already. (R4)”")


def test_a_host_keeps_a_word_back_for_a_later_game() -> None:
    story = honest(Phase.GATHERING)
    host = CrookedHost(story, ANN)
    host[ANN].act(host[ANN].guest.ready(NONCE, NONCE))
    later = story.copy().start(BO, MALLORY).toss(BO, MALLORY).play_on()
    bo = CrookedHost(later, BO)
    bo.tell(BO, *host[ANN].said)
    assert "The table moved on" in bo[BO].told


def test_a_host_repeats_a_word_of_another_table() -> None:
    elsewhere = CrookedHost(Story(3, salt=99), ANN)
    elsewhere[ANN].act(elsewhere[ANN].guest.state(Say(ForeignText("I agree"))))
    host = CrookedHost(honest(Phase.SPEAKING), BO)
    host.tell(BO, *elsewhere[ANN].said)
    assert TWO_STORIES in host[BO].told


def test_a_host_refuses_a_word_falsely_to_have_two_to_choose_from() -> None:
    story = honest(Phase.SPEAKING).copy().say(Bid(1))
    host = CrookedHost(story, ANN)
    ann = host[ANN]
    ann.act(ann.guest.speak(Bid(2)))
    ann.hear(Refusal(ann.said[0].sequence, Reason.STALE.code))
    with refused(Reason.REPEATED):
        ann.guest.speak(Ending.CALL)


def test_a_host_refuses_a_fist_falsely_to_have_another_one_put_in() -> None:
    host = CrookedHost(honest(Phase.CHOOSING), ANN)
    ann = host[ANN]
    ann.act(ann.guest.choose(2, NONCE))
    ann.hear(Refusal(ann.said[0].sequence, Reason.STALE.code))
    with refused(Reason.FIST_IS_IN):
        ann.guest.choose(3, b"m" * 32)
    assert len({repr(statement) for statement in ann.stated}) == 1


def test_a_host_takes_back_its_own_word() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    other = host.entry(ANN, host.mallory(ANN, Speak(Ending.SPOOF)))
    host.play(ANN, Speak(Bid(1)))
    host.send(ANN, other)
    length = len(host.story.entries)
    assert f"signed this and another entry {length}: {TWO_STORIES}" in host[ANN].told


# To tell two stories


@pytest.mark.parametrize("phase", Phase)
def test_a_host_tells_two_stories(phase: Phase) -> None:
    host = CrookedHost(honest(phase))
    host.play(ANN, Say(ForeignText("one")))
    host.play(BO, Say(ForeignText("two")))
    host[BO].act(host[BO].guest.state(Say(HI.text)))
    host.tell(ANN, host[BO].said[-1])
    length = len(host.story.entries)
    assert host[ANN].told == (
        f"entry {length + 1}: its author saw another log of {length + 1} entries: two stories "
        "are told"
    )
    assert host[ANN].farewells == [Farewell.OTHER_LOG]


@pytest.mark.parametrize(
    "phase,one,two",
    [
        (Phase.GATHERING, Ready(b"x" * 32), Ready(b"y" * 32)),
        (Phase.CHOOSING, Fist(b"x" * 32), Fist(b"y" * 32)),
        (Phase.SPEAKING, Speak(Bid(1)), Speak(Bid(2))),
        (Phase.SPEAKING, Speak(Bid(1)), Speak(Ending.ZERO)),
    ],
)
def test_a_host_makes_two_moves_of_one(phase: Phase, one: Message, two: Message) -> None:
    host = CrookedHost(honest(phase))
    host.play(ANN, one)
    host.play(BO, two)
    host[ANN].act(host[ANN].guest.state(Say(HI.text)))
    host.tell(BO, host[ANN].said[-1])
    assert TWO_STORIES in host[BO].told and host[BO].opened == []


def test_a_host_opens_its_fist_differently_for_each() -> None:
    story = honest(Phase.OPENING)
    host = CrookedHost(story)
    hand = story.hands[MALLORY]
    host.play(ANN, Open(hand.coins, hand.nonce))
    host.play(BO, Open(hand.coins - 1, hand.nonce))
    assert host[ANN].told == ""
    assert host[BO].told.endswith("“What was opened is not what was sealed. (R11)”")


def test_a_host_shows_one_guest_a_game_without_another() -> None:
    story = honest(Phase.GATHERING).copy().ready(ANN, BO, MALLORY)
    host = CrookedHost(story)
    host.tell(ANN, Away(public(BO)), GameStarted((public(ANN), public(MALLORY))))
    host.tell(BO, story.starting())
    host[BO].act(host[BO].guest.state(Say(HI.text)))
    host.tell(ANN, host[BO].said[-1])
    assert TWO_STORIES in host[ANN].told


# To pick the lot


def shares_are_open() -> CrookedHost:
    """Everybody's share is open but Mallory's: the host knows on whom the lot would fall."""
    host = CrookedHost(honest(Phase.LOT))
    host.tell_all(*host[ANN].said, *host[BO].said)
    return host


def test_a_host_picks_its_share_of_the_lot_when_it_knows_all_others() -> None:
    host = shares_are_open()
    host.play_all(Toss(b"x" * 32, b"x" * 32))
    for victim in host.victims.values():
        assert "This share of the lot is not the one that was sealed" in victim.told


def test_a_host_opens_its_share_twice() -> None:
    host = CrookedHost(honest(Phase.LOT), ANN)
    share = host.story.share(MALLORY)
    host.play(ANN, *[Toss(share.share, share.nonce)] * 2)
    assert "(R11)" in host[ANN].told


@pytest.mark.parametrize("move", [Fist(NONCE), Speak(Bid(1))])
def test_a_host_leaves_a_share_out(move: Message) -> None:
    host = CrookedHost(honest(Phase.LOT), ANN)
    share = host.story.share(MALLORY)
    host.tell(ANN, *host[ANN].said)
    host.play(ANN, Toss(share.share, share.nonce), move)
    assert host[ANN].told.endswith("(R3)”")


def test_a_host_seals_a_copy_of_somebody_elses_share() -> None:
    story = Story(3).ready(ANN, BO)
    copied = story.share(ANN)
    story.tell(MALLORY, Ready(copied.seal)).tell(None, story.starting())
    host = CrookedHost(story, BO)
    host.play(BO, Toss(copied.share, copied.nonce))
    assert "This share of the lot is not the one that was sealed" in host[BO].told


def test_a_host_calls_a_lot_off_that_falls_badly() -> None:
    host = shares_are_open()
    host.tell_all(decision(Measure.REMOVE, MALLORY))
    ann = host[ANN]
    # Everybody sees that it did, and whom that cost the seat; the next lot is another one.
    assert ann.table.phase is Phase.GATHERING
    assert isinstance(ann.guest.log[-1].statement, Decide)
    assert public(MALLORY) not in [seat.key for seat in ann.table.seats]
    assert ann.table.ready_seats == ()
    (kept, *_) = ann.guest.ready(NONCE, NONCE)
    assert isinstance(kept, Keep) and kept.secret.place.game == 2


# To seat a stranger


def test_a_host_seats_a_stranger_who_signed_nothing() -> None:
    sit = Sit(ForeignText("Eve"))
    for phase in Phase:
        host = CrookedHost(honest(phase), ANN, BO)
        host.tell(ANN, host.forged(ANN, STRANGER, sit))
        host.tell(BO, sit)
        assert host[ANN].told.endswith(FORGED)
        assert "what it says is no statement" in host[BO].told


def test_a_host_seats_whoever_signs_with_a_key_that_anybody_can_sign_for() -> None:
    host = CrookedHost(honest(Phase.GATHERING), ANN)
    neutral, head = (1).to_bytes(32, "little"), host[ANN].head
    sit = Sit(ForeignText("Eve"))
    payload = pack((neutral, 1, head.length, head.hash, sit.packable()))
    blob = pack((payload, neutral + bytes(32)))
    host.tell(ANN, Intent(neutral, 1, head, sit, blob))
    assert host[ANN].told.endswith(FORGED)


@pytest.mark.parametrize(
    "order",
    [
        (ANN, BO, MALLORY),
        (MALLORY, ANN),
        (ANN, MALLORY, STRANGER),
        (MALLORY,),
        (),
    ],
)
def test_a_host_starts_a_game_that_nobody_is_ready_for(order: tuple[int, ...]) -> None:
    story = honest(Phase.GATHERING).copy().ready(ANN, MALLORY)
    host = CrookedHost(story, BO)
    host.tell(BO, GameStarted(tuple(map(public, order))))
    assert host[BO].told.endswith("(R14)”")


def test_a_host_starts_a_game_alone() -> None:
    host = CrookedHost(honest(Phase.GATHERING).copy().ready(MALLORY), ANN)
    host.tell(ANN, GameStarted((public(MALLORY),)))
    assert "two players who are ready" in host[ANN].told


def test_a_host_lets_somebody_in_to_an_open_table_by_a_code() -> None:
    host = CrookedHost(honest(Phase.GATHERING), ANN)
    host.tell(ANN, Admitted(public(STRANGER)))
    assert "This table asks for no code" in host[ANN].told


# To open for a player, and to shift coins


def test_a_host_opens_the_fist_of_somebody_else() -> None:
    story = honest(Phase.OPENING)
    hand = story.hands[BO]
    host = CrookedHost(story, ANN)
    host.tell(ANN, host.forged(ANN, BO, Open(hand.coins, hand.nonce)))
    assert host[ANN].told.endswith(FORGED)


@pytest.mark.parametrize("more,why", [(-1, "sealed. (R11)"), (1, "you own 3. (R2)")])
def test_a_host_opens_another_hand_than_it_sealed(more: int, why: str) -> None:
    hand = honest(Phase.OPENING).hands[MALLORY]
    host = CrookedHost(honest(Phase.OPENING), ANN)
    host.play(ANN, Open(hand.coins + more, hand.nonce))
    assert host[ANN].told.endswith(f"{why}”")


@pytest.mark.parametrize("whom", [ANN, BO, MALLORY])
def test_a_host_takes_coins_away_in_the_middle_of_a_round(whom: int) -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    before = host[ANN].table.game
    host.tell(ANN, decision(Measure.REMOVE, whom))
    assert host[ANN].told == "" and host[ANN].table.game == before
    assert host[ANN].table.leaving == (public(whom),)


@pytest.mark.parametrize("kind", ["outcome", "coins", "winner", "void"])
def test_a_host_says_what_only_follows_from_the_rules(kind: str) -> None:
    host = CrookedHost(honest(Phase.OPENING), ANN)
    victim = host[ANN]
    payload = pack(
        (0, victim.head.length, victim.head.hash, victim.table.time, False, pack((kind, 0, 3)))
    )
    host.send(ANN, signed_entry(host.key, payload))
    assert "what it says is no statement" in victim.told


def signed_entry(key: SigningKey, payload: bytes) -> bytes:
    hash_ = digest(b"spoof entry hash 1", (payload,))
    return pack((payload, key.sign(b"spoof entry 1", hash_)))


# To be another table, or another host


def newcomer(host: bytes | None = None, card: Card | None = None) -> Victim:
    """Somebody who holds nothing yet, and hears the greeting and the welcome."""
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
    victim = newcomer(card=replace(card_of(story), **changes))  # type: ignore[arg-type]
    victim.hear(Entries((story.entries[0].blob,)))
    assert victim.halt is not None
    assert str(victim.halt.error) == "entry 0: it opens another table than the card showed"
    assert victim.guest.table is None


def test_a_host_opens_its_table_again_with_other_rules() -> None:
    host = CrookedHost(honest(Phase.GATHERING), ANN)
    host.tell(ANN, first_entry("three-coins", 9, 0).statement)
    assert host[ANN].told.endswith("“This cannot be said now. (R4)”")


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
    assert "is not the host of this table" in sentences.turned_away(Farewell.IMPOSTOR, "10.0.0.1")


def code_typed() -> Guest:
    """A newcomer who has typed the code of the table that was shown."""
    story = honest(Phase.GATHERING)
    guest = Guest(signing_key(STRANGER))
    guest.use_code("K7M4Q", lambda count: bytes(range(count)))
    guest.connected(CHANNEL, NOW, story.host_key.public)
    return guest


def heard(guest: Guest, *messages: Message) -> list[object]:
    """What comes of these messages."""
    return [effect for message in messages for effect in guest.received(write(message), NOW)]


def greeting_of(story: Story) -> Greeting:
    return Greeting(PROTOCOL, PROGRAM, card_of(story), b"h" * 32)


def test_a_host_that_does_not_know_the_code_lets_in_who_typed_it() -> None:
    story, guest = honest(Phase.GATHERING), code_typed()
    effects = heard(guest, greeting_of(story), Welcome(1), Entries((story.entries[0].blob,)))
    assert Hangup(Farewell.NO_PROOF) in effects and guest.table is None
    assert "somebody stands between you" in sentences.farewell(Farewell.NO_PROOF)


def test_a_host_that_does_not_know_the_code_shows_its_log_first() -> None:
    story, guest = honest(Phase.GATHERING), code_typed()
    effects = heard(guest, greeting_of(story), Entries((story.entries[0].blob,)), Welcome(1))
    assert Hangup(Farewell.MALFORMED) in effects and guest.table is None


# To turn back the time


def test_a_host_writes_an_entry_of_the_past() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    host.send(ANN, host.entry(ANN, host.mallory(ANN, HI), later=-1))
    assert host[ANN].told.endswith("it is older than the entry before")


def test_a_host_says_that_it_is_its_own_successor() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    host.send(ANN, host.entry(ANN, host.mallory(ANN, HI), epoch=1))
    assert "epoch 1 where 0 is due" in host[ANN].told


HOST = public(255)
"""The key of the host itself."""

ALLY = 3
"""Another key of the host's: with Mallory it has two of five."""


def shrunk() -> CrookedHost:
    """A host who tells Ann that two others have gone, and plays on without them."""
    everybody = range(5)
    story = Story(5, opener=MALLORY).start(*everybody).toss(*everybody)
    host = CrookedHost(story, ANN)
    host.tell(ANN, Away(public(BO)), Away(public(4)))
    for gone in (BO, 4):
        for who in (MALLORY, ALLY):
            said = host.mallory(ANN, vote(Measure.PLAY_ON, gone), who)
            host.tell(ANN, said, later=GRACE * 1000)
    assert host[ANN].table.electors == frozenset(map(public, (ANN, MALLORY, ALLY)))
    return host


def test_a_host_shrinks_the_electorate_to_take_the_table_along_with_few() -> None:
    host = shrunk()
    ann = host[ANN]
    host.tell(ANN, host.mallory(ANN, Seen()), host.mallory(ANN, Seen(), ALLY))
    assert ann.table.former == frozenset(map(public, range(5))) and ann.told == ""
    supports = [
        Backing(public(who), sign_support(signing_key(who), ann.table.id, 1, HOST, ann.head))
        for who in (MALLORY, ALLY)
    ]
    host.send(ANN, host.entry(ANN, HostMoved(1, HOST, tuple(supports)), epoch=1))
    assert "Too few players want this host" in ann.told


def test_a_host_confirms_a_change_for_another() -> None:
    host = shrunk()
    host.tell(ANN, host.forged(ANN, BO, Seen()))
    assert "forged" in host[ANN].told


def test_a_host_uses_what_was_seen_before_for_a_later_change() -> None:
    host = CrookedHost(Story(5, opener=MALLORY), ANN)
    ann = host[ANN]
    host.tell(ANN, Away(public(3)))
    (seen,) = ann.said
    assert seen.statement == Seen()
    host.tell(ANN, Away(public(4)), seen)
    assert Reason.STALE.template in ann.told


def test_who_has_promised_to_follow_another_host_confirms_nothing_to_this_one() -> None:
    ann = Guest(signing_key(ANN), None, Story(5).entries, promise=1)
    host = CrookedHost(Story(5), ANN)
    host[ANN].guest = ann
    host[ANN].connect()
    host[ANN].hear(Welcome(len(host.story.entries)))
    assert host[ANN].farewells[-1] is Farewell.OLD_EPOCH and host[ANN].said == []


def test_a_host_rolls_the_table_back_when_a_guest_returns() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    before = host[ANN].head
    host.play(ANN, Speak(Bid(9)))
    ann = host[ANN]
    ann.act(ann.guest.disconnected())
    ann.connect()
    ann.hear(Welcome(before.length))
    host.send(ANN, host.entry(ANN, host.mallory(ANN, Speak(Bid(1))), after=before))
    assert f"signed this and another entry {before.length}: {TWO_STORIES}" in ann.told


def test_a_host_writes_two_pasts_of_one_entry() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    after = Head(host[ANN].head.length, b"x" * 32)
    host.send(ANN, host.entry(ANN, host.mallory(ANN, HI), after=after))
    assert f"it follows another entry {after.length - 1} than the one here" in host[ANN].told


def a_new_table(host: CrookedHost, coins: int, *along: int) -> Continued:
    """The first entry of one that is served by this host, with seats and coins as it likes."""
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
    assert [intent.blob for intent in ann.said] == [ann.said[0].blob] * 2


def test_after_any_of_this_nothing_more_is_taken_from_that_host() -> None:
    host = CrookedHost(honest(Phase.SPEAKING), ANN)
    host.tell(ANN, host.forged(ANN, BO, HI))
    ann = host[ANN]
    said, length = len(ann.said), len(ann.guest.log)
    ann.connect()
    ann.hear(Welcome(length), Ping(0))
    host.play(ANN, Speak(Ending.SPOOF))
    assert (len(ann.said), len(ann.guest.log)) == (said, length)
