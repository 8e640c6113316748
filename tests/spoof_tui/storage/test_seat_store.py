"""What a participant keeps: its copy of the log, its secrets, finished games and evidence."""

import errno
from pathlib import Path

import pytest

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import Place, SealedHand, SealedShare
from protocol.encoding.codec import pack
from protocol.encoding.framing import frame
from protocol.guest.effects import Cut, GuestEffect, Promise, Secret, Store
from protocol.guest.guest import Guest
from protocol.table.log import Entry
from spoof_tui.storage import folders
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.seat_store import DiskSeatStore, NoSeatStore, SeatStore, write_effects
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.storage.test_frames import raising

KEY = bytes(range(32))


@pytest.fixture(scope="module")
def played() -> MemoryTable:
    """A table at which one game is over."""
    table = MemoryTable(3, seed=5)
    table.ready()
    table.play_on()
    return table


def entries(table: MemoryTable) -> list[Entry]:
    return list(table.host.log)


def filled(table: MemoryTable, *some: Entry) -> DiskSeatStore:
    store = DiskSeatStore(table.host.table.id, KEY)
    for entry in some or entries(table):
        store.store(entry)
    return store


def again(table: MemoryTable) -> DiskSeatStore:
    return DiskSeatStore(table.host.table.id, KEY)


def log_file(table: MemoryTable) -> Path:
    return folders.table_folder(table.host.table.id) / f"{KEY.hex()[:16]}.log"


def secrets_file(table: MemoryTable) -> Path:
    return log_file(table).with_suffix(".secrets")


def place(table: MemoryTable) -> Place:
    return Place(table.host.table.id, 1, 2, KEY)


# Promises


def test_nobody_is_promised_anything_at_first(played: MemoryTable) -> None:
    assert (again(played).promised(), NoSeatStore().promised()) == (0, 0)


def test_the_highest_promise_survives(played: MemoryTable) -> None:
    store = again(played)
    store.promise(7)
    store.promise(3)
    assert again(played).promised() == 7


def test_a_torn_promise_and_a_strange_one_leave_the_one_before(played: MemoryTable) -> None:
    path = log_file(played).with_suffix(".promises")
    again(played).promise(2)
    with path.open("ab") as file:
        file.write(frame(pack(("promise", "x"))) + frame(pack(("promise", 9)))[:-1])
    assert again(played).promised() == 2
    again(played).promise(4)
    assert again(played).promised() == 4


def test_who_went_along_to_a_new_table_and_came_back_is_back(played: MemoryTable) -> None:
    assert (again(played).departed(), NoSeatStore().departed()) == (None, None)
    for mark in (b"one", None, b"other"):
        again(played).depart(mark)
        assert again(played).departed() == mark


# The own copy of the log


def test_entries_survive(played: MemoryTable) -> None:
    filled(played)
    assert again(played).entries() == entries(played)


def test_a_guest_goes_on_from_what_was_kept(played: MemoryTable) -> None:
    filled(played)
    guest = Guest(SigningKey(KEY), played.host.table.id, again(played).entries())
    assert guest.table == played.host.table


def test_participants_of_one_table_keep_their_files_apart(played: MemoryTable) -> None:
    filled(played)
    assert DiskSeatStore(played.host.table.id, bytes(32)).entries() == []


def test_a_torn_last_entry_is_dropped_and_the_log_goes_on(played: MemoryTable) -> None:
    *most, last = entries(played)
    filled(played, *most)
    with log_file(played).open("ab") as file:
        file.write(frame(last.blob)[:-3])
    store = again(played)
    assert store.entries() == most
    store.store(last)
    assert again(played).entries() == entries(played)


def test_an_entry_that_was_stored_twice_counts_once(played: MemoryTable) -> None:
    whole = entries(played)
    filled(played, *whole[:3], *whole[2:])
    assert again(played).entries() == whole


def test_what_was_fetched_anew_behind_a_broken_entry_is_read(played: MemoryTable) -> None:
    whole = entries(played)
    frames = Frames(log_file(played))
    frames.append(*(entry.blob for entry in whole[:3]), b"broken")
    again(played).store(*whole[3:])
    assert again(played).entries() == whole


