"""What a host keeps of a table: the log, and the terms on which it is run."""

import os
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.table.log import Entry
from protocol.timing import SUPPORT_DELAY
from spoof_tui.storage import folders
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.host_store import HOST_LOG, HostFiles, HostingTerms, assumed_terms, host_logs
from spoof_tui.storage.reading import MAX_JSON
from tests.helpers.tables import MemoryTable

TABLE = bytes(32)
TERMS = HostingTerms("Olha", 2, None, 7763, is_public=True)


def terms_file() -> Path:
    folder = folders.table_folder(TABLE)
    folder.mkdir(parents=True, exist_ok=True)
    return folder / "host.json"


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    """A log of a table with two seats."""
    return list(MemoryTable(2, seed=5).host.log)


def blobs(entries: list[Entry]) -> list[bytes]:
    return [entry.blob for entry in entries]


# The log


def test_what_was_recorded_is_there_for_the_next_program(entries: list[Entry]) -> None:
    files = HostFiles(TABLE)
    files.record(blobs(entries)[:1])
    files.record(blobs(entries)[1:])
    files.close()
    assert HostFiles(TABLE).entries() == entries


def test_a_log_that_is_begun_takes_the_place_of_the_one_before(entries: list[Entry]) -> None:
    files = HostFiles(TABLE)
    files.record(blobs(entries))
    files.begin(blobs(entries)[:2])
    assert HostFiles(TABLE).entries() == entries[:2]


def test_a_torn_end_is_cut_before_anything_is_recorded(entries: list[Entry]) -> None:
    HostFiles(TABLE).record(blobs(entries)[:2])
    path = folders.table_folder(TABLE) / HOST_LOG
    path.write_bytes(path.read_bytes() + b"\x00\x00\x01")
    HostFiles(TABLE).record(blobs(entries)[2:])
    assert HostFiles(TABLE).entries() == entries


def test_files_that_were_never_touched_leave_nothing_on_the_disk(state: Path) -> None:
    HostFiles(TABLE).close()
    assert list(state.iterdir()) == []


def test_the_table_that_was_hosted_last_is_listed_first() -> None:
    assert host_logs() == []
    for number in (1, 2, 3):
        path = folders.table_folder(bytes([number]) * 32) / HOST_LOG
        Frames(path).append(b"entry")
        os.utime(path, (number % 3, number % 3))
    numbers = [path.parent.name for path in host_logs()]
    assert numbers == [folders.table_folder(bytes([n]) * 32).name for n in (2, 1, 3)]


# The terms


@pytest.mark.parametrize("games", [None, 2])
def test_terms_are_kept(games: int | None) -> None:
    terms = HostingTerms("Olha", 3, games, 7763, is_public=False)
    assert HostFiles(TABLE).terms() is None
    HostFiles(TABLE).note(terms)
    assert HostFiles(TABLE).terms() == terms


@pytest.mark.parametrize("written", ["", "[]", "{}", '{"host": 1}', "[" * 9999])
def test_terms_that_nobody_wrote_are_none(written: str) -> None:
    terms_file().write_text(written)
    assert HostFiles(TABLE).terms() is None


@pytest.mark.parametrize(
    "terms",
    [
        replace(TERMS, port=-1),
        replace(TERMS, start_when=-1),
        replace(TERMS, games=2**60),
        replace(TERMS, host=7),  # type: ignore[arg-type]
        replace(TERMS, is_public="no"),  # type: ignore[arg-type]
    ],
)
def test_terms_of_the_wrong_kind_are_none(terms: HostingTerms) -> None:
    HostFiles(TABLE).note(terms)
    assert HostFiles(TABLE).terms() is None


def test_terms_are_read_as_far_as_terms_can_be_long() -> None:
    files, path = HostFiles(TABLE), terms_file()
    files.note(TERMS)
    path.write_bytes(path.read_bytes().ljust(MAX_JSON))
    assert files.terms() == TERMS
    path.write_bytes(path.read_bytes() + b" ")
    assert files.terms() is None


def test_where_the_terms_are_lost_the_host_is_called_as_its_seat_is() -> None:
    table = MemoryTable(2)
    table.stand(table.clients[0])
    for client in table.clients:
        table.connect(client)
    table.pass_time(SUPPORT_DELAY)
    assert assumed_terms(table.host.table).host == "Player1"
    assert assumed_terms(None) == HostingTerms("?", 2, None, 0, True)
