"""The log: signed, chained, and the same for everybody."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.codec import pack, unpack
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Malformed
from protocol.limits import MAX_ENTRY, MAX_STATEMENT, MAX_TALK
from protocol.table.head import EMPTY, Head, Term
from protocol.table.log import Entry, Intent, Log
from protocol.table.statements import Away, GameStarted, Leave, Say
from tests.protocol.stories import Story, signing_key

TOLD = Story(2).ready(0, 1)
HOST = TOLD.host_key
NEXT = TOLD.entry(0, Leave())


def log() -> Log:
    return Log(TOLD.entries)


def resigned(blob: bytes, *payload: object, key: int = 0) -> bytes:
    """A blob of another payload with the signature of the first."""
    pair = unpack(blob)
    assert isinstance(pair, tuple)
    return pack((pack(payload), pair[1]))


# Intents


@pytest.mark.parametrize("read,most", [(Intent.read, MAX_STATEMENT), (Entry.read, MAX_ENTRY)])
def test_nothing_too_long_is_even_unpacked(read: type[Intent], most: int) -> None:
    with pytest.raises(Malformed, match=f"where {most} are the most"):
        read(bytes(most + 1))  # type: ignore[call-arg]


def test_the_longest_honest_entry_fits() -> None:
    said = TOLD.intent(0, Say(ForeignText("x" * MAX_TALK)), sequence=2**53 - 1)
    entry = Entry.sign(HOST, 0, Head(2**53 - 1, bytes(32)), 2**53 - 1, said)
    started = Entry.sign(HOST, 0, TOLD.table.head, 1, GameStarted((bytes(32),) * 9))
    assert len(said.blob) <= MAX_STATEMENT
    assert max(len(entry.blob), len(started.blob)) <= MAX_ENTRY


# Entries


def test_the_first_entry_names_its_host_itself() -> None:
    assert Entry.read(TOLD.entries[0].blob) == TOLD.entries[0]
    with pytest.raises(Malformed, match="begins with the opening"):
        Entry.read(TOLD.entries[1].blob)


def test_nobody_opens_a_table_in_the_name_of_another_host() -> None:
    forged = Entry.sign(signing_key(1), 0, EMPTY, 0, TOLD.table.opened)
    with pytest.raises(Malformed, match="not the host's"):
        Entry.read(forged.blob)


def test_a_host_cannot_put_words_into_a_mouth() -> None:
    mine = Intent.sign(HOST, 9, TOLD.table.head, Leave())
    forged = replace(mine, blob=resigned(mine.blob, NEXT.intent and NEXT.intent.author, 9, 0, 0))
    with pytest.raises(Malformed):
        Entry.read(Entry.sign(HOST, 0, TOLD.table.head, 0, forged).blob, HOST.public)


# The chain


@pytest.mark.parametrize("seen", [Head(5, bytes(32)), Head(6, bytes(32))])
def test_a_log_breaks_where_an_author_saw_another_one(seen: Head) -> None:
    broken, said = log(), TOLD.intent(0, Leave(), seen=seen)
    with pytest.raises(BrokenLog, match="two stories are being told"):
        broken.append(Entry.sign(HOST, 0, TOLD.table.head, TOLD.table.time + 1, said))
    assert list(broken) == TOLD.entries


def test_a_log_holds_its_own_beginnings_and_no_others() -> None:
    assert all(log().holds(entry.head) for entry in TOLD.entries)
    assert log().holds(EMPTY)
    assert not log().holds(Head(0, b"x" * 32))
    assert not log().holds(Head(4, TOLD.entries[4].hash))
    assert not log().holds(NEXT.head)


# What two logs share


def told(*terms: tuple[int, int], length: int) -> Log:
    """A log whose epochs begin at these positions; nothing else about it is checked."""
    log, starts = Log(), {start: epoch for epoch, start in terms}
    epoch, head = 0, EMPTY
    for position in range(length):
        epoch = starts.get(position, epoch)
        entry = Entry.sign(signing_key(255), epoch, head, 0, Away(bytes([epoch]) * 32))
        log.append(entry)
        head = entry.head
    return log


def test_a_log_knows_whose_entries_it_holds() -> None:
    log = told((0, 0), (3, 4), length=9)
    assert list(log.terms) == [Term(0, 0), Term(3, 4)]
    log.cut(4)
    assert list(log.terms) == [Term(0, 0)]


def test_what_was_said_under_a_host_that_nobody_followed_is_not_shared() -> None:
    mine, theirs = told((0, 0), (3, 8), length=12), told((0, 0), (1, 7), length=15)
    assert mine.common(theirs.terms, len(theirs)) == 7


def test_what_an_older_host_said_last_to_one_only_is_not_shared() -> None:
    mine, theirs = told((0, 0), (1, 5), length=9), told((0, 0), length=8)
    assert mine.common(theirs.terms, len(theirs)) == 5


def test_a_log_without_a_later_host_is_no_better_than_another() -> None:
    mine, theirs = told((0, 0), length=9), told((0, 0), (1, 5), length=8)
    assert mine.common(theirs.terms, len(theirs)) is None
    assert mine.common(mine.terms, 5) is None
    assert mine.common((), 0) is None


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 30)), max_size=5), st.integers(0, 40))
def test_whatever_reigns_somebody_names_no_more_is_shared_than_both_have(
    terms: list[tuple[int, int]], length: int
) -> None:
    mine = told((0, 0), (2, 4), (6, 9), length=12)
    shared = mine.common([Term(*each) for each in terms], length)
    assert shared is None or shared <= len(mine)
