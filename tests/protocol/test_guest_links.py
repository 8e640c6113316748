"""The life of a link: a guest does what the rows of its table in `WIRE.md` say."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

import pytest

from protocol.crypto import join_code as pake
from protocol.encoding.codec import Message, pack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.guest.effects import CodeWanted, GuestEffect, Halt, Hangup
from protocol.guest.guest import Guest
from protocol.rules.words import Bid, Ending
from protocol.table.continuation import sign, signed
from protocol.table.head import EMPTY, Head
from protocol.table.log import Entry, Intent
from protocol.table.statements import Along, Sit, TableContinued, TableOpened
from protocol.timeouts import LOST_DELAY, Moment
from protocol.views import LinkState
from protocol.wire.messages import (
    Confirm,
    Continued,
    Entries,
    Farewell,
    Goodbye,
    Locked,
    Offer,
    Pake,
    Ping,
    Presence,
    Propose,
    Refusal,
    Welcome,
    Whereabouts,
    write,
)
from tests.helpers.sides import said_in
from tests.protocol.greetings import greeting_of
from tests.protocol.stories import Story, first_entry, signing_key
from tests.protocol.test_pages import Row, rows

HOST_KEY, ANN, BO = signing_key(255), signing_key(0), signing_key(1)
CODE, CHANNEL, CHALLENGE = "K7M4Q", b"c" * 32, b"x" * 32
FIRST: Final = first_entry("milan", 9, 0, locked=True)
SITS: Final = Intent.sign(BO, 1, Head(1, FIRST.hash), Sit(ForeignText("Bo")))
SECOND: Final = Entry.sign(HOST_KEY, 0, Head(1, FIRST.hash), FIRST.time, SITS)
FORGED: Final = Entry.sign(BO, 0, Head(1, FIRST.hash), FIRST.time, SITS)
GREETING: Final = replace(greeting_of(Story.of(FIRST)), challenge=CHALLENGE)
GAME: Final = Story(2).start(0, 1).toss(0, 1).fists(1, 2).say(Bid(3), Ending.CALL)
"""Ann has bid, and Bo has called."""

AT: Final = Moment(1000.0, 0)


class Visit:
    """A guest, with its link in the state that a row is about."""

    def __init__(self, state: str, *, code: bool = False, key: bytes = HOST_KEY.public) -> None:
        self.entropy = random.Random(3).randbytes
        self.greeting = GREETING
        self.guest = Guest(ANN)
        self.log: list[Entry] = []
        if code or state == "proving":
            self.guest.use_code(CODE, self.entropy)
        self.effects: list[GuestEffect] = []
        self.start(key)
        if state == "waiting":
            return
        self.hear(GREETING)
        if state in ("asked", "proving"):
            self.hear(Locked())
        elif state in ("catching up", "here"):
            self.hear(Welcome(2 if state == "catching up" else 1), Entries((FIRST.blob,)))

    def start(self, key: bytes = HOST_KEY.public) -> None:
        self.guest.connected(CHANNEL, AT, key)

    def hear(self, *said: Message) -> list[GuestEffect]:
        return [each for one in said for each in self.read(write(one))]

    def read(self, data: bytes) -> list[GuestEffect]:
        self.effects += (effects := self.guest.received(data, AT))
        return effects

    def pake(self) -> tuple[pake.HostExchange, Pake]:
        """The answer of a host that knows the code to the guest's guess."""
        [asked] = [m for m in said_in(self.effects) if isinstance(m, Pake)]
        context = pake.ExchangeContext(CHANNEL, CHALLENGE, FIRST.hash, ANN.public)
        exchange = pake.answer(CODE, context, asked.message, self.entropy)
        return exchange, Pake(exchange.message)

    def confirm(self, *, right: bool) -> list[GuestEffect]:
        exchange, message = self.pake()
        self.hear(message)
        return self.hear(Confirm(exchange.host if right else bytes(32)))

    def with_log(self, entries: Iterable[Entry]) -> Visit:
        """The same with a guest that holds this log, on a link that waits for the greeting."""
        log = list(entries)
        self.guest = Guest(ANN, None, log)
        self.start()
        self.greeting = greeting_of(Story.of(log[0]))
        return self

    def ends_word(self) -> list[GuestEffect]:
        before = GAME.entries[:-1]
        self.with_log(before).hear(self.greeting, Welcome(len(before)))
        return self.hear(Entries((GAME.entries[-1].blob,)))


def impostor(v: Visit) -> list[GuestEffect]:
    v.with_log([FIRST])
    v.start(BO.public)
    return v.hear(v.greeting)


def early(v: Visit) -> list[GuestEffect]:
    v.guest = Guest(ANN, None, [FIRST], promise=3)
    v.start()
    return v.hear(GREETING)


def other_table(v: Visit) -> list[GuestEffect]:
    return v.with_log([FIRST]).hear(replace(GREETING, card=replace(GREETING.card, table=b"t" * 32)))


def types_code(v: Visit) -> list[GuestEffect]:
    v.hear(Locked())
    return v.guest.use_code(CODE, v.entropy)


def with_code(what: Callable[[Visit], list[GuestEffect]]) -> Callable[[Visit], list[GuestEffect]]:
    return lambda _: what(Visit("introduced", code=True))


