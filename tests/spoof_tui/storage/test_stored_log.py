"""The entries of a table as its log on the disk has them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.codec import pack
from protocol.table.announcements import GameStarted
from protocol.table.log import Entry
from spoof_tui.storage.stored_log import CUT, folded, read_entries, read_number, write_cut
from tests.helpers.tables import MemoryTable


def played() -> MemoryTable:
    """A table at which one game is over."""
    table = MemoryTable(3, seed=5)
    table.ready()
    table.play_on()
    return table


TABLE = played()
WHOLE = list(TABLE.host.log)
BLOBS = [entry.blob for entry in WHOLE]

lengths = st.integers(1, len(WHOLE))


def test_a_whole_log_is_read_whole_and_says_its_table() -> None:
    assert read_entries(BLOBS) == WHOLE
    assert folded(WHOLE) == TABLE.host.table


def test_nothing_that_was_stored_says_no_table() -> None:
    assert read_entries([]) == []
    assert folded([]) is None


@given(lengths)
def test_a_log_with_a_gap_ends_before_it(gap: int) -> None:
    assert read_entries([*BLOBS[:gap], *BLOBS[gap + 1 :]]) == WHOLE[:gap]


@given(lengths, lengths)
def test_what_was_fetched_anew_behind_a_gap_is_read(gap: int, again: int) -> None:
    torn = [*BLOBS[:gap], *BLOBS[gap + 1 :]]
    assert read_entries([*torn, *BLOBS[min(gap, again) :]]) == WHOLE


@given(lengths, st.binary(max_size=40))
def test_what_is_no_entry_is_passed_over(place: int, garbage: bytes) -> None:
    assert read_entries([*BLOBS[:place], garbage, *BLOBS[place:]]) == WHOLE


@given(lengths, lengths)
def test_a_cut_drops_what_stands_before_it(stored: int, kept: int) -> None:
    some = BLOBS[:stored]
    length = min(stored, kept)
    assert read_entries([*some, write_cut(length)]) == WHOLE[:length]
    assert read_entries([*some, write_cut(length), *BLOBS[length:]]) == WHOLE


@pytest.mark.parametrize("length", [0, 10_000])
def test_a_cut_to_a_length_that_is_none_is_passed_over(length: int) -> None:
    assert read_entries([*BLOBS, write_cut(length)]) == WHOLE


def test_what_the_rules_forbid_is_not_read() -> None:
    head, time = TABLE.host.log.head, TABLE.host.table.time
    forged = Entry.sign(TABLE.host_key, 0, head, time, GameStarted(()))
    assert read_entries([*BLOBS, forged.blob]) == WHOLE


def test_a_log_of_another_host_is_not_read_on() -> None:
    other = [entry.blob for entry in MemoryTable(1, seed=6).host.log]
    assert read_entries([BLOBS[0], *other[1:]]) == WHOLE[:1]


@given(st.integers(0, 2**53 - 1))
def test_a_number_is_read_by_the_name_with_which_it_was_written(number: int) -> None:
    assert read_number(CUT, write_cut(number)) == number
    assert read_number("promise", write_cut(number)) is None


@pytest.mark.parametrize("raw", [3, ("cut",), ("cut", "3"), ("cut", -1), ("cut", 3, 4)])
def test_what_no_program_wrote_is_no_number(raw: object) -> None:
    assert read_number(CUT, pack(raw)) is None
    assert read_number(CUT, b"\xc1") is None
