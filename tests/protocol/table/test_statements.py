"""Statements: all of them travel, and nothing that is not one of them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from protocol.encoding.codec import Message, pack, read_message, unpack
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.limits import MAX_NAME, MAX_STATEMENT, MAX_TALK
from protocol.rules.options import PRESETS, Rules
from protocol.rules.words import Bid, Direction, Drink, Ending, Offence
from protocol.table.announcements import (
    HOSTS,
    Admitted,
    Away,
    Back,
    Backing,
    Decide,
    GameStarted,
    HostMoved,
    TimeUp,
    Vacated,
)
from protocol.table.opening import Along, TableContinued, TableOpened
from protocol.table.statements import (
    PLAYERS,
    AwardFine,
    Elect,
    Fist,
    Gesticulate,
    Gesture,
    Leave,
    LiftFine,
    Measure,
    Open,
    Order,
    Ready,
    Say,
    Seen,
    Sit,
    Speak,
    Toss,
    Vote,
    Witness,
)
from tests.protocol.stories import typed

hashes = st.binary(min_size=32, max_size=32)
signatures = st.binary(min_size=64, max_size=64)
spoken = st.integers(0, 2**53 - 1).map(Bid) | st.sampled_from(Ending)


def texts(most: int) -> st.SearchStrategy[ForeignText]:
    return typed.filter(lambda text: 1 <= len(text.encode()) <= most).map(ForeignText)


STATEMENTS: dict[type[Message], st.SearchStrategy[Message]] = {
    Sit: st.builds(Sit, texts(MAX_NAME)),
    Leave: st.builds(Leave),
    Seen: st.builds(Seen),
    Ready: st.builds(Ready, hashes),
    Toss: st.builds(Toss, hashes, hashes),
    Fist: st.builds(Fist, hashes),
    Speak: st.builds(Speak, spoken, st.none() | st.sampled_from(Direction)),
    Witness: st.builds(Witness),
    Open: st.builds(Open, st.integers(0, 2**53 - 1), hashes),
    Say: st.builds(Say, texts(MAX_TALK)),
    Gesticulate: st.builds(Gesticulate, st.sampled_from(Gesture)),
    Elect: st.builds(Elect, hashes),
    AwardFine: st.builds(AwardFine, hashes, st.sampled_from(Offence)),
    LiftFine: st.builds(LiftFine, st.integers(0, 2**53 - 1)),
    Order: st.builds(Order, st.sampled_from(Drink)),
    Vote: st.builds(Vote, st.sampled_from(Measure), hashes, st.booleans()),
    TableOpened: st.builds(
        TableOpened,
        st.integers(0, 2**16),
        hashes,
        texts(MAX_NAME),
        st.sampled_from([*PRESETS.values(), Rules.parse("milan cap=5")]),
        st.integers(2, 9),
        st.booleans(),
        st.integers(5, 3600),
        st.integers(0, 600),
        hashes,
    ),
    GameStarted: st.builds(GameStarted, st.lists(hashes, max_size=9).map(tuple)),
    Admitted: st.builds(Admitted, hashes),
    Decide: st.builds(Decide, st.sampled_from(Measure), hashes),
    Away: st.builds(Away, hashes),
    Back: st.builds(Back, hashes),
    Vacated: st.builds(Vacated, hashes),
    TimeUp: st.builds(TimeUp, hashes),
    HostMoved: st.builds(
        HostMoved,
        st.integers(0, 2**53 - 1),
        hashes,
        st.lists(st.builds(Backing, hashes, signatures), max_size=9).map(tuple),
    ),
}

STATEMENTS[TableContinued] = st.builds(
    TableContinued,
    STATEMENTS[TableOpened],
    hashes,
    st.integers(1, 2**53 - 1),
    hashes,
    st.none() | hashes,
    st.none() | hashes,
    st.lists(
        st.builds(Along, hashes, texts(MAX_NAME), st.none() | st.integers(0, 999), signatures),
        max_size=2,
    ).map(tuple),
    st.lists(hashes, max_size=9).map(tuple),
)

KNOWN = {**PLAYERS, **HOSTS}


def test_every_statement_is_here() -> None:
    assert set(STATEMENTS) == set(KNOWN.values())
    assert not set(PLAYERS) & set(HOSTS)


@pytest.mark.parametrize("kind", STATEMENTS, ids=lambda kind: kind.KIND)
@settings(max_examples=4)
@given(data=st.data())
def test_a_statement_is_read_as_it_was_written(kind: type[Message], data: st.DataObject) -> None:
    statement = data.draw(STATEMENTS[kind])
    assert read_message(KNOWN, unpack(pack(statement.packable()))) == statement


def test_the_longest_statements_fit_the_limit() -> None:
    longest = [
        Say(ForeignText("x" * MAX_TALK)),
        GameStarted(tuple(bytes(32) for _ in range(9))),
        Sit(ForeignText("x" * MAX_NAME)),
        HostMoved(2**53 - 1, bytes(32), (Backing(bytes(32), bytes(64)),) * 9),
    ]
    assert all(len(pack(each.packable())) < MAX_STATEMENT - 250 for each in longest)


@pytest.mark.parametrize(
    "raw",
    [
        ("sit", ""),
        ("sit", "x" * (MAX_NAME + 1)),
        ("sit", b"name"),
        ("leave", 1),
        ("ready", b"short"),
        ("toss", bytes(32), bytes(31)),
        ("fist", "x" * 32),
        ("word", -1, None),
        ("word", 1.5, None),
        ("word", True, None),
        ("word", "pass", None),
        ("word", None, None),
        ("word", 1, "clockwise"),
        ("word", 1, 1),
        ("word", 2**53, None),
        ("open", -1, bytes(32)),
        ("open", True, bytes(32)),
        ("open", 2**53, bytes(32)),
        ("say", ""),
        ("say", "x" * (MAX_TALK + 1)),
        ("gesture", "bow"),
        ("elect", b"short"),
        ("fine", bytes(32), "snoring"),
        ("fine", "x" * 32, "other"),
        ("lift", -1),
        ("lift", True),
        ("order", "beer"),
        ("table-opened", 1, bytes(32), "name", "whist", 9, True, bytes(32)),
        ("table-opened", 1, bytes(32), "name", "milan\n", 9, True, bytes(32)),
        ("table-opened", 1, bytes(32), "name", "milan " + "cap=3 " * 99, 9, True, bytes(32)),
        ("table-opened", 1, bytes(32), "name", "milan", 1, True, bytes(32)),
        ("table-opened", 1, bytes(32), "name", "milan", 10, True, bytes(32)),
        ("table-opened", 1, bytes(32), "name", "milan", 9, 1, bytes(32)),
        ("game-started", (bytes(32),) * 10),
        ("witness", 1),
        ("vote", "hang", bytes(32), True),
        ("vote", "mute", bytes(31), True),
        ("vote", "mute", bytes(32), 1),
        ("decide", "mute", bytes(32), True),
        ("admitted", b"short"),
        ("game-started", bytes(32)),
        ("away", None),
    ],
    ids=lambda raw: repr(raw)[:40],
)
def test_what_is_no_statement_is_malformed(raw: Any) -> None:
    with pytest.raises(Malformed):
        read_message(KNOWN, raw)


def test_a_secret_that_is_being_told_does_not_show_itself() -> None:
    assert repr(Open(3, b"n" * 32)) == "Open()"
    assert repr(Toss(b"s" * 32, b"n" * 32)) == "Toss()"
