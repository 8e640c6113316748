"""What a participant keeps of a table, and what is left of it after a crash at any byte."""

from __future__ import annotations

import itertools
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from protocol.crypto.seals import SealedHand, SealedShare, SealPlace
from protocol.encoding.codec import pack
from protocol.encoding.untrusted import ForeignText
from protocol.guest.effects import Depart, Promise
from protocol.table.log import Entry, Intent
from protocol.table.statements import Sit
from protocol.timeouts import SUPPORT_DELAY
from spoof_tui.storage import paths
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.journal import (
    EvidenceStore,
    HostingTerms,
    Journal,
    JournalRecord,
    Kept,
    SeatStore,
    assumed_terms,
    is_seated,
    journals,
    open_journal,
    seat_of,
)
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.storage.failing_disk import room_for, syncs
from tests.spoof_tui.storage.played import ID, PARTED, TABLE, WHOLE

KEY = bytes(range(32))
PLACE = SealPlace(ID, 1, 2, KEY)
HAND, SHARE = SealedHand(PLACE, 3, b"m" * 32), SealedShare(PLACE, bytes(32), b"n" * 32)
TERMS = HostingTerms("Olha", 2, None, 7763, is_public=True)
ALL = Kept(tuple(WHOLE), (HAND,), 3, b"x", TERMS)

numbers = itertools.count(1)
steps = st.sampled_from(["entry"] * 4 + ["hand", "share", "promise", "leave", "return"])


def path_of(key: bytes) -> Path:
    return paths.table_folder(ID) / f"{key.hex()[:16]}.journal"


def record_of(step: str, number: int, entries: int) -> JournalRecord:
    records: dict[str, JournalRecord] = {
        "entry": WHOLE[entries % len(WHOLE)],
        "hand": HAND,
        "share": SHARE,
        "promise": Promise(7 * number % 5),
        "leave": Depart(bytes([number])),
        "return": Depart(None),
    }
    return records[step]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(steps, max_size=14), st.integers(0, 9999))
@example(["promise", "leave", "return", "leave"], 0)
def test_after_a_crash_at_any_byte_there_is_what_was_kept_before_it_and_all_goes_on(
    state: Path, steps: list[str], lost: int
) -> None:
    key = next(numbers).to_bytes(8, "big") + bytes(24)
    store, path = Journal(ID, key), path_of(key)
    had = [(0, Kept())]
    for number, step in enumerate(steps):
        store.write(record_of(step, number, len(had[-1][1].entries)))
        had.append((path.stat().st_size if path.exists() else 0, Journal(ID, key).read()))
    assert store.read() == had[-1][1]
    store.close()
    size = max(0, had[-1][0] - lost % (had[-1][0] + 1))
    if path.exists():
        path.write_bytes(path.read_bytes()[:size])
    store = Journal(ID, key)
    assert store.read() == [kept for whole, kept in had if whole <= size][-1]
    store.write(*WHOLE, Promise(9), HAND)
    again = Journal(ID, key).read()
    assert (list(again.entries), again.promised, again.secrets[-1]) == (WHOLE, 9, HAND)


def test_a_host_and_its_seat_write_each_entry_once() -> None:
    store = Journal(ID, KEY)
    store.write(*WHOLE[:3])
    size = path_of(KEY).stat().st_size
    store.write(*WHOLE[:3])
    assert path_of(KEY).stat().st_size == size
    Journal(ID, KEY).write(*WHOLE[1:4])
    # Of two programs, the one that started first does not know what the other wrote.
    store.write(*WHOLE[3:])
    assert list(Journal(ID, KEY).read().entries) == WHOLE


def test_what_a_later_host_says_takes_the_place_of_what_was_there() -> None:
    shared, lost, other = PARTED
    store = Journal(ID, KEY)
    for entry in (*lost, *other[shared:], *other):
        store.write(entry)
    assert list(Journal(ID, KEY).read().entries) == other
    assert len(Frames(path_of(KEY)).read()) == len(lost) + len(other) - shared


def test_what_a_host_could_not_write_in_time_counts_for_nothing_behind_a_later_one() -> None:
    """Its own seat follows that one by then, and the disk has room again."""
    shared, lost, other = PARTED
    store = Journal(ID, KEY)
    store.write(*other)
    store.write(*lost[shared:])
    store.write(*other)
    assert list(store.read().entries) == list(Journal(ID, KEY).read().entries) == other
    assert len(Frames(path_of(KEY)).read()) == len(other) + len(lost) - shared


