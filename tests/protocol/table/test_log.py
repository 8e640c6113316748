"""The log: signed, chained, and the same for everybody."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.seals import HASH_BYTES
from protocol.encoding.codec import pack, unpack
from protocol.encoding.untrusted import ForeignText
from protocol.errors import BrokenLog, Malformed
from protocol.limits import MAX_ENTRY, MAX_STATEMENT, MAX_TALK
from protocol.table.announcements import Away, GameStarted
from protocol.table.head import EMPTY, Head, Term
from protocol.table.log import Entry, Intent, Log
from protocol.table.statements import Leave, Say
from tests.protocol.stories import Story, signing_key, very_few

TOLD = Story(2).ready(0, 1)
HOST = TOLD.host_key
SAID = TOLD.intent(0, Say(ForeignText("hello")))
NEXT = TOLD.entry(0, Leave())


def log() -> Log:
    return Log(TOLD.entries)


def damaged(blob: bytes, bit: int) -> bytes:
    return (int.from_bytes(blob, "big") ^ (1 << bit % (len(blob) * 8))).to_bytes(len(blob), "big")


def resigned(blob: bytes, *payload: object, key: int = 0) -> bytes:
    """A blob of another payload with the signature of the first."""
    pair = unpack(blob)
    assert isinstance(pair, tuple)
    return pack((pack(payload), pair[1]))


# Intents


def test_an_intent_is_read_as_it_was_signed() -> None:
    assert Intent.read(SAID.blob) == SAID
    assert SAID.author == signing_key(0).public


@very_few
@given(st.integers(0, 10**6))
def test_no_bit_of_an_intent_may_turn(bit: int) -> None:
    with pytest.raises(Malformed):
        Intent.read(damaged(SAID.blob, bit))


@pytest.mark.parametrize(
    "payload",
    [
        (signing_key(1).public, 4, 5, bytes(32), ("leave",)),
        (signing_key(0).public, 4, 5, bytes(32), ("leave",), 0),
        (signing_key(0).public, -1, 5, bytes(32), ("leave",)),
        (signing_key(0).public, 4, True, bytes(32), ("leave",)),
        (signing_key(0).public, 4, 5, bytes(31), ("leave",)),
        (b"", 4, 5, bytes(32), ("leave",)),
        (signing_key(0).public, 4, 5, bytes(32), ("away", bytes(32))),
    ],
)
def test_an_intent_of_other_contents_is_malformed(payload: tuple[object, ...]) -> None:
    with pytest.raises(Malformed):
        Intent.read(resigned(SAID.blob, *payload))


def test_what_only_a_host_states_is_no_intent_whoever_signs_it() -> None:
    with pytest.raises(Malformed, match="no message is called"):
        Intent.read(Intent.sign(signing_key(0), 9, EMPTY, Away(bytes(32))).blob)


def test_an_intent_and_an_entry_are_not_taken_for_each_other() -> None:
    with pytest.raises(Malformed):
        Entry.read(SAID.blob, HOST.public)
    with pytest.raises(Malformed):
        Intent.read(NEXT.blob)


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


def test_an_entry_is_read_as_it_was_signed() -> None:
    assert [Entry.read(e.blob, HOST.public) for e in TOLD.entries] == TOLD.entries


def test_the_first_entry_names_its_host_itself() -> None:
    assert Entry.read(TOLD.entries[0].blob) == TOLD.entries[0]
    with pytest.raises(Malformed, match="begins with the opening"):
        Entry.read(TOLD.entries[1].blob)


def test_nobody_opens_a_table_in_the_name_of_another_host() -> None:
    forged = Entry.sign(signing_key(1), 0, EMPTY, 0, TOLD.table.opened)
    with pytest.raises(Malformed, match="not the host's"):
        Entry.read(forged.blob)


def test_only_the_host_signs_entries() -> None:
    forged = Entry.sign(signing_key(1), 0, TOLD.table.head, TOLD.table.time, SAID)
    with pytest.raises(Malformed, match="not the host's"):
        Entry.read(forged.blob, HOST.public)


@pytest.mark.parametrize("purpose", [b"spoof intent 1", b"spoof hello 1", b"spoof entry hash 1"])
def test_a_signature_for_another_purpose_makes_no_entry(purpose: bytes) -> None:
    pair = unpack(NEXT.blob)
    assert isinstance(pair, tuple) and HOST.sign(b"spoof entry 1", NEXT.hash) == pair[1]
    with pytest.raises(Malformed, match="not the host's"):
        Entry.read(pack((pair[0], HOST.sign(purpose, NEXT.hash))), HOST.public)


@pytest.mark.parametrize("purpose", [b"spoof entry 1", b"spoof hello 1"])
def test_a_signature_for_another_purpose_makes_no_intent(purpose: bytes) -> None:
    pair = unpack(SAID.blob)
    assert isinstance(pair, tuple)
    assert signing_key(0).sign(b"spoof intent 1", pair[0]) == pair[1]
    with pytest.raises(Malformed, match="not its author's"):
        Intent.read(pack((pair[0], signing_key(0).sign(purpose, pair[0]))))


@very_few
@given(st.integers(0, 10**6))
def test_no_bit_of_an_entry_may_turn(bit: int) -> None:
    with pytest.raises(Malformed):
        Entry.read(damaged(NEXT.blob, bit), HOST.public)


def test_a_host_cannot_put_words_into_a_mouth() -> None:
    mine = Intent.sign(HOST, 9, TOLD.table.head, Leave())
    forged = replace(mine, blob=resigned(mine.blob, NEXT.intent and NEXT.intent.author, 9, 0, 0))
    with pytest.raises(Malformed):
        Entry.read(Entry.sign(HOST, 0, TOLD.table.head, 0, forged).blob, HOST.public)


# The chain


def test_a_log_ends_with_its_last_entry() -> None:
    assert Log().head == EMPTY == Head(0, bytes(HASH_BYTES))
    assert log().head == TOLD.entries[-1].head == TOLD.table.head
    assert (len(log()), list(log()), log()[1]) == (5, TOLD.entries, TOLD.entries[1])


def test_the_next_entry_is_added() -> None:
    grown = log()
    grown.append(NEXT)
    assert grown.head == NEXT.head
    assert grown[-1:] == [NEXT]


OTHER_STORY = TOLD.intent(0, Leave(), seen=Head(5, bytes(32)))
BEYOND = TOLD.intent(0, Leave(), seen=Head(6, bytes(32)))
LATER = TOLD.table.time + 1

BREAKS = {
    "repeated": TOLD.entries[-1],
    "left out": Entry.sign(HOST, 0, Head(6, NEXT.hash), LATER, SAID),
    "of another chain": Entry.sign(HOST, 0, Head(5, bytes(32)), LATER, SAID),
    "older than the last": Entry.sign(HOST, 0, TOLD.table.head, TOLD.table.time - 1, SAID),
    "by one who saw another log": Entry.sign(HOST, 0, TOLD.table.head, LATER, OTHER_STORY),
    "by one who saw the future": Entry.sign(HOST, 0, TOLD.table.head, LATER, BEYOND),
}


@pytest.mark.parametrize("name", BREAKS)
def test_a_log_breaks_at_an_entry_that_is(name: str) -> None:
    broken = log()
    with pytest.raises(BrokenLog) as error:
        broken.append(BREAKS[name])
    assert error.value.position == 5
    assert list(broken) == TOLD.entries


@pytest.mark.parametrize("first,second", [(1, 2), (2, 3), (3, 4)])
def test_two_entries_cannot_change_places(first: int, second: int) -> None:
    entries = list(TOLD.entries)
    entries[first], entries[second] = entries[second], entries[first]
    with pytest.raises(BrokenLog):
        Log(entries)


def test_a_log_holds_its_own_beginnings_and_no_others() -> None:
    assert all(log().holds(entry.head) for entry in TOLD.entries)
    assert log().holds(EMPTY)
    assert not log().holds(Head(0, b"x" * 32))
    assert not log().holds(Head(4, TOLD.entries[4].hash))
    assert not log().holds(NEXT.head)


# What two logs share


def told(*terms: tuple[int, int], length: int) -> Log:
    """A log whose epochs begin at these positions; nothing else of it is checked."""
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
