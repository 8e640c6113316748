"""Finished games and evidence: what is saved, and that it convinces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from protocol.crypto.keys import SigningKey
from protocol.guest.guest import Guest
from protocol.limits import MAX_NUMBER
from protocol.notation.checking import check
from protocol.notation.reading import read
from protocol.table.fold import fold
from protocol.table.log import Entry
from protocol.table.statements import GameStarted
from spoof_tui.commands import check as checking
from spoof_tui.storage import paths
from spoof_tui.storage.archive import Archive, accuse, game_stem
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.journal import Journal
from spoof_tui.storage.stored_log import read_entries
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.storage.failing_disk import room_for
from tests.spoof_tui.storage.played import ID, TABLE, WHOLE

OVER = TABLE.host.table


@pytest.mark.parametrize("time", [0, 2**31 * 1000, 10**15, MAX_NUMBER])
def test_no_time_that_a_host_can_sign_keeps_a_game_from_being_named(time: int) -> None:
    assert game_stem(time, "table", 1).endswith("-table-game-1")


def test_a_finished_game_is_saved_as_record_and_log(capsys: pytest.CaptureFixture[str]) -> None:
    record = Journal(ID, bytes(32)).archive(OVER, TABLE.host.log)
    assert record and record.parent == paths.games_folder()
    assert checking.main([str(record)]) == 0
    assert "1 games" in capsys.readouterr().out
    [read_back] = read([record.read_bytes()])
    assert not check(read_back).faults and 'Event "Table"' in record.read_text()
    assert read_entries(Frames(record.with_suffix(".log")).read()) == WHOLE


def test_a_table_without_a_finished_game_saves_nothing(state: Path) -> None:
    table = MemoryTable(2)
    assert Archive().save(table.host.table, table.host.log) is None
    table.ready()
    assert Archive().save(table.host.table, table.host.log) is None
    assert list(state.iterdir()) == []


def test_where_there_is_no_room_no_game_is_half_saved() -> None:
    with room_for(200), pytest.raises(OSError, match="large"):
        Archive().save(OVER, TABLE.host.log)
    assert list(paths.games_folder().iterdir()) == []


TAMPERING: list[Callable[[Path], object]] = [
    lambda log: None, lambda log: log.write_bytes(b"something else"), Path.unlink,
]  # fmt: skip


@pytest.mark.parametrize("tamper", TAMPERING, ids=["untouched", "changed", "deleted"])
def test_each_game_is_verified_by_its_own_log_whatever_was_saved_before(
    tamper: Callable[[Path], object],
) -> None:
    saved = Archive()
    other = [*WHOLE[:-1], WHOLE[0]]
    for number, log in enumerate((WHOLE[:-3], WHOLE, other, WHOLE[:-1], WHOLE)):
        record = saved.save(replace(OVER, time=OVER.time + 1000 * number), log)
        assert record
        assert Frames(record.with_suffix(".log")).read() == [entry.blob for entry in log]
        tamper(record.with_suffix(".log"))
    assert len(list(paths.games_folder().glob("*.spoof"))) == 5


def test_an_accusation_keeps_the_log_and_what_convinces_anybody_of_the_lie() -> None:
    lie = Entry.sign(TABLE.host_key, 0, TABLE.host.log.head, OVER.time, GameStarted(()))
    path = accuse(lie.blob, TABLE.host.log, "entry 9: it does not follow")
    assert path.with_suffix(".txt").read_text() == "entry 9: it does not follow"
    *before, last = Frames(path).read()
    assert read_entries(before) == WHOLE
    with pytest.raises(Exception, match="needs two players"):
        fold(OVER, Entry.read(last, TABLE.host_key.public))


def test_an_accusation_of_the_very_first_entry_is_kept_too() -> None:
    log = Guest(SigningKey(bytes(range(32)))).log
    path = Journal(bytes(32), bytes(32)).accuse(b"no entry at all", log, "why")
    assert path and Frames(path).read() == [b"no entry at all"]
