"""What a browser and its door say first: who gets in, and what others can make of it."""

from __future__ import annotations

import json

import pytest
from cryptography.exceptions import InvalidTag
from hypothesis import example, given
from hypothesis import strategies as st

from spoof_tui.door.web_handshake import (
    KEY,
    PURPOSE,
    Channel,
    Handshake,
    Hello,
    Unproven,
    door_key,
)
from tests.spoof_tui.door.pages import ANN, BO, HELLO, WORD, introduction, listening

DOOR = door_key(WORD)

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=6,
)


def taken(message: bytes, handshake: Handshake | None = None) -> Hello | None:
    """What a door makes of a hello; None if it turns it away."""
    try:
        return (handshake or Handshake(DOOR)).take(message)
    except Unproven:
        return None


@given(
    said=st.dictionaries(st.text(max_size=9).filter(lambda key: key not in ("id", "sign")), VALUES)
)
def test_what_a_browser_says_arrives_with_the_key_that_it_proves(said: dict[str, object]) -> None:
    handshake = Handshake(DOOR)
    channel, message = introduction(handshake.offer, said=said)
    hello = handshake.take(message)
    assert hello.browser == ANN.public
    assert {key: hello.said[key] for key in said} == said
    assert hello.channel.open(channel.seal(b"to the door")) == b"to the door"
    assert channel.open(hello.channel.seal(b"to the page")) == b"to the page"


@given(st.binary(max_size=300))
def test_no_other_bytes_are_a_hello(message: bytes) -> None:
    assert taken(message) is None


@given(st.data())
def test_a_hello_that_was_changed_or_cut_is_none(data: st.DataObject) -> None:
    handshake = Handshake(DOOR)
    message = bytearray(introduction(handshake.offer)[1])
    place = data.draw(st.integers(0, len(message) - 1))
    if data.draw(st.booleans()):
        # The highest bit of a public key of X25519 means nothing.
        message[place] ^= data.draw(st.sampled_from([1, 2, 64] if place == KEY - 1 else [1, 128]))
    else:
        del message[place:]
    assert taken(bytes(message), handshake) is None


@given(VALUES.map(lambda said: {"id": "", **said} if isinstance(said, dict) else said))
@example(b"[" * 3000)
@example({"id": 1})
@example({"id": "ab"})
@example({"id": "zz" * 32})
@example({"sign": "zz"})
@example({"sign": "ab" * 64})
def test_a_browser_that_has_the_word_proves_nothing_by_anything_else(said: object) -> None:
    handshake = Handshake(DOOR)
    assert taken(introduction(handshake.offer, said=said)[1], handshake) is None


def test_who_has_another_word_is_turned_away() -> None:
    handshake = Handshake(DOOR)
    assert taken(introduction(handshake.offer, "ABCD-EFGH-JKLN")[1], handshake) is None


def test_a_hello_opens_no_other_connection() -> None:
    message = introduction(Handshake(DOOR).offer)[1]
    assert taken(message) is None


@pytest.mark.parametrize("small", [bytes(KEY), b"\x01" + bytes(KEY - 1)])
def test_a_key_that_anybody_agrees_with_is_turned_away(small: bytes) -> None:
    handshake = Handshake(DOOR)
    keys = handshake.offer + small
    said = {"id": ANN.public.hex(), "sign": ANN.sign(PURPOSE, keys).hex(), **HELLO}
    channel = Channel(bytes(KEY) + DOOR, keys, is_door=False)
    assert taken(small + channel.seal(json.dumps(said).encode()), handshake) is None


def test_nobody_is_ann_by_her_public_key() -> None:
    handshake = Handshake(DOOR)
    said = {"id": ANN.public.hex()}
    assert taken(introduction(handshake.offer, said=said, browser=BO)[1], handshake) is None


def test_nobody_is_ann_by_what_she_signed_for_another_connection() -> None:
    first, second = Handshake(DOOR), Handshake(DOOR)
    ann = first.take(introduction(first.offer)[1]).said
    said = {"id": ann["id"], "sign": ann["sign"]}
    assert taken(introduction(second.offer, said=said, browser=BO)[1], second) is None


def test_nobody_is_ann_by_standing_between_her_and_the_door_with_the_word() -> None:
    door, mallory = Handshake(DOOR), Handshake(DOOR)
    ann = mallory.take(introduction(mallory.offer)[1]).said
    assert taken(introduction(door.offer, said=ann)[1], door) is None


@pytest.mark.parametrize("word", [WORD, "ABCD-EFGH-JKLN"])
def test_who_listens_reads_nothing_with_the_word_or_without(word: str) -> None:
    handshake = Handshake(DOOR)
    message = introduction(handshake.offer)[1]
    for channel in listening(word, handshake.offer, message):
        with pytest.raises(InvalidTag):
            channel.open(message[KEY:])


def test_the_secret_of_a_browser_is_not_in_what_it_says() -> None:
    handshake = Handshake(DOOR)
    said = handshake.take(introduction(handshake.offer)[1]).said
    assert ANN.seed.hex() not in json.dumps(said)
