"""A modified host that signs whatever helps it, and the unmodified guests who listen to it.

It holds the host's key and that of one player, Mallory; of the others it has only what they sent.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Final

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import Message, pack
from protocol.encoding.framing import FrameReader
from protocol.encoding.untrusted import ForeignText
from protocol.guest.effects import GuestEffect, Halt, Hangup, Transmit
from protocol.guest.guest import Guest
from protocol.rules.words import Ending
from protocol.table.fold import Phase, Table
from protocol.table.head import Head
from protocol.table.log import Entry, Intent
from protocol.table.statements import Open, Say
from protocol.table.verify import fault_of
from protocol.timeouts import Moment
from protocol.version import PROGRAM, PROTOCOL
from protocol.wire.messages import (
    Card,
    Entries,
    Farewell,
    Greeting,
    Hello,
    Propose,
    State,
    Welcome,
    read_from_guest,
    write,
)
from spoof_tui.telling import sentences
from tests.protocol.stories import Story, signing_key

ANN, BO, MALLORY = 0, 1, 2
"""The players of every story here, in seat order; Mallory's program is the host."""

STRANGER = 9
CHANNEL: Final = b"c" * HASH_BYTES
NAMES: Final = ("Ann", "Bo", "Mallory")
HI: Final = Say(ForeignText("hi"))


def public(who: int) -> bytes:
    """The key by which everybody knows a participant."""
    return signing_key(who).public


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


class Victim:
    """An unmodified guest, what it was told, and what it said."""

    def __init__(self, who: int, story: Story, host: bytes, known: int | None = None) -> None:
        """A guest that holds the first `known` entries of a story, or all, and is not connected."""
        plays = story.table.game is not None and story.table.phase is not Phase.GATHERING
        secrets = [story.share(who)] if plays else []
        hands = [story.hands[who]] if who in story.hands else []
        self.who = who
        self.guest = Guest(signing_key(who), None, story.entries[:known], [*secrets, *hands])
        self.said: list[Intent] = []
        """Everything that it signed, in order."""
        self.hellos: list[Hello] = []
        self.effects: list[GuestEffect] = []
        self._card = card_of(story)
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
    def stated(self) -> list[Message]:
        """The statements that it signed, in order."""
        return [intent.statement for intent in self.said]

    @property
    def opened(self) -> list[Message]:
        """Every hand that it has shown."""
        return [statement for statement in self.stated if isinstance(statement, Open)]

    @property
    def farewells(self) -> list[Farewell]:
        """Why it hung up."""
        return [effect.why for effect in self.effects if isinstance(effect, Hangup)]

    @property
    def halt(self) -> Halt | None:
        """The proof on which it stopped."""
        return next((effect for effect in self.effects if isinstance(effect, Halt)), None)

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
        self.hear(Greeting(PROTOCOL, PROGRAM, card or self._card, b"h" * 32))

    def hear(self, *messages: Message) -> None:
        """Hear this from its host."""
        for message in messages:
            self.act(self.guest.received(write(message), NOW))

    def act(self, effects: Iterable[GuestEffect]) -> None:
        """Carry out its effects: the modified host reads all of it."""
        for effect in effects:
            self.effects.append(effect)
            if not isinstance(effect, Transmit):
                continue
            for message in map(read_from_guest, FrameReader().feed(effect.data)):
                if isinstance(message, Propose):
                    self.said.append(Intent.read(message.blob))
                elif isinstance(message, Hello):
                    self.hellos.append(message)


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
        victim, author = self.victims[to], signing_key(who).public
        sequence = victim.table.sequences.get(author, 0) + 1
        head = victim.head
        payload = pack((author, sequence, head.length, head.hash, statement.packable()))
        signature = signing_key(MALLORY).sign(b"spoof intent 1", payload)
        return Intent(author, sequence, head, statement, pack((payload, signature)))


def card_of(story: Story) -> Card:
    """The card of a story's table."""
    opened, policy = story.table.opened, story.table.opened.name
    return Card(
        story.table.id,
        opened.name,
        policy,
        opened.rules,
        opened.seats,
        len(story.table.seats),
        State.GATHERING,
        opened.locked,
        story.table.epoch,
    )
