"""A modified host that does random things, all of which one of its guests would believe."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import takewhile

from protocol.crypto.seals import HASH_BYTES, SealedHand, SealedShare, SealPlace
from protocol.encoding.codec import Message
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Illegal
from protocol.rules.words import Bid, Ending
from protocol.table.fold import Phase, check_intent, check_statement
from protocol.table.log import Entry, Intent
from protocol.table.statements import (
    Away,
    Back,
    Decide,
    Fist,
    GameStarted,
    Measure,
    Open,
    Ready,
    Say,
    Speak,
    Toss,
    Witness,
)
from tests.attacks.crooked import ANN, BO, MALLORY, CrookedHost, Victim
from tests.protocol.stories import Story, share_of, signing_key

Step = Callable[[], None]

_FORKS_INTERVAL = 12
"""One step in this many tells another story."""

_KEYS = [signing_key(who).public for who in (ANN, BO, MALLORY)]


class Wanderer(CrookedHost):
    """Steps of it are drawn by number, so that a property can look for the worst of them."""

    def __init__(self, story: Story) -> None:
        super().__init__(story)
        self._nonces = 0
        self._forks = False

    def wander(self, numbers: Iterable[int]) -> Wanderer:
        """Take a step for each number; the same numbers give the same steps."""
        for number in numbers:
            number, whom = divmod(number, len(self.victims))
            number, kind = divmod(number, 10)
            number, alone = divmod(number, _FORKS_INTERVAL)
            self._forks = not alone
            victim = list(self.victims.values())[whom]
            if victim.halt is None:
                steps = self._steps(victim, kind)
                if steps:
                    steps[number % len(steps)]()
        return self

    def _steps(self, victim: Victim, kind: int) -> list[Step]:
        if kind < 4:
            return self._quotes(victim)
        if kind < 7:
            return self._moves(victim)
        if kind < 9:
            return self._acts(victim)
        return self._announcements(victim)

    def _quotes(self, victim: Victim) -> list[Step]:
        """Signed intents that this guest would believe now, from anybody."""
        said = [intent for each in self.victims.values() for intent in each.intents]
        return [self._telling(victim, intent) for intent in said if believes(victim, intent)]

    def _moves(self, victim: Victim) -> list[Step]:
        """What Mallory may do at this guest's table; two kinds of talk tell two stories apart."""
        statements: list[Message] = [Witness(), Say(ForeignText("a")), Say(ForeignText("b"))]
        statements += [Speak(word) for word in (Bid(1), Bid(2), Bid(5), Ending.CALL, Ending.SPOOF)]
        hand = mallorys_hand(victim)
        share = mallorys_share(victim)
        statements += [Ready(share.seal), Toss(share.share, share.nonce)]
        if hand:
            statements += [Fist(hand.seal), Open(hand.coins, hand.nonce)]
        legal = [each for each in statements if may(victim, _KEYS[MALLORY], each)]
        return [self._telling(victim, self.mallory(victim.who, each)) for each in legal]

    def _announcements(self, victim: Victim) -> list[Step]:
        statements: list[Message] = [Decide(Measure.REMOVE, key) for key in _KEYS]
        statements += [kind(key) for key in _KEYS for kind in (Away, Back)]
        statements.append(GameStarted(tuple(seat.key for seat in victim.table.ready_seats)))
        return [self._telling(victim, each) for each in statements if may(victim, None, each)]

    def _acts(self, victim: Victim) -> list[Step]:
        """What the guest's own player may do."""
        guest = victim.guest
        acts = [
            lambda: guest.choose(1, self._nonce()),
            lambda: guest.ready(self._nonce(), self._nonce()),
            lambda: guest.speak(Bid(1)),
            lambda: guest.speak(Bid(4)),
            lambda: guest.speak(Ending.CALL),
            lambda: guest.propose(Say(ForeignText("hi"))),
        ]
        return [self._acting(victim, act) for act in acts]

    def _nonce(self) -> bytes:
        self._nonces += 1
        return self._nonces.to_bytes(HASH_BYTES, "big")

    def _telling(self, victim: Victim, said: Intent | Message) -> Step:
        """Tell it to all who believe the same story or, now and then, to only one of them."""

        def tell() -> None:
            together = [v for v in self.victims.values() if v.head == victim.head]
            for each in [victim] if self._forks else together:
                self.tell(each.who, said)

        return tell

    def _acting(self, victim: Victim, act: Callable[[], list]) -> Step:  # type: ignore[type-arg]
        def try_it() -> None:
            try:
                effects = act()
            except Illegal:
                return
            victim.act(effects)

        return try_it


def believes(victim: Victim, intent: Intent) -> bool:
    """Whether this guest would take the intent as the next entry."""
    try:
        check_intent(victim.table, intent)
    except Illegal:
        return False
    return victim.guest.log.holds(intent.seen) and may(victim, intent.author, intent.statement)


def may(victim: Victim, author: bytes | None, statement: Message) -> bool:
    """Whether this guest's table allows the statement."""
    try:
        check_statement(victim.table, author, statement)
    except Illegal:
        return False
    return True


def mallorys_hand(victim: Victim) -> SealedHand | None:
    """The hand of Mallory in the round that this guest plays."""
    game = victim.table.game
    if game is None or game.round is None:
        return None
    place = SealPlace(victim.table.id, game.number, game.round_number, _KEYS[MALLORY])
    return SealedHand(place, 1, b"m" * HASH_BYTES)


def mallorys_share(victim: Victim) -> SealedShare:
    """The share of Mallory in the lot of the running game, or of the next one."""
    number = victim.table.game.number if victim.table.game else 0
    number += victim.table.phase is Phase.GATHERING
    place = SealPlace(victim.table.id, number, 0, _KEYS[MALLORY])
    return SealedShare(place, share_of(MALLORY, number), bytes([number, MALLORY] * 16))


def common(one: Victim, other: Victim) -> int:
    """How many entries two guests have in common."""
    pairs = zip(one.guest.log, other.guest.log, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0].hash == pair[1].hash, pairs))


def last_round(entries: list[Entry]) -> tuple[Entry, set[bytes], set[bytes]]:
    """The last word, the owners of the fists that were in then, and who has confirmed it since."""
    last = max(e.position for e in entries if isinstance(e.statement, Speak))
    before = takewhile(
        lambda e: not isinstance(e.statement, Open | Toss | GameStarted), entries[last::-1]
    )
    fists = {e.intent.author for e in before if isinstance(e.statement, Fist) and e.intent}
    confirmed = {
        e.intent.author for e in entries[last:] if isinstance(e.statement, Witness) and e.intent
    }
    return entries[last], fists, confirmed