@pytest.mark.unix("folders that are put on the disk")
def test_what_was_read_is_on_the_disk_before_what_waits_for_it_goes_on() -> None:
    """The program that wrote it may have ended before it was."""
    Journal(ID, KEY).write(*WHOLE, HAND)
    store, path = Journal(ID, KEY), path_of(KEY)
    assert store.read().secrets == (HAND,)
    with syncs(1), pytest.raises(OSError, match="error"):
        store.write()
    with syncs() as done:
        store.write()
        store.write()
    assert done == [path.stat().st_ino]
    with syncs() as done:
        Journal(ID, bytes(32)).write()
    assert not done and not path_of(bytes(32)).exists(), "there is nothing to wait for"


def test_what_there_was_no_room_for_is_written_as_a_whole_later() -> None:
    store = Journal(ID, KEY)
    records: list[JournalRecord] = [*WHOLE, HAND, Promise(3)]
    store.write(*WHOLE[:2])
    with room_for(path_of(KEY).stat().st_size + 300), pytest.raises(OSError, match=r"space|large"):
        store.write(*records)
    assert Journal(ID, KEY).read() == Kept(tuple(WHOLE[:2]))
    store.write(*records)
    assert store.read() == Journal(ID, KEY).read() == Kept(tuple(WHOLE), (HAND,), 3)


def test_a_frame_that_no_program_wrote_says_nothing(state: Path) -> None:
    Journal(ID, KEY).write(*WHOLE[:3])
    wrong = [b"broken", pack(("promise", "soon")), pack(("along", 7)), pack(("hand", 1, 2))]
    terms = [("Olha", -1, None, 1, True), (7, 2, None, 1, True), ("Olha", 2, None, 1, "no"), ()]
    Frames(path_of(KEY)).append(*wrong, *(pack(("terms", *each)) for each in terms))
    Journal(ID, KEY).write(*WHOLE[2:], HAND, Promise(3), Depart(b"x"), TERMS)
    assert Journal(ID, KEY).read() == ALL


def test_a_journal_says_whose_seat_it_is() -> None:
    seat = TABLE.clients[1].guest.key
    assert not is_seated(ID, seat)
    keys = (seat, KEY, TABLE.host.table.host)
    for key in keys:
        Journal(ID, key).write(*WHOLE)
    assert [is_seated(ID, key) for key in keys] == [True, False, False]
    assert {seat_of(path, TABLE.host.table) for path in journals()} >= {seat, None}


def test_the_journal_of_the_own_table_is_no_seat_at_somebody_elses() -> None:
    table = MemoryTable(0)
    host = table.host.table.host
    said = Intent.sign(table.host_key, 1, table.host.log.head, Sit(ForeignText("Eva")))
    entry = Entry.sign(table.host_key, 0, table.host.log.head, table.host.table.time, said)
    Journal(table.host.table.id, host).write(*table.host.log, entry)
    assert not is_seated(table.host.table.id, host)


def test_the_journal_that_was_written_last_is_listed_first() -> None:
    assert journals() == []
    for number in (1, 2, 3):
        path = paths.table_folder(bytes([number]) * 32) / "0.journal"
        Frames(path).append(b"entry")
        os.utime(path, (number % 3, number % 3))
    numbers = [path.parent.name for path in journals()]
    assert numbers == [paths.table_folder(bytes([n]) * 32).name for n in (2, 1, 3)]


def test_without_a_journal_nothing_is_kept_but_evidence(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert open_journal(ID, KEY).is_lasting
    for store in (SeatStore(), EvidenceStore()):
        store.write(WHOLE[0], HAND, Promise(1), Depart(b"x"), TERMS)
        assert store.read() == Kept()
    assert SeatStore().accuse(b"", WHOLE, "") is None
    assert not list(state.rglob("*.journal"))
    assert EvidenceStore().accuse(b"lie", WHOLE, "why")
    (state / "file").touch()
    monkeypatch.setenv("SPOOF_STATE", str(state / "file" / "below"))
    assert not open_journal(ID, KEY).is_lasting


def test_where_the_terms_are_lost_the_host_is_called_as_its_seat_is() -> None:
    table = MemoryTable(2)
    table.stand(table.clients[0])
    for client in table.clients:
        table.connect(client)
    table.pass_time(SUPPORT_DELAY)
    assert assumed_terms(table.host.table).host == "Player1"
    assert assumed_terms(None) == HostingTerms("?", 2, None, 0, True)
