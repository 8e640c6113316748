"""Judging a stored log: what it reports, and that nothing in it can be changed unseen."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.crypto.seals import digest
from protocol.encoding.codec import Message, pack, unpack
from protocol.encoding.framing import frame
from protocol.encoding.untrusted import ForeignText
from protocol.errors import Malformed
from protocol.limits import MAX_ENTRY
from protocol.rules.words import Bid, Ending
from protocol.table import verify as verifying
from protocol.table.fold import fold
from protocol.table.head import EMPTY, Head
from protocol.table.log import Entry, Intent, Log
from protocol.table.state import Table
from protocol.table.statements import Away, Decide, GameStarted, Leave, Measure, Open, Say, Vote
from protocol.table.verify import Blame, Flaw, LogFault, LogReport, fault_of, verify
from protocol.version import PROTOCOL
from tests.protocol.stories import Story, few, signing_key

HEADER = 4
"""Bytes of a frame's length."""


def stored(entries: list[Entry]) -> bytes:
    return b"".join(frame(entry.blob) for entry in entries)


def faulty(verdict: LogReport) -> LogFault:
    assert verdict.fault is not None
    return verdict.fault


def found(data: bytes) -> tuple[int, Flaw]:
    """Where the fault is, and which one."""
    fault = faulty(verify([data]))
    return fault.entry, fault.flaw


@functools.cache
def two_games() -> Story:
    """A game that is over and one in its first bids, with people who come and go."""
    story = Story(2).start(0, 1).play_on(1)
    story.tell(0, Say(ForeignText("\x1b[2J"))).sit(2).tell(2, Leave())
    story.start(0, 1)
    story.toss(*(who for who in (0, 1) if story.table.phase.value == "lot"))
    return story.fists(1, 1).say(Bid(1))


@functools.cache
def short() -> list[Entry]:
    """The opening, somebody who sits down, and two words of the host."""
    away = Away(signing_key(0).public)
    return Story(1, seats=2).tell(None, away).entries


def refolded(entries: list[Entry]) -> Table:
    table = None
    for entry in entries:
        table = fold(table, entry)
    assert table is not None
    return table


def borders(entries: list[Entry]) -> list[int]:
    """Where the frames begin, and where the last one ends."""
    ends = [0]
    for entry in entries:
        ends.append(ends[-1] + HEADER + len(entry.blob))
    return ends


def holder(entries: list[Entry], at: int) -> int:
    """The entry that a byte belongs to."""
    return sum(end <= at for end in borders(entries)) - 1


# The report


def test_a_log_that_holds_together_tells_its_games() -> None:
    story = two_games()
    verdict = verify([stored(story.entries)])
    assert verdict.holds and verdict.fault is None
    assert verdict.length == len(story.entries)
    assert verdict.table == story.table
    assert [game.number for game in verdict.games] == [1, 2]
    assert verdict.games[0].winner is not None
    assert verdict.running == verdict.games[1] == story.game


def test_a_measure_is_told_when_it_is_carried_and_when_somebody_goes() -> None:
    bad = signing_key(2).public
    story = Story(3).start(0, 1, 2).toss(0, 1, 2)
    story.tell(0, Vote(Measure.MUTE, bad, True)).tell(1, Vote(Measure.MUTE, bad, True))
    story.fists(1, 1, 1).tell(None, Decide(Measure.REMOVE, bad)).say(Ending.SPOOF).open()
    wish, muted, going, gone = verify([stored(story.entries)]).happenings
    assert (wish.carried, wish.gone) == ((), ())
    assert muted.carried == ((Measure.MUTE, bad),)
    assert (going.author, going.carried, going.gone) == (None, ((Measure.REMOVE, bad),), ())
    assert isinstance(gone.statement, Open)
    assert (gone.carried, gone.gone) == ((), (bad,))


def test_reading_stops_at_the_first_fault() -> None:
    def endless() -> Iterator[bytes]:
        yield stored(short())
        yield b"\xff" * 8
        raise AssertionError("read on after a fault")

    assert verify(endless()).length == len(short())


# Cut, torn, and with something behind


def test_a_log_that_is_cut_anywhere_else_ends_in_the_middle_of_an_entry() -> None:
    data, ends = stored(short()), borders(short())
    for at in range(1, len(data)):
        if at not in ends:
            assert found(data[:at]) == (holder(short(), at), Flaw.TORN)


@few
@given(st.binary(min_size=1, max_size=300))
def test_what_is_no_log_is_said_to_be_none(data: bytes) -> None:
    assert not verify([data]).holds
    assert found(frame(data)) == (0, Flaw.NO_OPENING)


@pytest.mark.parametrize("length", [0, MAX_ENTRY + 1, 2**32 - 1])
def test_an_impossible_length_is_not_waited_for(length: int) -> None:
    data = stored(short()) + length.to_bytes(HEADER, "big")
    assert found(data) == (3, Flaw.LENGTH)


