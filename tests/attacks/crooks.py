"""Modified guests, on links to an unmodified host."""

from __future__ import annotations

from collections.abc import Iterable

from protocol.crypto.join_code import HostExchange
from protocol.encoding.codec import Message
from protocol.host import effects as host_side
from protocol.host.effects import HostEffect
from protocol.host.host import Host
from protocol.table.head import EMPTY
from protocol.table.log import Intent
from protocol.wire.messages import (
    Confirm,
    Entries,
    Farewell,
    Greeting,
    Pake,
    Propose,
    Refusal,
    sign_hello,
    write,
)
from tests.attacks.crooked import ANN, MALLORY
from tests.protocol.stories import Desk, Story, first_entry, signing_key

ADDRESS = "192.0.2.66"
"""The address that Mallory comes from."""


class Crook:
    """Mallory's link to an honest host; Ann is there, too."""

    def __init__(self, story: Story, who: int = MALLORY) -> None:
        self.story = story
        self.who = who
        self.desk = Desk(story)
        self.ann = self.desk.join(ANN, address="192.0.2.1")
        self.link = self.desk.join(who, address=ADDRESS)
        self._listen()
        self._number = 1000

    @property
    def host(self) -> Host:
        """The honest host."""
        return self.desk.host

    def tries(self, statement: Message) -> str:
        """Say this; returns the reason of the refusal, or "accepted"."""
        self._number += 1
        before = self.host.log.head
        self._listen()
        self.desk.propose(
            self.link, Intent.sign(signing_key(self.who), self._number, before, statement)
        )
        if self.host.log.head != before:
            return "accepted"
        assert self.desk.heard(self.ann) == []
        return next(said.code for said in self.desk.heard(self.link) if isinstance(said, Refusal))

    def _listen(self) -> None:
        self.desk.heard(self.link), self.desk.heard(self.ann)


RIGHT, WRONG = b"r" * 32, b"w" * 32


class LockedDesk(Desk):
    """A locked table with a faked proof: a guess is right if it confirms `RIGHT`."""

    def __init__(self) -> None:
        super().__init__(Story.of(first_entry("milan", 9, 0, locked=True)), together=False)
        self.codes = [self.host.admission.code]
        """Every code that the table had."""
        self.guesses = 0
        """Guesses that the host has judged by a code that was good when they were made."""

    def knock(self, address: str) -> int:
        """A connection that says hello with a fresh key, and guesses if asked for a code."""
        link = self.dial(address)
        (greeting,) = self.said[link]
        if isinstance(greeting, Greeting):
            key = signing_key(10 + link % 200)
            self.send(link, sign_hello(key, "test", greeting, b"channel", EMPTY))
        if link not in self.closed:
            self.send(link, Pake(bytes(33)))
        return link

    def answered(self) -> list[int]:
        """Links whose guess has been answered but not judged yet."""
        return [
            link
            for link, said in self.said.items()
            if link not in self.closed and isinstance(said[-1], Pake)
        ]

    def confirm(self, link: int, mac: bytes) -> None:
        """Prove the guess on a link, or fail to."""
        connection = self.host.connections.get(link)
        is_judged = connection is not None and connection.handshake.code == self.host.admission.code
        self.send(link, Confirm(mac))
        self.guesses += is_judged and self.closed.get(link) is not Farewell.TOO_MANY_TRIES

    def carry_out(self, effects: Iterable[HostEffect]) -> None:
        """Do what the host wants, except for the arithmetic."""
        for effect in effects:
            if isinstance(effect, host_side.Compute):
                answer = HostExchange(bytes(33), RIGHT, b"h" * 32)
                super().carry_out(self.host.computed(effect.link, answer, self.now()))
            else:
                super().carry_out([effect])
            if isinstance(effect, host_side.CodeChanged):
                self.codes.append(self.host.admission.code)


def entries_in(messages: list[Message]) -> int:
    """How many entries of the log these effects send."""
    return sum(len(message.blobs) for message in messages if isinstance(message, Entries))


def flood(host: Story, count: int, statement: Message, who: int = MALLORY) -> bytes:
    """This many different intents that say the same, as frames."""
    head = host.table.head
    intents = (Intent.sign(signing_key(who), 1000 + n, head, statement) for n in range(count))
    return b"".join(write(Propose(intent.blob)) for intent in intents)
