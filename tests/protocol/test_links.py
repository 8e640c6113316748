"""The life of a link: host and guest do what the rows of their tables in `WIRE.md` say."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from typing import Final

import pytest

from protocol import limits
from protocol.crypto import join_code as pake
from protocol.crypto.keys import SigningKey
from protocol.encoding.codec import pack
from protocol.encoding.framing import FrameReader, frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.host.effects import Compute, Disconnect, HostEffect, Send
from protocol.host.host import Host
from protocol.host.policy import HostPolicy
from protocol.limits import MAX_UNPROVEN_OF_ADDRESS, MAX_WATCHERS_OF_ADDRESS, TRIES_OF_ADDRESS
from protocol.table.head import EMPTY, Head
from protocol.table.log import Intent
from protocol.table.statements import Leave, Measure, Say, Sit, TableOpened
from protocol.timeouts import LOST_DELAY, Moment
from protocol.wire import messages
from protocol.wire.handshake import GuestHandshake, HostHandshake
from protocol.wire.messages import (
    Agree,
    Confirm,
    Entries,
    Farewell,
    GoAlong,
    Goodbye,
    Pake,
    Ping,
    Propose,
    Support,
    sign_hello,
    write,
)
from tests.protocol.greetings import CHALLENGE, GREETING, hello_of, signed_pair
from tests.protocol.stories import first_entry, signing_key
from tests.protocol.test_pages import Row, rows

HOST_KEY, ANN, BO = signing_key(255), signing_key(1), signing_key(2)
FIRST: Final = first_entry("milan", 2, 0, locked=True)
K: Final = bytes(32)

LINK: Final = 1
OTHER: Final = 2


ADDRESS: Final = "192.0.2.1"


class Meeting:
    """A host, and the link that a row of the table of links is about."""

    def __init__(self, state: str) -> None:
        opened = FIRST.statement
        assert isinstance(opened, TableOpened)
        self.entropy = random.Random(1).randbytes
        self.time = 0.0
        self.host, _ = Host.open(
            HOST_KEY, HostPolicy(ForeignText("Eva")), opened, self.at(0), self.entropy
        )
        if state == "—":
            return
        self.connect(LINK)
        if state == "asked":
            self.receive(self.hello(BO))
        elif state == "known":
            self.admit()
            self.receive(self.known())

    def at(self, later: float) -> Moment:
        return Moment(self.time + later, 0)

    def connect(self, link: int) -> list[HostEffect]:
        self.time += limits.GUESS_INTERVAL
        return self.host.connected(link, CHALLENGE, b"", self.at(0), ADDRESS)

    def receive(self, data: bytes, link: int = LINK) -> list[HostEffect]:
        effects = self.host.received(link, data, self.at(0))
        for effect in effects:
            if isinstance(effect, Compute):
                effects += self.host.computed(link, effect.work(), self.at(0))
        return effects

    def admit(self) -> None:
        """Let Ann in, on another link that is gone afterwards."""
        self.connect(OTHER)
        self.receive(self.hello(), OTHER)
        self.prove(self.host.admission.code or "", ANN, OTHER)
        self.host.lost(OTHER, self.at(0))

    def prove(self, code: str, key: SigningKey, link: int = LINK) -> list[HostEffect]:
        """Guess the code; returns what the host does about the proof."""
        challenge, table = CHALLENGE, self.host.table.id
        guess = pake.GuestExchange(
            code, pake.ExchangeContext(b"", challenge, table, key.public), self.entropy
        )
        effects = self.receive(write(Pake(guess.message)), link)
        (answer,) = [e.data for e in effects if isinstance(e, Send) and link in e.links]
        message = messages.read_from_host(FrameReader().feed(answer)[0])
        assert isinstance(message, Pake)
        return self.receive(write(Confirm(guess.proof(message.message))), link)

    def hello(self, key: SigningKey = ANN, held: Head = EMPTY, epoch: int = 0) -> bytes:
        card = replace(GREETING.card, table=self.host.table.id)
        return write(sign_hello(key, "x", replace(GREETING, card=card), b"", held, epoch))

    def known(self) -> bytes:
        """The hello of Ann, who has been here before."""
        return self.hello(held=Head(1, self.host.table.id))

    def come_in(self, held: Head | None = None) -> list[HostEffect]:
        self.admit()
        return self.receive(self.hello(held=held) if held else self.known())

    def come_from_later(self) -> list[HostEffect]:
        return self.receive(self.hello(epoch=1))

    def come_barred(self) -> list[HostEffect]:
        self.host.decide(Measure.BAR, ANN.public, self.at(0))
        return self.receive(self.hello())

    def guess_wrong(self) -> None:
        """Guess wrong codes from the same address, until it has to wait."""
        for link in range(TRIES_OF_ADDRESS):
            self.connect(OTHER + link)
            self.receive(self.hello(BO), OTHER + link)
            self.prove("AAAAA", BO, OTHER + link)

    def come_after_wrong_codes(self) -> list[HostEffect]:
        self.guess_wrong()
        return self.receive(self.hello())

    def prove_after_wrong_codes(self) -> list[HostEffect]:
        self.guess_wrong()
        self.time += limits.GUESS_INTERVAL
        return self.prove(self.host.admission.code or "", BO)

    def come_as_one_too_many(self) -> list[HostEffect]:
        self.admit()
        crowd = [SigningKey(bytes([n, 9] * 16)) for n in range(MAX_WATCHERS_OF_ADDRESS)]
        for n, key in enumerate(crowd):
            self.connect(OTHER + n)
            self.receive(self.hello(key), OTHER + n)
            self.prove(self.host.admission.code or "", key, OTHER + n)
        return self.receive(self.known())

    def intent(self, key: SigningKey = ANN, number: int = 1) -> bytes:
        statement = Sit(ForeignText("Ann"))
        return write(Propose(Intent.sign(key, number, self.host.log.head, statement).blob))

    def talk(self) -> bytes:
        """A legal intent of a key that has just sat down, and moves no seat."""
        self.receive(self.intent())
        said = Intent.sign(ANN, 2, self.host.log.head, Say(ForeignText("hello")))
        return write(Propose(said.blob))

    def illegal(self) -> bytes:
        return write(Propose(Intent.sign(ANN, 1, self.host.log.head, Leave()).blob))

    def forged(self) -> bytes:
        payload, signature = signed_pair(Intent.sign(ANN, 1, EMPTY, Leave()).blob)
        return write(Propose(pack((payload, signature[::-1]))))

    def replaced(self) -> list[HostEffect]:
        self.connect(OTHER)
        return self.receive(self.known(), OTHER)

    def come_late(self) -> list[HostEffect]:
        self.admit()
        self.connect(OTHER)
        self.receive(self.known(), OTHER)
        return self.receive(self.known())

    def crowd(self) -> list[HostEffect]:
        for link in range(MAX_UNPROVEN_OF_ADDRESS):
            self.connect(LINK + 1 + link)
        return self.connect(LINK)

    def used_up(self) -> bytes:
        self.receive(self.intent())
        return self.intent()

    def barred(self) -> list[HostEffect]:
        return self.host.decide(Measure.BAR, ANN.public, self.at(0))


HELLO_OF_99: Final = frame(pack(("hello", 99, "x")))
PAKE: Final = write(
    Pake(
        pake.GuestExchange(
            "AAAAA", pake.ExchangeContext(b"", K, K, K), random.Random(2).randbytes
        ).message
    )
)

EVENTS: Final[dict[str, Callable[[Meeting], list[HostEffect]]]] = {
    "a connection comes": lambda m: m.connect(LINK),
    "a connection comes, MAX_UNPROVEN_OF_ADDRESS links from its address are new or asked": (
        lambda m: m.crowd()
    ),
    "hello": lambda m: m.receive(m.hello()),
    "hello, proven, its key is let in, its head is in the log": lambda m: m.come_in(),
    "hello, proven, its key is not let in": lambda m: m.receive(m.hello()),
    "hello, proven, its key is not let in, its address has to wait": (
        lambda m: m.come_after_wrong_codes()
    ),
    "hello, proven, its key is refused": lambda m: m.come_barred(),
    "hello, proven, its head is not in the log": lambda m: m.come_in(Head(1, K)),
    "hello, proven, there is no place for another watcher": lambda m: m.come_as_one_too_many(),
    "hello, proven, its key is accepted on a newer link": lambda m: m.come_late(),
    "hello, wrong signature": lambda m: m.receive(write(replace(hello_of(1), length=1))),
    "hello of another protocol number": lambda m: m.receive(HELLO_OF_99),
    "entries that nobody asked for": lambda m: m.receive(write(Entries((FIRST.blob,)))),
    "intent": lambda m: m.receive(m.intent()),
    "intent, legal": lambda m: m.receive(m.talk()),
    "intent, legal, that takes or frees a seat": lambda m: m.receive(m.intent()),
    "intent, illegal": lambda m: m.receive(m.illegal()),
    "intent, number not above the author's last one in the log": lambda m: m.receive(m.used_up()),
    "intent of another key": lambda m: m.receive(m.intent(BO)),
    "intent, wrong signature": lambda m: m.receive(m.forged()),
    "pake": lambda m: m.receive(PAKE),
    "pake, twice": lambda m: m.receive(PAKE) + m.receive(PAKE),
    "pake that is no point": lambda m: m.receive(write(Pake(b"A" + bytes(32)))),
    "confirm": lambda m: m.receive(write(Confirm(K))),
    "confirm before pake": lambda m: m.receive(write(Confirm(K))),
    "confirm, the right code": lambda m: m.prove(m.host.admission.code or "", BO),
    "confirm, its address has to wait by now": lambda m: m.prove_after_wrong_codes(),
    "confirm, a wrong code": lambda m: m.prove("AAAAA", BO),
    "confirm, twice": lambda m: (
        m.prove(m.host.admission.code or "", BO) + m.receive(write(Confirm(K)))
    ),
    "ping": lambda m: m.receive(write(Ping(0))),
    "support": lambda m: m.receive(write(Support(bytes(64)))),
    "agree": lambda m: m.receive(write(Agree(None))),
    "go-along": lambda m: m.receive(write(GoAlong(bytes(64)))),
    "hello, proven, its epoch is above the table's": lambda m: m.come_from_later(),
    "goodbye": lambda m: m.receive(write(Goodbye(Farewell.CLOSED))),
    "no message": lambda m: m.receive(frame(pack(("nonsense",)))),
    "no hello for HELLO_TIMEOUT": lambda m: m.host.tick(m.at(limits.HELLO_TIMEOUT + 1)),
    "nothing is proven for HELLO_TIMEOUT": lambda m: m.host.tick(m.at(limits.HELLO_TIMEOUT + 1)),
    "nothing heard for LOST_DELAY": lambda m: m.host.tick(m.at(LOST_DELAY + 1)),
    "the same key is accepted on a newer link": lambda m: m.replaced(),
    "the key is refused (G5)": lambda m: m.barred(),
    "the table closes": lambda m: m.host.close(),
}

LIFE: Final = [
    (state, *rest)
    for states, *rest in rows("state", "what happens", "what the host sends on this link", "next")
    for state in states.split(", ")
]

MALFORMED: Final[dict[str, tuple[str, ...]]] = {
    "new": ("entries that nobody asked for", "intent", "pake", "confirm", "ping", "no message"),
    "asked": ("pake, twice", "pake that is no point", "confirm before pake", "confirm, twice",
              "hello", "intent", "no message"),
    "known": ("hello", "pake", "confirm", "intent of another key", "intent, wrong signature",
              "no message"),
}  # fmt: skip
"""Messages that the table leaves out."""


def test_every_event_of_a_link_stands_in_the_table_or_is_malformed() -> None:
    strays = {(state, what) for state, each in MALFORMED.items() for what in each}
    told = {row[:2] for row in LIFE}
    assert not told & strays and {what for _, what in told | strays} == set(EVENTS)
    assert len({row[:2] for row in LIFE}) == len(LIFE)


@pytest.mark.parametrize("row", LIFE, ids=lambda row: f"{row[0]}, {row[1]}")
def test_a_host_does_what_the_row_says(row: Row) -> None:
    state, what, answer, after = row
    meeting = Meeting(state)
    effects = EVENTS[what](meeting)
    assert _sent(effects) == answer
    assert _next(meeting, effects) == after


@pytest.mark.parametrize(
    ("state", "what"), [(state, what) for state in MALFORMED for what in MALFORMED[state]]
)
def test_what_the_table_leaves_out_is_malformed_at_the_host(state: str, what: str) -> None:
    meeting = Meeting(state)
    effects = EVENTS[what](meeting)
    assert _sent(effects).endswith("goodbye malformed")
    assert _next(meeting, effects) == "closed"
    assert not meeting.host.table.seats


def test_nobody_is_let_in_without_a_hello_and_none_is_said_without_a_greeting() -> None:
    with pytest.raises(Malformed):
        HostHandshake(CHALLENGE, b"").let_in()
    with pytest.raises(Malformed):
        GuestHandshake(b"", None).hello(ANN, EMPTY, 0, 0, ())


def test_a_handshake_does_not_show_the_code() -> None:
    meeting = Meeting("asked")
    meeting.receive(PAKE)
    handshake = meeting.host.connections[LINK].handshake
    assert handshake.code == meeting.host.admission.code
    assert handshake.code and handshake.code not in repr(handshake)


def _sent(effects: list[HostEffect]) -> str:
    """The messages that went out on the link, in words."""
    sent = b"".join(e.data for e in effects if isinstance(e, Send) and LINK in e.links)
    said = []
    for payload in FrameReader().feed(sent):
        message = messages.read_from_host(payload)
        why = f" {message.why.value}" if isinstance(message, Goodbye) else ""
        said.append(message.KIND + why)
    return ", ".join(said) or "nothing"


def _next(meeting: Meeting, effects: list[HostEffect]) -> str:
    if any(isinstance(effect, Disconnect) and effect.link == LINK for effect in effects):
        return "closed"
    return meeting.host.connections[LINK].handshake.stage.value
