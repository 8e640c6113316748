"""What a host keeps of a table: the log, and the terms on which it is run."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from protocol.timing import SUPPORT_DELAY
from spoof_tui.storage import folders
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.host_store import (
    HOST_LOG,
    HostFiles,
    HostingTerms,
    assumed_terms,
    host_files,
    host_logs,
)
from spoof_tui.storage.reading import MAX_JSON
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.storage.failing_disk import room_for
from tests.spoof_tui.storage.played import BLOBS, ID, WHOLE

TERMS = HostingTerms("Olha", 2, None, 7763, is_public=True)


def test_what_was_recorded_is_there_for_the_next_program_without_a_torn_end(state: Path) -> None:
    HostFiles(ID).close()
    assert list(state.iterdir()) == []
    files = HostFiles(ID)
    files.record(BLOBS[:1])
    files.record(BLOBS[1:3])
    files.close()
    path = folders.table_folder(ID) / HOST_LOG
    path.write_bytes(path.read_bytes() + b"\x00\x00\x01")
    HostFiles(ID).record(BLOBS[3:])
    assert HostFiles(ID).entries() == WHOLE


def test_a_log_that_is_begun_takes_the_place_of_the_one_before_or_does_not() -> None:
    files = HostFiles(ID)
    files.record(BLOBS[:1])
    with room_for(200), pytest.raises(OSError, match="large"):
        files.begin(BLOBS)
    assert HostFiles(ID).entries() == WHOLE[:1]
    files.begin(BLOBS)
    files.begin(BLOBS[:2])
    files.record(BLOBS[2:])
    assert HostFiles(ID).entries() == WHOLE


def test_where_no_folder_can_be_made_a_table_ends_with_its_program(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert host_files(ID).is_lasting
    (state / "file").touch()
    monkeypatch.setenv("SPOOF_STATE", str(state / "file" / "below"))
    files = host_files(ID)
    files.record(BLOBS)
    files.begin(BLOBS)
    files.note(TERMS)
    assert not files.is_lasting and files.terms() is None


def test_the_table_that_was_hosted_last_is_listed_first() -> None:
    assert host_logs() == []
    for number in (1, 2, 3):
        path = folders.table_folder(bytes([number]) * 32) / HOST_LOG
        Frames(path).append(b"entry")
        os.utime(path, (number % 3, number % 3))
    numbers = [path.parent.name for path in host_logs()]
    assert numbers == [folders.table_folder(bytes([n]) * 32).name for n in (2, 1, 3)]


def test_terms_are_kept_and_read_as_far_as_terms_can_be_long() -> None:
    files, path = HostFiles(ID), folders.table_folder(ID) / "host.json"
    terms = replace(TERMS, games=2, is_public=False)
    files.note(terms)
    path.write_bytes(path.read_bytes().ljust(MAX_JSON))
    assert HostFiles(ID).terms() == terms
    path.write_bytes(path.read_bytes() + b" ")
    assert files.terms() is None


WRONG: list[dict[str, Any]] = [
    {"port": -1}, {"start_when": -1}, {"games": 2**60}, {"host": 7}, {"is_public": "no"}, {"new": 1}
]  # fmt: skip
WRITTEN = ["", "[]", "{}", "[" * 9999, *(json.dumps(asdict(TERMS) | each) for each in WRONG)]


@pytest.mark.parametrize("written", WRITTEN)
def test_terms_that_no_program_wrote_are_none(written: str) -> None:
    HostFiles(ID).note(TERMS)
    (folders.table_folder(ID) / "host.json").write_text(written)
    assert HostFiles(ID).terms() is None


def test_where_the_terms_are_lost_the_host_is_called_as_its_seat_is() -> None:
    table = MemoryTable(2)
    table.stand(table.clients[0])
    for client in table.clients:
        table.connect(client)
    table.pass_time(SUPPORT_DELAY)
    assert assumed_terms(table.host.table).host == "Player1"
    assert assumed_terms(None) == HostingTerms("?", 2, None, 0, True)
