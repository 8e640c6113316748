"""What a participant keeps of a table, and what is left of it after a crash at any byte."""

from __future__ import annotations

import errno
import itertools
from pathlib import Path

from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from protocol.crypto.seals import Place, SealedHand, SealedShare
from protocol.encoding.untrusted import ForeignText
from protocol.guest.effects import Cut, Depart, GuestEffect, Keep, Promise, Store
from protocol.table.log import Entry, Intent
from protocol.table.statements import Sit
from spoof_tui.storage import folders
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.seat_store import (
    DiskSeatStore,
    EvidenceStore,
    NoSeatStore,
    SeatStore,
    is_seated,
    seat_logs,
    seat_of,
    write_effects,
)
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.storage.failing_disk import room_for
from tests.spoof_tui.storage.played import ID, TABLE, WHOLE

KEY = bytes(range(32))
PLACE = Place(ID, 1, 2, KEY)
HAND, SHARE = SealedHand(PLACE, 3, b"m" * 32), SealedShare(PLACE, bytes(32), b"n" * 32)
ENDINGS = (".log", ".secrets", ".promises")

numbers = itertools.count(1)


def path_of(key: bytes, ending: str) -> Path:
    return folders.table_folder(ID) / f"{key.hex()[:16]}{ending}"


def kept(store: SeatStore) -> dict[str, object]:
    """All that a store has, by the file in which it is."""
    return {
        ".log": store.entries(),
        ".secrets": store.secrets(),
        ".promises": (store.promised(), store.departed()),
    }


steps = st.sampled_from(["store"] * 4 + ["cut", "hand", "share", "promise", "leave", "return"])


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(steps, max_size=14), st.sampled_from(ENDINGS), st.integers(0, 9999))
@example(["store"] * 8 + ["cut"], ".log", 2)
@example(["promise", "leave", "return", "leave"], ".promises", 0)
def test_after_a_crash_at_any_byte_there_is_what_was_kept_before_it_and_all_goes_on(
    state: Path, steps: list[str], ending: str, lost: int
) -> None:
    key = next(numbers).to_bytes(8, "big") + bytes(24)
    store: SeatStore = DiskSeatStore(ID, key)
    path = path_of(key, ending)
    had = [(0, kept(store))]
    for number, step in enumerate(steps):
        entries = store.entries()
        if step == "store":
            store.store(WHOLE[len(entries)])
        elif step == "cut" and entries:
            store.cut(1 + number % len(entries))
        elif step in ("hand", "share"):
            store.keep(HAND if step == "hand" else SHARE)
        elif step == "promise":
            store.promise(7 * number % 5)
        elif step in ("leave", "return"):
            store.depart(bytes([number]) if step == "leave" else None)
        had.append((path.stat().st_size if path.exists() else 0, kept(DiskSeatStore(ID, key))))
    assert kept(store) == had[-1][1]
    store.close()
    size = max(0, had[-1][0] - lost % (had[-1][0] + 1))
    if path.exists():
        path.write_bytes(path.read_bytes()[:size])
    store = DiskSeatStore(ID, key)
    expected = [state[ending] for whole, state in had if whole <= size][-1]
    assert kept(store)[ending] == expected
    store.store(*WHOLE[len(store.entries()) :])
    store.promise(9)
    store.keep(HAND)
    again = DiskSeatStore(ID, key)
    assert (again.entries(), again.promised()) == (WHOLE, 9) and again.secrets()[-1] == HAND


def test_an_entry_that_was_stored_twice_counts_once_and_a_broken_one_never() -> None:
    store = DiskSeatStore(ID, KEY)
    store.store(*WHOLE[:3])
    Frames(path_of(KEY, ".log")).append(b"broken")
    store.store(*WHOLE[2:])
    assert DiskSeatStore(ID, KEY).entries() == WHOLE


def test_what_there_was_no_room_for_is_written_from_where_it_stopped() -> None:
    one, two, *_ = WHOLE
    effects: list[GuestEffect] = [Store(one), Store(two), Keep(HAND), Cut(1), Promise(3)]
    store = DiskSeatStore(ID, KEY)
    store.store(one, two)
    DiskSeatStore(ID, KEY).keep(SHARE)
    with room_for(path_of(KEY, ".secrets").stat().st_size):
        done, error = write_effects(store, effects[2:])
    assert (done, error and error.errno) == (0, errno.EFBIG)
    with room_for(path_of(KEY, ".log").stat().st_size + 1):
        done, error = write_effects(store, effects[2:])
    assert (done, error and error.errno) == (1, errno.ENOSPC)
    assert kept(DiskSeatStore(ID, KEY)) == {
        ".log": [one, two], ".secrets": [SHARE, HAND], ".promises": (0, None)
    }  # fmt: skip
    assert write_effects(store, effects[3:]) == (2, None)
    assert (store.entries(), store.promised()) == ([one], 3)


def test_a_log_says_whose_seat_it_is() -> None:
    seat = TABLE.clients[1].guest.key
    assert not is_seated(ID, seat)
    for key in (seat, KEY, TABLE.host.table.host):
        DiskSeatStore(ID, key).store(*WHOLE)
    Frames(folders.table_folder(ID) / "host.log").append(b"entry")
    assert [is_seated(ID, key) for key in (seat, KEY, TABLE.host.table.host)] == [
        True,
        False,
        False,
    ]
    assert {seat_of(path, TABLE.host.table) for path in seat_logs()} >= {seat, None}
    assert len(seat_logs()) == 3


def test_the_log_of_the_own_table_is_no_seat_at_somebody_elses() -> None:
    table = MemoryTable(0)
    host = table.host.table.host
    said = Intent.sign(table.host_key, 1, table.host.log.head, Sit(ForeignText("Eva")))
    entry = Entry.sign(table.host_key, 0, table.host.log.head, table.host.table.time, said)
    DiskSeatStore(table.host.table.id, host).store(*table.host.log, entry)
    assert not is_seated(table.host.table.id, host)


def test_without_a_store_nothing_is_kept_but_evidence(state: Path) -> None:
    for store in (NoSeatStore(), EvidenceStore()):
        write_effects(store, [Store(WHOLE[0]), Keep(HAND), Promise(1), Depart(b"x"), Cut(1)])
        assert kept(store) == {".log": [], ".secrets": [], ".promises": (0, None)}
    assert NoSeatStore().accuse(b"", WHOLE, "") is None
    assert list(state.iterdir()) == []
    assert EvidenceStore().accuse(b"lie", WHOLE, "why")