def test_several_entries_are_stored_at_once(played: MemoryTable) -> None:
    DiskSeatStore(played.host.table.id, KEY).store(*entries(played))
    assert again(played).entries() == entries(played)


def test_what_there_was_no_room_for_is_written_from_where_it_stopped(
    played: MemoryTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, *_ = entries(played)
    effects: list[GuestEffect] = [Store(one), Store(two), Promise(3), Cut(1)]
    store = again(played)
    with monkeypatch.context() as full:
        full.setattr(DiskSeatStore, "promise", raising(OSError(errno.ENOSPC, "no room")))
        done, error = write_effects(store, effects)
    assert (done, error and error.errno) == (2, errno.ENOSPC)
    assert (again(played).entries(), again(played).promised()) == ([one, two], 0)
    assert write_effects(store, effects[done:]) == (2, None)
    assert (again(played).entries(), again(played).promised()) == ([one], 3)


def test_what_is_cut_is_gone_and_the_log_goes_on(played: MemoryTable) -> None:
    whole = entries(played)
    filled(played, *whole[:8]).cut(5)
    assert again(played).entries() == whole[:5]
    again(played).store(*whole[5:])
    assert again(played).entries() == whole


def test_a_cut_that_was_torn_has_not_been_made(played: MemoryTable) -> None:
    whole = entries(played)
    filled(played).cut(5)
    torn = log_file(played).read_bytes()[:-2]
    log_file(played).write_bytes(torn)
    store = again(played)
    assert store.entries() == whole
    store.cut(6)
    assert again(played).entries() == whole[:6]


@pytest.mark.parametrize("garbage", [b"", b"\x00" * 50, frame(b"no entry"), b"\xff" * 9])
def test_garbage_in_the_place_of_a_log_is_no_entry(played: MemoryTable, garbage: bytes) -> None:
    filled(played, entries(played)[0])
    log_file(played).write_bytes(garbage)
    assert again(played).entries() == []


# Secrets


def test_secrets_survive(played: MemoryTable) -> None:
    where = place(played)
    secrets: list[Secret] = [
        SealedShare(Place(where.table, 1, 0, KEY), bytes(32), b"n" * 32),
        SealedHand(where, 3, b"m" * 32),
    ]
    store = again(played)
    for secret in secrets:
        store.keep(secret)
    assert again(played).secrets() == secrets


def test_a_torn_secret_does_not_hide_those_before_it(played: MemoryTable) -> None:
    hand = SealedHand(place(played), 1, bytes(32))
    again(played).keep(hand)
    path = secrets_file(played)
    with path.open("ab") as file:
        file.write(path.read_bytes()[:20])
    assert again(played).secrets() == [hand]


@pytest.mark.parametrize(
    "garbage", [b"\xc1", pack(3), pack(("hand", 1)), pack(("hand", b"", 1, 1, b"", "x", b""))]
)
def test_a_secret_that_no_program_wrote_is_passed_over(played: MemoryTable, garbage: bytes) -> None:
    hand = SealedHand(place(played), 1, bytes(32))
    store = again(played)
    Frames(secrets_file(played)).append(garbage)
    store.keep(hand)
    assert again(played).secrets() == [hand]


def test_the_file_of_secrets_is_private(played: MemoryTable) -> None:
    again(played).keep(SealedHand(place(played), 1, bytes(32)))
    assert secrets_file(played).stat().st_mode & 0o077 == 0


# Nothing kept


def test_without_a_store_nothing_is_kept(state: Path, played: MemoryTable) -> None:
    store: SeatStore = NoSeatStore()
    store.keep(SealedHand(place(played), 1, bytes(32)))
    store.store(entries(played)[0])
    assert store.archive(played.host.table, played.host.log) is None
    assert store.accuse(b"", played.host.log, "") is None
    assert (store.entries(), store.secrets()) == ([], [])
    assert list(state.iterdir()) == []
