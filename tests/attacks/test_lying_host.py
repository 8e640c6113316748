"""Lies of a host that wants to win: its guests stop at the first one and say why."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from protocol.crypto.seals import digest
from protocol.encoding.codec import Message, pack
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Reason
from protocol.rules.words import Bid, Ending
from protocol.table.electorate import sign_support
from protocol.table.fold import Phase
from protocol.table.head import Head
from protocol.table.log import Intent
from protocol.table.statements import (
    Admitted,
    Away,
    Backing,
    Fist,
    GameStarted,
    Gesticulate,
    Gesture,
    HostMoved,
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
from protocol.wire.messages import Farewell, Welcome
from tests.attacks.crooked import ANN, BO, HI, MALLORY, STRANGER, CrookedHost, honest
from tests.protocol.stories import GRACE, Story, first_entry, public, signing_key, vote

FORGED = "the author’s signature on the word in this entry is wrong: the word is forged"
TWO_STORIES = "two stories are being told"
NONCE = b"n" * 32
SIGNED_TWO = "signed two different entries"
SAID = "That has been said already. (R4)"
NONE = "its content is not a statement"
OTHER_SHARE = "This share of the lot is not the one that was sealed"

ALLY = 3
"""Another key of the host's: with Mallory's it has two of five."""

Tells = Callable[[CrookedHost], None]


def announces(*said: Message) -> Tells:
    """The host signs this itself."""
    return lambda host: host.tell(ANN, *said)


def forges(who: int, said: Message) -> Tells:
    """Mallory signs this for somebody else."""
    return lambda host: host.tell(ANN, host.forged(ANN, who, said))


def ends_with(*confirmations: Callable[[CrookedHost], Intent]) -> Tells:
    """Mallory ends the words, and others confirm it, as the host says."""

    def tell(host: CrookedHost) -> None:
        host.play(ANN, Speak(Ending.SPOOF))
        host.tell(ANN, *host[ANN].intents, *(each(host) for each in confirmations))

    return tell


def confirms_another_ending(host: CrookedHost) -> None:
    host.play(ANN, Speak(Ending.SPOOF))
    host.play(BO, Speak(Ending.SPOOF), later=2)
    host.tell(ANN, *host[ANN].intents, *host[BO].intents)


def repeats_the_ending_word(host: CrookedHost) -> None:
    said = (e.intent for e in host.story.entries if e.statement == Speak(Ending.SPOOF))
    host.tell(ANN, *(each for each in said if each))


def anns_bid() -> tuple[Story, Intent]:
    story = honest(Phase.SPEAKING).copy().say(Bid(1), Bid(2))
    bid = story.entries[-1].intent
    assert bid is not None and bid.author == public(ANN)
    story.say(Ending.CLIFF).open().fists(1, 1, 1)
    while story.speaker != ANN:
        story.say(Bid(2) if story.game.round and story.game.round.words else Bid(1))
    return story, bid


def another_game() -> Story:
    story = Story(3, opener=MALLORY).start(ANN, BO, MALLORY)
    return story.toss(ANN, BO, MALLORY).play_on()


def repeats_a_readiness(host: CrookedHost) -> None:
    first = next(e.intent for e in host.story.entries if isinstance(e.statement, Ready))
    assert first is not None and first.author == public(ANN)
    host.tell(BO, first)


def keeps_a_word_back(host: CrookedHost) -> None:
    before = CrookedHost(honest(Phase.GATHERING), ANN)[ANN]
    before.act(before.guest.ready(NONCE, NONCE))
    host.tell(BO, *before.intents)


def repeats_a_word_of_another_table(host: CrookedHost) -> None:
    elsewhere = CrookedHost(Story(3, salt=99), ANN)[ANN]
    elsewhere.act(elsewhere.guest.propose(Say(ForeignText("I agree"))))
    host.tell(BO, *elsewhere.intents)


def changes_a_seal(host: CrookedHost) -> None:
    host[ANN].act(host[ANN].guest.choose(2, NONCE))
    (fist,) = host[ANN].intents
    assert isinstance(fist.statement, Fist)
    host.tell(BO, replace(fist, blob=fist.blob.replace(fist.statement.seal, b"x" * 32)))


def says_hi(host: CrookedHost, who: int, to: int) -> None:
    """What one guest says is given to another."""
    host[who].act(host[who].guest.propose(HI))
    host.tell(to, host[who].intents[-1])


def drops_an_entry(host: CrookedHost) -> None:
    host.play(ANN, HI)
    host.send(BO, host.entry(ANN, host.mallory(ANN, Speak(Bid(1)))))


def changes_the_order(host: CrookedHost) -> None:
    host[ANN].act(host[ANN].guest.propose(HI))
    said = [*host[ANN].intents, host.mallory(ANN, Gesticulate(Gesture.MITT_FULL))]
    host.tell(ANN, *said)
    host.tell(BO, *said[::-1])
    says_hi(host, BO, ANN)


def sends_twice(host: CrookedHost) -> None:
    host.send(ANN, *[host.entry(ANN, host.mallory(ANN, HI))] * 2)


def takes_back_its_word(host: CrookedHost) -> None:
    other = host.entry(ANN, host.mallory(ANN, Speak(Ending.SPOOF)))
    host.play(ANN, Speak(Bid(1)))
    host.send(ANN, other)


def tells_two_stories(one: Message, two: Message) -> Tells:
    def tell(host: CrookedHost) -> None:
        host.play(ANN, one)
        host.play(BO, two)
        says_hi(host, BO, ANN)

    return tell


def hides_a_game(host: CrookedHost) -> None:
    host.tell(ANN, Away(public(BO)), GameStarted((public(ANN), public(MALLORY))))
    host.tell(BO, host.story.copy().starting())
    says_hi(host, BO, ANN)


def opens(more: int, to: int = ANN) -> Tells:
    """Mallory opens another number of coins than the sealed one."""

    def tell(host: CrookedHost) -> None:
        hand = host.story.hands[MALLORY]
        host.play(ANN, Open(hand.coins, hand.nonce)) if to != ANN else None
        host.play(to, Open(hand.coins + more, hand.nonce))

    return tell


def tosses(*more: Message, times: int = 1, who: int = MALLORY, to: int = ANN) -> Tells:
    def tell(host: CrookedHost) -> None:
        share = host.story.share(who)
        host.tell(ANN, *host[ANN].intents)
        host.play(to, *[Toss(share.share, share.nonce)] * times, *more)

    return tell


def picks_its_share(host: CrookedHost) -> None:
    """Everybody's share is open except Mallory's, who knows where the lot would fall."""
    host.tell(ANN, *host[ANN].intents, *host[BO].intents)
    host.play(ANN, Toss(b"x" * 32, b"x" * 32))


def copied_share() -> Story:
    story = Story(3).ready(ANN, BO)
    return story.tell(MALLORY, Ready(story.share(ANN).seal)).tell(None, story.starting())


def seats_by_an_empty_signature(host: CrookedHost) -> None:
    neutral, head = (1).to_bytes(32, "little"), host[ANN].head
    sit = Sit(ForeignText("Eve"))
    payload = pack((neutral, 1, head.length, head.hash, sit.packable()))
    host.tell(ANN, Intent(neutral, 1, head, sit, pack((payload, neutral + bytes(32)))))


def claims(kind: str) -> Tells:
    """The host announces what only follows from the rules."""

    def tell(host: CrookedHost) -> None:
        head, time = host[ANN].head, host[ANN].table.time
        said = pack((kind, 0, 3))
        payload = pack((0, head.length, head.hash, time, False, said))
        hash_ = digest(b"spoof entry hash 1", (payload,))
        host.send(ANN, pack((payload, host.key.sign(b"spoof entry 1", hash_))))

    return tell


def dates(later: int = 1, epoch: int = 0) -> Tells:
    return lambda host: host.send(
        ANN, host.entry(ANN, host.mallory(ANN, HI), later=later, epoch=epoch)
    )


def five() -> Story:
    everybody = range(5)
    return Story(5, opener=MALLORY).start(*everybody).toss(*everybody)


def shrinks(host: CrookedHost) -> None:
    """It tells Ann that two others have gone, and plays on without them."""
    host.tell(ANN, Away(public(BO)), Away(public(4)))
    for gone in (BO, 4):
        for who in (MALLORY, ALLY):
            said = host.mallory(ANN, vote(Measure.PLAY_ON, gone), who)
            host.tell(ANN, said, later=GRACE * 1000)
    assert host[ANN].table.electors == frozenset(map(public, (ANN, MALLORY, ALLY)))


def moves_with_few(host: CrookedHost) -> None:
    shrinks(host)
    ann = host[ANN]
    host.tell(ANN, host.mallory(ANN, Seen()), host.mallory(ANN, Seen(), ALLY))
    assert ann.table.former == frozenset(map(public, range(5))) and ann.told == ""
    key = public(255)
    supports = [
        Backing(public(who), sign_support(signing_key(who), ann.table.id, 1, key, ann.head))
        for who in (MALLORY, ALLY)
    ]
    host.send(ANN, host.entry(ANN, HostMoved(1, key, tuple(supports)), epoch=1))


def confirms_a_change(host: CrookedHost) -> None:
    shrinks(host)
    host.tell(ANN, host.forged(ANN, BO, Seen()))


def uses_an_earlier_sight(host: CrookedHost) -> None:
    host.tell(ANN, Away(public(3)))
    (seen,) = host[ANN].intents
    host.tell(ANN, Away(public(4)), seen)


def rolls_back(host: CrookedHost) -> None:
    ann, before = host[ANN], host[ANN].head
    host.play(ANN, Speak(Bid(9)))
    ann.act(ann.guest.disconnected())
    ann.connect()
    ann.hear(Welcome(before.length))
    host.send(ANN, host.entry(ANN, host.mallory(ANN, Speak(Bid(1))), after=before))


def writes_two_pasts(host: CrookedHost) -> None:
    after = Head(host[ANN].head.length, b"x" * 32)
    host.send(ANN, host.entry(ANN, host.mallory(ANN, HI), after=after))


LIES: dict[str, tuple[Phase | Callable[[], Story], Tells, str]] = {
    # To learn a hand
    "lets another confirm another ending word": (
        Phase.SPEAKING,
        confirms_another_ending,
        TWO_STORIES,
    ),
    "confirms its ending word for another": (
        Phase.SPEAKING,
        ends_with(lambda host: host.forged(ANN, BO, Witness())),
        FORGED,
    ),
    "confirms its own ending word": (
        Phase.SPEAKING,
        ends_with(lambda host: host.mallory(ANN, Witness())),
        "(R11)",
    ),
    "repeats the ending word of the round before": (
        lambda: honest(Phase.OPENING).copy().open().fists(1, 2, 1),
        repeats_the_ending_word,
        SAID,
    ),
    # To change what was said
    "changes the seal of a fist": (Phase.CHOOSING, changes_a_seal, FORGED),
    **{
        f"forges a word of {name}": (Phase.SPEAKING, forges(who, Speak(Bid(2))), FORGED)
        for who, name in ((ANN, "who hears it"), (BO, "another"), (STRANGER, "a stranger"))
    },
    **{
        f"announces what a player has to sign: {said.KIND}": (Phase.SPEAKING, announces(said), NONE)
        for said in (Speak(Bid(1)), Fist(NONCE), Witness(), Open(1, NONCE))
    },
    "drops an entry": (Phase.SPEAKING, drops_an_entry, "the entries in between are missing"),
    "gives two guests the same words in another order": (
        Phase.SPEAKING,
        changes_the_order,
        TWO_STORIES,
    ),
    "sends an entry twice": (Phase.SPEAKING, sends_twice, "it repeats entry"),
    "repeats a word of the round before": (
        lambda: anns_bid()[0],
        lambda host: host.tell(BO, anns_bid()[1]),
        SAID,
    ),
    "repeats a word of an earlier game": (another_game, repeats_a_readiness, SAID),
    "keeps a word back for a later game": (
        lambda: honest(Phase.GATHERING).copy().start(BO, MALLORY).toss(BO, MALLORY).play_on(),
        keeps_a_word_back,
        "the table has moved on",
    ),
    "repeats a word of another table": (
        Phase.SPEAKING,
        repeats_a_word_of_another_table,
        TWO_STORIES,
    ),
    "takes back its own word": (Phase.SPEAKING, takes_back_its_word, SIGNED_TWO),
    # To tell two stories
    **{
        f"tells two stories, {phase.value}": (
            phase,
            tells_two_stories(Say(ForeignText("one")), Say(ForeignText("two"))),
            TWO_STORIES,
        )
        for phase in Phase
    },
    **{
        f"makes two moves of one: {one.KIND} {number}": (
            phase,
            tells_two_stories(one, two),
            TWO_STORIES,
        )
        for number, (phase, one, two) in enumerate(
            (
                (Phase.GATHERING, Ready(b"x" * 32), Ready(b"y" * 32)),
                (Phase.CHOOSING, Fist(b"x" * 32), Fist(b"y" * 32)),
                (Phase.SPEAKING, Speak(Bid(1)), Speak(Bid(2))),
                (Phase.SPEAKING, Speak(Bid(1)), Speak(Ending.ZERO)),
            )
        )
    },
    "opens its fist differently for each": (Phase.OPENING, opens(-1, to=BO), "sealed. (R11)"),
    "shows one guest a game without another": (
        lambda: honest(Phase.GATHERING).copy().ready(ANN, BO, MALLORY),
        hides_a_game,
        TWO_STORIES,
    ),
    # To pick the lot
    "picks its share of the lot when it knows all others": (
        Phase.LOT,
        picks_its_share,
        OTHER_SHARE,
    ),
    "opens its share twice": (Phase.LOT, tosses(times=2), "(R11)"),
    "leaves a share out and asks for fists": (Phase.LOT, tosses(Fist(NONCE)), "(R3)"),
    "leaves a share out and speaks": (Phase.LOT, tosses(Speak(Bid(1))), "(R3)"),
    "seals a copy of somebody else's share": (copied_share, tosses(who=ANN, to=BO), OTHER_SHARE),
    # To seat a stranger
    **{
        f"seats a stranger who signed nothing, {phase.value}": (
            phase,
            forges(STRANGER, Sit(ForeignText("Eve"))),
            FORGED,
        )
        for phase in Phase
    },
    "seats a stranger itself": (Phase.GATHERING, announces(Sit(ForeignText("Eve"))), NONE),
    "seats whoever signs with a key that anybody can sign for": (
        Phase.GATHERING,
        seats_by_an_empty_signature,
        FORGED,
    ),
    **{
        f"starts a game that nobody is ready for, {len(order)} {number}": (
            lambda: honest(Phase.GATHERING).copy().ready(ANN, MALLORY),
            announces(GameStarted(tuple(map(public, order)))),
            "(R14)",
        )
        for number, order in enumerate(
            ((ANN, BO, MALLORY), (MALLORY, ANN), (ANN, MALLORY, STRANGER), (MALLORY,), ())
        )
    },
    "starts a game alone": (
        lambda: honest(Phase.GATHERING).copy().ready(MALLORY),
        announces(GameStarted((public(MALLORY),))),
        "two players to be ready",
    ),
    "lets somebody in to an open table by a code": (
        Phase.GATHERING,
        announces(Admitted(public(STRANGER))),
        "This table asks for no code",
    ),
    # To open for a player, and to shift coins
    "opens the fist of somebody else": (
        Phase.OPENING,
        lambda host: forges(BO, Open(2, host.story.hands[BO].nonce))(host),
        FORGED,
    ),
    "opens less than it sealed": (Phase.OPENING, opens(-1), "sealed. (R11)"),
    "opens more than it owns": (Phase.OPENING, opens(1), "you own 3. (R2)"),
    **{
        f"says what only follows from the rules: {kind}": (Phase.OPENING, claims(kind), NONE)
        for kind in ("outcome", "coins", "winner", "void")
    },
    "opens its table again with other rules": (
        Phase.GATHERING,
        announces(first_entry("three-coins", 9, 0).statement),
        "This cannot be said now. (R4)",
    ),
    # To turn back the time
    "writes an entry of the past": (
        Phase.SPEAKING,
        dates(later=-1),
        "older than the previous entry",
    ),
    "says that it is its own successor": (Phase.SPEAKING, dates(epoch=1), "epoch 1 where 0 is due"),
    "rolls the table back when a guest returns": (Phase.SPEAKING, rolls_back, SIGNED_TWO),
    "writes two pasts of one entry": (
        Phase.SPEAKING,
        writes_two_pasts,
        "differs from the one here",
    ),
    # To take the table along
    "shrinks the electorate to take the table along with few": (
        five,
        moves_with_few,
        "Too few players support this host",
    ),
    "confirms a change for another": (five, confirms_a_change, FORGED),
    "uses what was seen before for a later change": (
        lambda: Story(5, opener=MALLORY),
        uses_an_earlier_sight,
        Reason.STALE.template,
    ),
}


@pytest.mark.parametrize("begun,lie,told", LIES.values(), ids=LIES)
def test_a_host(begun: Phase | Callable[[], Story], lie: Tells, told: str) -> None:
    host = CrookedHost(honest(begun) if isinstance(begun, Phase) else begun())
    opened = {who: len(victim.opened) for who, victim in host.victims.items()}
    lie(host)
    found = [victim for victim in host.victims.values() if victim.told]
    assert [told in victim.told for victim in found] == [True]
    assert found[0].farewells == [Farewell.OTHER_LOG]
    assert all(len(victim.opened) == opened[who] for who, victim in host.victims.items())