def test_a_log_that_is_too_long_is_not_read_to_its_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "MAX_LOG", 2)
    assert found(stored(short())) == (2, Flaw.TOO_MANY)


# Bits and fields


def test_every_byte_of_a_move_counts() -> None:
    for log, table, entry in places(moved().entries):
        for at in range(len(entry.blob)) if entry.epoch > table.epoch else ():
            blob = bytearray(entry.blob)
            blob[at] ^= 1 << at % 8
            fault = fault_of(log, table, bytes(blob))
            assert fault and fault.flaw.blame is Blame.FILE, at


@given(st.data())
def test_any_bytes_that_are_changed_are_found_at_the_first_of_them(draw: st.DataObject) -> None:
    entries = two_games().entries
    data = stored(entries)
    at = draw.draw(st.integers(0, len(data) - 1))
    size = draw.draw(st.integers(1, min(8, len(data) - at)))
    other = draw.draw(st.binary(min_size=size, max_size=size))
    changed = [at + i for i in range(size) if data[at + i] != other[i]]
    verdict = verify([data[:at] + other + data[at + size :]])
    assert verdict.holds == (not changed)
    if changed:
        assert faulty(verdict).entry == holder(entries, changed[0])


def changed(value: object) -> Iterator[object]:
    """`value` with one field changed, for each field that is packed anywhere inside."""
    if isinstance(value, bytes):
        try:
            inner = unpack(value)
        except Malformed:
            inner = None
        if isinstance(inner, tuple):
            yield from map(pack, changed(inner))
        else:
            yield value[:-1] + bytes([value[-1] ^ 1])
    elif isinstance(value, tuple):
        for index, each in enumerate(value):
            for other in changed(each):
                yield (*value[:index], other, *value[index + 1 :])
            yield (*value[:index], *value[index + 1 :])
        yield (*value, 0)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from {value + 1, max(value - 1, 0)} - {value}
    elif isinstance(value, str):
        yield value + "x"
    else:
        assert value is None
        yield ">"


def resigned(blob: bytes) -> bytes:
    """An entry that the host signed again, whatever it says."""
    signed = unpack(blob)
    assert isinstance(signed, tuple)
    payload = signed[0]
    hash_ = digest(b"spoof entry hash 1", (payload,))
    return pack((payload, signing_key(255).sign(b"spoof entry 1", hash_)))


def places(entries: list[Entry]) -> Iterator[tuple[Log, Table, Entry]]:
    """Every entry but the first, with the log and the table before it."""
    log, table = Log(entries[:1]), fold(None, entries[0])
    for entry in entries[1:]:
        yield log, table, entry
        log.append(entry)
        table = fold(table, entry)


def test_not_even_the_host_can_change_a_field_of_what_a_player_said() -> None:
    for log, table, entry in places(two_games().entries):
        payload = unpack(unpack(entry.blob)[0])  # type: ignore[index]
        assert isinstance(payload, tuple)
        for content in changed(payload[-1]) if entry.intent else ():
            said = resigned(pack((pack((*payload[:-1], content)), bytes(64))))
            fault = fault_of(log, table, said)
            assert fault and fault.flaw in (Flaw.FORGED, Flaw.MISSHAPEN)
            assert fault.flaw.blame is Blame.HOST


def test_a_host_that_signs_a_changed_entry_anew_breaks_its_own_chain() -> None:
    entries = two_games().entries
    for log, table, entry in list(places(entries[:-1])):
        for other in changed(entry.blob):
            assert isinstance(other, bytes)
            if len(unpack(other)) != 2 or unpack(other)[0] == unpack(entry.blob)[0]:  # type: ignore
                continue
            said = resigned(other)
            before = Log(log[: entry.position])
            if fault_of(before, table, said) is None:
                lie = Entry.read(said, table.host)
                before.append(lie)
                after = entries[entry.position + 1]
                assert fault_of(before, fold(table, lie), after.blob) is not None


# Whole entries


def test_an_entry_that_is_missing_is_a_gap() -> None:
    entries = two_games().entries
    for number in range(1, len(entries) - 1):
        data = stored([*entries[:number], *entries[number + 1 :]])
        assert found(data) == (number, Flaw.GAP)


def test_an_entry_that_stands_twice_is_said_to() -> None:
    entries = two_games().entries
    for number in range(len(entries)):
        assert found(stored([*entries, entries[number]])) == (len(entries), Flaw.REPEATED)


# What a host signs and must not, and what anybody may sign


