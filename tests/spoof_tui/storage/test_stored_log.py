"""The entries of a table's log on disk, and where the log of an old one is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol.encoding.framing import frame
from protocol.table.log import Entry
from protocol.table.statements import GameStarted
from spoof_tui.storage import paths
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.journal import Journal
from spoof_tui.storage.stored_log import old_log, read_entries
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.storage.played import BLOBS, ID, PARTED, TABLE, THIRD, WHOLE

lengths = st.integers(1, len(WHOLE))


@given(lengths, lengths)
def test_a_log_ends_before_a_gap_unless_what_is_missing_was_fetched_anew(
    gap: int, again: int
) -> None:
    torn = [*BLOBS[:gap], *BLOBS[gap + 1 :]]
    assert read_entries(torn) == WHOLE[:gap]
    assert read_entries([*torn, *BLOBS[min(gap, again) :]]) == WHOLE


@given(lengths, st.binary(max_size=40))
def test_what_is_no_entry_is_passed_over(place: int, garbage: bytes) -> None:
    assert read_entries([*BLOBS[:place], garbage, *BLOBS[place:]]) == WHOLE


@given(st.integers(0, 3), st.booleans(), st.booleans(), st.booleans(), st.binary(max_size=40))
def test_what_another_host_says_counts_once_the_table_has_moved_to_it(
    written: int, is_third: bool, goes_on: bool, comes_again: bool, garbage: bytes
) -> None:
    """A crash leaves any part of what was written in one go."""
    shared, lost, other = PARTED
    *_, last = lost
    stored = lost[:-1] if goes_on else lost
    third = [THIRD] if is_third else []
    kept = [*stored, *third, *other[shared : shared + written]]
    expected = other if written == 3 else stored
    if goes_on and written < 3:
        kept, expected = [*kept, last], lost
    if comes_again:
        kept, expected = [*kept, *other[shared:]], other
    blobs = [blob for entry in kept for blob in (garbage, entry.blob)]
    assert read_entries(blobs) == expected


def test_no_other_table_takes_the_place_of_a_log() -> None:
    *_, other = PARTED
    assert read_entries([*BLOBS, *(entry.blob for entry in other)]) == WHOLE


def test_what_the_rules_forbid_and_what_another_host_says_is_not_read() -> None:
    head, time = TABLE.host.log.head, TABLE.host.table.time
    forged = Entry.sign(TABLE.host_key, 0, head, time, GameStarted(()))
    assert read_entries([*BLOBS, forged.blob]) == WHOLE
    other = [entry.blob for entry in MemoryTable(1, seed=6).host.log]
    assert read_entries([BLOBS[0], *other[1:]]) == WHOLE[:1]


# Where the log of an old table is


def saved(path: Path, length: int = len(BLOBS)) -> Path:
    path.write_bytes(b"".join(map(frame, BLOBS[:length])))
    return path


PLACES: list[Callable[[Path], Path | None]] = [
    lambda folder: saved(folder / "any.name"),
    lambda folder: saved(folder / "old.log").with_name("new.log"),
    lambda _: saved(paths.games_folder() / "a-game.log") and None,
    lambda _: Journal(ID, bytes(32)).write(*WHOLE),
]


@pytest.mark.parametrize("put", PLACES, ids=["named", "beside", "archive", "seat"])
def test_the_log_of_an_old_table_is_found(
    put: Callable[[Path], Path | None], tmp_path: Path
) -> None:
    beside = put(tmp_path)
    assert old_log(ID, 1, [beside] if beside else []) == WHOLE


def test_of_several_logs_it_is_the_first_that_is_long_enough_or_else_the_longest(
    tmp_path: Path,
) -> None:
    several = [saved(tmp_path / f"{length}.log", length) for length in (2, 5, 3)]
    saved(paths.games_folder() / "7.log", 7)
    for least, found in ((2, 2), (3, 5), (5, 5), (6, 7), (9, 7)):
        assert old_log(ID, least, several) == WHOLE[:found]


def test_nothing_else_is_taken_for_it(tmp_path: Path) -> None:
    (tmp_path / "noise.log").write_bytes(b"\n" * 9000)
    (tmp_path / "folder.log").mkdir()
    other = MemoryTable(1, seed=6).host.log
    Frames(tmp_path / "other.log").append(*(entry.blob for entry in other))
    assert old_log(ID, 1, [tmp_path / "missing.log"]) is None
