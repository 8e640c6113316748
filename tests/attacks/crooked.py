"""A modified host that signs whatever helps it, and the unmodified guests who listen to it.

It holds the host's key and that of one player, Mallory; of the others it has only what they sent.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import Message, pack
from protocol.encoding.untrusted import ForeignText
from protocol.guest.effects import GuestEffect, Halt, Hangup
from protocol.guest.guest import Guest
from protocol.rules.words import Ending
from protocol.table.fold import Phase, Table
from protocol.table.head import Head
from protocol.table.log import Entry, Intent
from protocol.table.statements import Open, Say
from protocol.table.verify import fault_of
from protocol.timeouts import Moment
from protocol.wire.messages import (
    Card,
    Entries,
    Farewell,
    Hello,
    Welcome,
    write,
)
from spoof_tui.telling import sentences
from tests.helpers.sides import GuestSide, said_in
from tests.protocol.greetings import greeting_of
from tests.protocol.stories import Story, public, signing_key

ANN, BO, MALLORY = 0, 1, 2
"""The players of every story here, in seat order; Mallory's program is the host."""

STRANGER = 9
CHANNEL: Final = b"c" * HASH_BYTES
NAMES: Final = ("Ann", "Bo", "Mallory")
HI: Final = Say(ForeignText("hi"))


@functools.cache
def honest(phase: Phase) -> Story:
    """The game when the attack begins, agreed on by everybody; Mallory opens it."""
    story = Story(3, opener=MALLORY)
    if phase is Phase.GATHERING:
        return story
    story.start(ANN, BO, MALLORY)
    if phase is Phase.LOT:
        return story
    story.toss(ANN, BO, MALLORY)
    if phase is Phase.CHOOSING:
        return story
    story.fists(1, 2, 3)
    if phase is Phase.SPEAKING:
        return story
    story.say(Ending.SPOOF)
    return story if phase is Phase.WITNESSING else story.witness()


class Victim(GuestSide):
    """An unmodified guest, what it was told, and what it said."""

    def __init__(self, who: int, story: Story, host: bytes, known: int | None = None) -> None:
        """A guest that holds the first `known` entries of a story, or all, and is not connected."""
        plays = story.table.game is not None and story.table.phase is not Phase.GATHERING
        secrets = story.secrets(who) if plays else []
        super().__init__(Guest(signing_key(who), None, story.entries[:known], secrets))
        self.who = who
        self._greeting = greeting_of(story)
        self._host = host

    @property
    def table(self) -> Table:
        """The guest's table."""
        assert self.guest.table is not None
        return self.guest.table

    @property
    def head(self) -> Head:
        """The log that it holds."""
        return self.guest.log.head

    @property
    def opened(self) -> list[Message]:
        """Every hand that it has shown."""
        return [statement for statement in self.proposed if isinstance(statement, Open)]

    @property
    def hellos(self) -> list[Hello]:
        """Every hello that it said."""
        return [said for said in said_in(self.effects) if isinstance(said, Hello)]

    @property
    def farewells(self) -> list[Farewell]:
        """Why it hung up."""
        return [effect.why for effect in self.events(Hangup)]

    @property
    def halt(self) -> Halt | None:
        """The proof on which it stopped."""
        return next(iter(self.events(Halt)), None)

    @property
    def told(self) -> str:
        """The sentence that its player reads about that proof; empty while it believes its host."""
        halt = self.halt
        if halt is None:
            return ""
        fault = fault_of(self.guest.log, self.guest.table, halt.evidence)
        assert fault is not None and fault.entry == len(self.guest.log)
        return sentences.fault(fault, NAMES)

    def connect(self, host: bytes | None = None, card: Card | None = None) -> None:
        """Connect to a host with this key, or to the modified one, and hear its greeting."""
        self.act(self.guest.connected(CHANNEL, NOW, host or self._host))
        self.hear(replace(self._greeting, card=card or self._greeting.card))

    def hear(self, *messages: Message) -> None:
        """Hear this from its host."""
        for message in messages:
            self.act(self.guest.received(write(message), NOW))

    def act(self, effects: Iterable[GuestEffect]) -> None:
        """Carry out its effects: the modified host reads all of it."""
        self.effects += effects


NOW: Final = Moment(1.0, 1_700_000_009_000)


class CrookedHost:
    """The modified host: every guest may hear a different story."""

    def __init__(self, story: Story, *who: int) -> None:
        """At a table with the past of `story`."""
        self.key: Final[SigningKey] = story.host_key
        self.story = story
        self.victims = {each: Victim(each, story, self.key.public) for each in who or (ANN, BO)}
        for victim in self.victims.values():
            victim.connect()
            victim.hear(Welcome(len(story.entries)))

    def __getitem__(self, who: int) -> Victim:
        return self.victims[who]

    def entry(
        self,
        to: int,
        said: Intent | Message,
        later: int = 1,
        epoch: int = 0,
        after: Head | None = None,
    ) -> bytes:
        """An entry for the log of one guest, this many milliseconds after its last."""
        victim = self.victims[to]
        time = victim.table.time + later
        return Entry.sign(self.key, epoch, after or victim.head, time, said).blob

    def send(self, to: int, *entries: bytes) -> None:
        """Send these entries to one guest."""
        for blob in entries:
            self.victims[to].hear(Entries((blob,)))

    def tell(self, to: int, *said: Intent | Message, later: int = 1) -> None:
        """Append this to the log that one guest hears."""
        for each in said:
            self.send(to, self.entry(to, each, later))

    def tell_all(self, *said: Intent | Message) -> None:
        """Append this to the log that everybody hears."""
        for each in said:
            for to in self.victims:
                self.tell(to, each)

    def mallory(self, to: int, statement: Message, who: int = MALLORY) -> Intent:
        """Mallory's intent, with the head of the story that this guest hears."""
        victim = self.victims[to]
        key = signing_key(who)
        sequence = victim.table.sequences.get(key.public, 0) + 1
        return Intent.sign(key, sequence, victim.head, statement)

    def play(self, to: int, *statements: Message, later: int = 1) -> None:
        """Have Mallory say this, as this guest hears it."""
        for statement in statements:
            self.tell(to, self.mallory(to, statement), later=later)

    def play_all(self, *statements: Message) -> None:
        """Have Mallory say this, as everybody hears it."""
        for statement in statements:
            self.tell_all(self.mallory(next(iter(self.victims)), statement))

    def forged(self, to: int, who: int, statement: Message) -> Intent:
        """An intent that `who` would have to sign, signed by Mallory instead."""
        victim = self.victims[to]
        sequence = victim.table.sequences.get(public(who), 0) + 1
        return in_the_name_of(who, victim.head, statement, sequence)


def in_the_name_of(who: int, head: Head, statement: Message, number: int = 1000) -> Intent:
    """An intent of `who` that Mallory signed."""
    payload = pack((public(who), number, head.length, head.hash, statement.packable()))
    signature = signing_key(MALLORY).sign(b"spoof intent 1", payload)
    return Intent(public(who), number, head, statement, pack((payload, signature)))
