"""Greetings and hellos, for tests of a link without a table behind it."""

from __future__ import annotations

from typing import Final

from protocol.encoding.codec import unpack
from protocol.encoding.untrusted import ForeignText
from protocol.rules.options import Rules
from protocol.table.head import EMPTY
from protocol.version import PROTOCOL
from protocol.wire.messages import Card, Greeting, Hello, State, sign_hello
from tests.protocol.stories import Story, signing_key

CHALLENGE: Final = b"c" * 32

CARD: Final = Card(
    b"t" * 32, ForeignText("Table"), ForeignText("Krona"), Rules.parse("milan"), 9, 0,
    State.GATHERING, locked=True, epoch=0,
)  # fmt: skip

GREETING: Final = Greeting(1, "test", CARD, CHALLENGE)


def greeting_of(story: Story) -> Greeting:
    """The greeting of a story's host."""
    table, opened = story.table, story.table.opened
    card = Card(
        table.id, opened.name, opened.name, opened.rules, opened.seats, len(table.seats),
        State.GATHERING, opened.locked, table.epoch,
    )  # fmt: skip
    return Greeting(PROTOCOL, "test", card, bytes(32))


def hello_of(who: int) -> Hello:
    """The hello of a participant that answers `GREETING`."""
    return sign_hello(signing_key(who), "test", GREETING, b"channel", EMPTY)


def signed_pair(blob: bytes) -> tuple[bytes, bytes]:
    """The bytes of something signed, and the signature."""
    pair = unpack(blob)
    assert isinstance(pair, tuple)
    payload, signature = pair
    return bytes(payload), bytes(signature)