def elsewhere() -> Entry:
    """A new table of Ann and Bo that goes on from entries that Ann does not hold."""
    opened = FIRST.statement
    assert isinstance(opened, TableOpened)
    seats = tuple(Along(k.public, ForeignText("x"), None, bytes(64)) for k in (ANN, BO))
    again = replace(opened, salt=bytes([1]) * 32)
    drafted = TableContinued(again, FIRST.hash, 9, bytes(32), None, None, seats, ())
    opening = signed(drafted, {k.public: sign(k, drafted) for k in (ANN, BO)})
    return Entry.sign(HOST_KEY, 0, EMPTY, FIRST.time, opening)


EVENTS: Final[dict[str, Callable[[Visit], list[GuestEffect]]]] = {
    "greeting": lambda v: v.hear(GREETING),
    "greeting of another table than expected": other_table,
    "greeting of another protocol number": lambda v: v.read(frame(pack(("greeting", 9, "x")))),
    "greeting in the epoch of the guest's own log, under another key than its host's": impostor,
    "greeting of an earlier epoch than one seen or promised": early,
    "locked, a code was typed": with_code(lambda v: v.hear(Locked())),
    "locked, no code was typed": lambda v: v.hear(Locked()),
    "the player types the code": types_code,
    "welcome, entries are missing": lambda v: v.hear(Welcome(1)),
    "welcome, nothing is missing": lambda v: v.with_log([FIRST]).hear(GREETING, Welcome(1))[1:],
    "welcome without confirm, a code was typed and no entry is held": (
        with_code(lambda v: v.hear(Welcome(1)))
    ),
    "pake": lambda v: v.hear(v.pake()[1]),
    "confirm that proves the code": lambda v: v.confirm(right=True),
    "confirm that does not prove it": lambda v: v.confirm(right=False),
    "entries, and more are missing": lambda v: v.hear(Entries(())),
    "entries, the last of those missing": lambda v: v.hear(Entries((SECOND.blob,))),
    "entries": lambda v: v.hear(Entries((SECOND.blob,))),
    "entries with an ending word": lambda v: v.ends_word(),
    "ping": lambda v: v.hear(Ping(7)),
    "refusal": lambda v: v.hear(Refusal(1, "stale")),
    "presence": lambda v: v.hear(Presence(())),
    "whereabouts": lambda v: v.hear(Whereabouts(())),
    "offer of a new table to which it has not agreed": (
        lambda v: v.hear(Offer(HOST_KEY.public, bytes(32), (ANN.public,), (None,), 0))
    ),
    "continued, of a new table that it has not signed": lambda v: v.hear(
        Continued(elsewhere().blob)
    ),
    "an entry that fails a check": lambda v: v.hear(Entries((FORGED.blob,))),
    "goodbye": lambda v: v.hear(Goodbye(Farewell.CLOSED)),
    "nothing heard for LOST_DELAY": lambda v: v.guest.tick(Moment(1000 + LOST_DELAY + 1, 0)),
}

SAYS_NOTHING: Final = {
    "unanswered intents", "what it owes", "nothing, and asks the player",
    "nothing, and forgets that intent",
}  # fmt: skip
"""Answers that say nothing if the guest has nothing to send."""

LIFE: Final = [
    (state, *rest)
    for states, *rest in rows("state", "what happens", "what the guest sends", "next")
    for state in states.split(", ")
]

MALFORMED: Final[dict[str, tuple[Message, ...]]] = {
    "waiting": (Locked(), Welcome(1), Entries((FIRST.blob,)), Ping(1), Presence(())),
    "introduced": (GREETING, Entries((FIRST.blob,)), Ping(1), Presence(()), Refusal(1, "stale"),
                   Pake(b"A" + bytes(32)), Confirm(bytes(32))),
    "asked": (Locked(),),
    "proving": (GREETING, Locked(), Entries((FIRST.blob,)), Ping(1), Pake(b"A" + bytes(32))),
    "catching up": (GREETING, Locked()),
    "here": (GREETING, Locked()),
}  # fmt: skip


def test_every_event_stands_in_the_table() -> None:
    assert {row[1] for row in LIFE} == set(EVENTS)


@pytest.mark.parametrize("row", LIFE, ids=lambda row: f"{row[0]}, {row[1]}")
def test_a_guest_does_what_the_row_says(row: Row) -> None:
    state, what, answer, after = row
    visit = Visit(state)
    effects = EVENTS[what](visit)
    said = [m.KIND if not isinstance(m, Propose) else "intent" for m in said_in(effects)]
    expected = "nothing" if answer in SAYS_NOTHING else answer
    assert (", ".join(said) or "nothing") == expected.replace(" with the same number", "").replace(
        " with its witness if it owes one", ""
    )
    assert any(isinstance(each, CodeWanted) for each in effects) == ("asks" in answer)
    if after.startswith("closed"):
        [hangup] = [each for each in effects if isinstance(each, Hangup)]
        assert after.removeprefix("closed: ") in (hangup.why.value, "its code")
        assert any(isinstance(each, Halt) for each in effects) == (
            what == "an entry that fails a check"
        )
    else:
        assert not any(isinstance(each, Hangup | Halt) for each in effects)
        assert (visit.guest.link is LinkState.UP) == ("here" in (after, after == "same" and state))


@pytest.mark.parametrize(
    ("state", "message"),
    [(state, each) for state, all in MALFORMED.items() for each in all],
    ids=lambda each: each if isinstance(each, str) else each.KIND,
)
def test_what_the_table_leaves_out_is_malformed_at_the_guest(state: str, message: Message) -> None:
    effects = Visit(state).hear(message)
    assert [each.why for each in effects if isinstance(each, Hangup)] == [Farewell.MALFORMED]
    assert not said_in(effects)
