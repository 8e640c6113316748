"""What travels on a link."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.crypto.join_code import PAKE_BYTES
from protocol.encoding.codec import Message, pack, unpack
from protocol.encoding.framing import FrameReader
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.limits import MAX_ENTRY, MAX_FRAME, MAX_TERMS
from protocol.rules.options import PRESETS
from protocol.table.head import Head
from protocol.table.log import Entry, Intent
from protocol.version import PROTOCOL
from protocol.wire.messages import (
    FROM_GUEST,
    FROM_HOST,
    AskEntries,
    Card,
    Confirm,
    Entries,
    Farewell,
    Goodbye,
    Greeting,
    HandOver,
    HeldTerm,
    Hello,
    Locked,
    OtherVersion,
    Pake,
    Ping,
    Presence,
    Propose,
    Refusal,
    State,
    Support,
    Welcome,
    Whereabout,
    Whereabouts,
    is_proven,
    read_from_guest,
    read_from_host,
    sign_hello,
    write,
)
from protocol.wire.new_table import Agree, Continued, GoAlong, Offer
from tests.protocol.stories import few, signing_key, typed

hashes = st.binary(min_size=32, max_size=32)
wholes = st.integers(0, 2**53 - 1)
names = typed.filter(lambda text: 1 <= len(text.encode()) <= 64).map(ForeignText)
programs = st.text("0.1 abc~", max_size=32)
ports = st.integers(0, 65535)
places = st.builds(Whereabout, hashes, st.text("0123456789.:%", max_size=64), st.integers(1, 65535))
cards = st.builds(
    Card,
    hashes,
    names,
    names,
    st.sampled_from(list(PRESETS.values())),
    st.integers(0, 9),
    st.integers(0, 9),
    st.sampled_from(State),
    st.booleans(),
    wholes,
    st.lists(hashes, max_size=9).map(tuple),
)
signatures = st.binary(min_size=64, max_size=64)
some_keys = st.lists(hashes, max_size=9).map(tuple)
agreements = st.lists(st.none() | signatures, max_size=9).map(tuple)

MESSAGES: dict[type[Message], st.SearchStrategy[Message]] = {
    Greeting: st.builds(Greeting, st.just(PROTOCOL), programs, cards, hashes),
    Hello: st.builds(
        Hello,
        st.just(PROTOCOL),
        programs,
        hashes,
        wholes,
        hashes,
        wholes,
        st.lists(st.builds(HeldTerm, wholes, wholes), max_size=MAX_TERMS).map(tuple),
        ports,
        signatures,
    ),
    Locked: st.builds(Locked),
    Pake: st.builds(Pake, st.binary(min_size=PAKE_BYTES, max_size=PAKE_BYTES)),
    Confirm: st.builds(Confirm, hashes),
    Welcome: st.builds(Welcome, wholes),
    AskEntries: st.builds(AskEntries, wholes),
    Entries: st.builds(Entries, st.lists(st.binary(min_size=1, max_size=9), max_size=4).map(tuple)),
    Propose: st.builds(Propose, st.binary(max_size=99)),
    Refusal: st.builds(Refusal, wholes, st.text("abc-", max_size=32)),
    Presence: st.builds(Presence, st.lists(hashes, max_size=4).map(tuple)),
    Ping: st.builds(Ping, wholes, wholes, some_keys),
    Whereabouts: st.builds(Whereabouts, st.lists(places, max_size=9).map(tuple)),
    HandOver: st.builds(HandOver, hashes, st.none() | signatures),
    Support: st.builds(Support, signatures),
    Goodbye: st.builds(Goodbye, st.sampled_from(Farewell)),
    Offer: st.builds(Offer, hashes, hashes, some_keys, agreements, wholes),
    Agree: st.builds(Agree, st.none() | signatures),
    GoAlong: st.builds(GoAlong, signatures),
    Continued: st.builds(Continued, st.binary(min_size=1, max_size=99)),
}

CARD = Card(
    bytes(32), ForeignText("T"), ForeignText("H"), PRESETS["milan"], 9, 2, State.GATHERING, True, 0
)
GREETING = Greeting(PROTOCOL, "1", CARD, b"c" * 32)
HELLO = sign_hello(signing_key(1), "1", GREETING, b"channel", Head(3, b"h" * 32))


def payload(message: Message) -> bytes:
    (only,) = FrameReader().feed(write(message))
    return only


def test_every_message_is_here() -> None:
    assert set(MESSAGES) == {*FROM_HOST.values(), *FROM_GUEST.values()}


@pytest.mark.parametrize("kind", MESSAGES, ids=lambda kind: kind.KIND)
@settings(max_examples=4)
@given(data=st.data())
def test_a_message_is_read_as_it_was_written(kind: type[Message], data: st.DataObject) -> None:
    message = data.draw(MESSAGES[kind])
    if kind.KIND in FROM_HOST:
        assert read_from_host(payload(message)) == message
    if kind.KIND in FROM_GUEST:
        assert read_from_guest(payload(message)) == message


@few
@given(st.binary(max_size=60))
def test_random_bytes_are_malformed_everywhere(data: bytes) -> None:
    for read in (read_from_host, read_from_guest, Intent.read, Entry.read):
        with pytest.raises(Malformed):
            read(data)


@few
@given(st.sampled_from([GREETING, HELLO, Welcome(1)]), st.integers(0, 10**6), st.integers(1, 255))
def test_a_damaged_message_is_another_one_or_malformed(
    message: Message, place: int, change: int
) -> None:
    data = bytearray(payload(message))
    data[place % len(data)] ^= change
    for read in (read_from_host, read_from_guest):
        try:
            assert pack(read(bytes(data)).packable()) == bytes(data)
        except Malformed:
            continue


ONE_WAY = [
    GREETING,
    Welcome(1),
    AskEntries(1),
    Refusal(1, "stale"),
    Presence(()),
    HELLO,
    Propose(b""),
]


@pytest.mark.parametrize("message", ONE_WAY, ids=lambda message: message.KIND)
def test_nobody_says_what_the_other_side_says(message: Message) -> None:
    read = read_from_guest if message.KIND in FROM_HOST else read_from_host
    with pytest.raises(Malformed, match="no message is called"):
        read(payload(message))


def test_the_largest_batch_fits_one_frame() -> None:
    assert len(write(Entries((bytes(MAX_ENTRY),) * 9))) < MAX_FRAME


@pytest.mark.parametrize("blobs", [(bytes(MAX_ENTRY + 1),), (b"",) * 1001])
def test_entries_have_bounds(blobs: tuple[bytes, ...]) -> None:
    with pytest.raises(Malformed):
        Entries(blobs)


# Versions


@pytest.mark.parametrize("rest", [(), (1, 2, 3), ("anything", ("else",))])
def test_another_version_is_told_by_its_number_whatever_follows(rest: tuple[object, ...]) -> None:
    with pytest.raises(OtherVersion, match=rf"protocol 99 \(0\.9\), this is {PROTOCOL}") as error:
        read_from_host(pack(("greeting", 99, "0.9", *rest)))
    assert (error.value.protocol, error.value.program) == (99, "0.9")
    with pytest.raises(OtherVersion):
        read_from_guest(pack(("hello", 99, "0.9", *rest)))


@pytest.mark.parametrize("program", ["\x1b[m", "é", "x" * 33, 7])
def test_another_version_does_not_bring_foreign_text(program: object) -> None:
    with pytest.raises(Malformed) as error:
        read_from_host(pack(("greeting", 2, program)))
    assert not isinstance(error.value, OtherVersion)
    assert str(error.value).isprintable()


# Hello


def test_a_hello_is_proven() -> None:
    assert is_proven(HELLO, GREETING.challenge, b"channel", CARD.table)
    assert HELLO.held == Head(3, b"h" * 32)


@pytest.mark.parametrize(
    "change",
    [
        {"key": signing_key(2).public},
        {"length": 4},
        {"head": b"x" * 32},
        {"signature": bytes(64)},
        {"challenge": b"x" * 32},
        {"channel": b"another"},
        {"channel": b""},
        {"table": b"x" * 32},
    ],
    ids=lambda change: "another " + next(iter(change)),
)
def test_a_hello_proves_nothing_on(change: dict[str, Any]) -> None:
    place = {"challenge": GREETING.challenge, "channel": b"channel", "table": CARD.table}
    place |= {name: value for name, value in change.items() if name in place}
    hello = replace(HELLO, **{n: value for n, value in change.items() if n not in place})
    assert not is_proven(hello, **place)


def test_a_hello_is_no_intent() -> None:
    assert isinstance(unpack(payload(HELLO)), tuple)
    with pytest.raises(Malformed):
        Intent.read(payload(HELLO))