@functools.cache
def moved() -> Story:
    """A game led by three hosts, the last of whom was also the first."""
    story = Story(3).sit(255).start(0, 1, 2).toss(0, 1, 2).fists(1, 0, 2).say(Bid(1))
    story.move(1, 0, 1, 2).tell(None, Away(signing_key(2).public)).say(Bid(2))
    return story.move(255, 0, 1, 2).say(Ending.CALL).witness()


HM = Say(ForeignText("hm"))
AWAY = Away(bytes(32))


def signed(
    story: Story, said: Intent | Message, after: Head | None = None, late: int = 0, **by: int
) -> Entry:
    """One more entry of a story, by its host or another one, at this place."""
    key, epoch = signing_key(by.get("by", 255)), by.get("epoch", 0)
    return Entry.sign(key, epoch, after or story.table.head, story.table.time + late, said)


def forged() -> Intent:
    intent = two_games().intent(0, HM)
    pair = unpack(intent.blob)
    assert isinstance(pair, tuple)
    return replace(intent, blob=pack((pair[0], bytes(64))))


def other_log() -> Intent:
    return two_games().intent(0, HM, seen=Head(3, b"x" * 32))


FIRST_MOVE: Final = next(entry.position for entry in moved().entries if entry.epoch == 1)

LIES: dict[str, tuple[Story, Callable[[Story], Entry], Flaw, dict[str, int]]] = {
    "another entry for a place": (
        two_games(), lambda s: signed(s, AWAY, s.entries[4].head), Flaw.TWO_ENTRIES, {"position": 5}
    ),
    "another past": (
        two_games(), lambda s: signed(s, AWAY, Head(len(s.entries), bytes(32))),
        Flaw.TWO_PASTS, {"position": len(two_games().entries) - 1},
    ),
    "an author who saw another log": (
        two_games(), lambda s: signed(s, other_log()), Flaw.OTHER_LOG, {"length": 3}
    ),
    "an older time": (
        two_games(), lambda s: signed(s, s.intent(0, HM), late=-1), Flaw.OLDER, {}
    ),
    "a forged word": (two_games(), lambda s: signed(s, forged()), Flaw.FORGED, {}),
    "a stranger": (two_games(), lambda s: signed(s, GameStarted(()), by=77), Flaw.UNSIGNED, {}),
    "another table of the same host": (
        two_games(), lambda _: Story(2, salt=99).entries[1], Flaw.TWO_ENTRIES, {"position": 1}
    ),
    "an older host": (
        moved(), lambda s: signed(s, s.intent(0, HM), by=1, epoch=2), Flaw.UNSIGNED, {}
    ),
    "what a host signed before the table moved": (
        moved(), lambda s: signed(s, AWAY, moved().entries[FIRST_MOVE - 1].head),
        Flaw.OVERTAKEN, {"epoch": 0},
    ),
    "two entries of one place and epoch, whoever was host meanwhile": (
        moved(), lambda s: signed(s, AWAY, s.entries[4].head), Flaw.TWO_ENTRIES, {"position": 5}
    ),
    "a move that turns time back": (
        moved(), lambda s: signed(s, s.moving(1, 0, 1, 2), late=-1, by=1, epoch=3),
        Flaw.NOT_MOVED, {},
    ),
}  # fmt: skip
"""Entries after a log, the flaw of each, and the report on it."""


@pytest.mark.parametrize("what", LIES)
def test_an_entry_does_not_follow_that_is(what: str) -> None:
    story, made, flaw, values = LIES[what]
    fault = faulty(verify([stored([*story.entries, made(story)])]))
    assert (fault.entry, fault.flaw) == (len(story.entries), flaw)
    assert {name: fault.values[name] for name in values} == values
    if flaw is Flaw.OTHER_LOG:
        assert (fault.author, fault.statement) == (signing_key(0).public, HM)


@pytest.mark.parametrize(
    ("after", "protocol", "flaw"),
    [
        (EMPTY, PROTOCOL + 1, Flaw.OTHER_VERSION),
        (Head(0, b"x" * 32), PROTOCOL, Flaw.NO_OPENING),
        (Head(4, b"x" * 32), PROTOCOL, Flaw.GAP),
    ],
)
def test_a_log_is_opened_at_its_beginning_in_this_version(
    after: Head, protocol: int, flaw: Flaw
) -> None:
    opened = replace(Story(0).table.opened, protocol=protocol)
    assert found(stored([Entry.sign(signing_key(255), 0, after, 0, opened)])) == (0, flaw)


def test_a_move_from_an_earlier_entry_is_not_the_end_of_this_file() -> None:
    story = moved().copy()
    twin = story.copy()
    twin.entries = twin.entries[:-2]
    twin.table = refolded(twin.entries)
    move = twin.moved_entry(twin.moving(1, 0, 1, 2), 1)
    assert found(stored([*story.entries, move])) == (len(story.entries), Flaw.NOT_MOVED)
    assert verify([stored([*twin.entries, move])]).holds
