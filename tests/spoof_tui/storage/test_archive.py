"""Finished games and evidence: what is saved, and that it convinces."""

from pathlib import Path

import pytest

from protocol.crypto.keys import SigningKey
from protocol.crypto.seals import Place
from protocol.encoding.untrusted import ForeignText
from protocol.guest.guest import Guest
from protocol.limits import MAX_NUMBER
from protocol.notation import check, read
from protocol.table.announcements import GameStarted
from protocol.table.fold import Phase, fold
from protocol.table.log import Entry
from spoof_tui.commands import check as checking
from spoof_tui.storage import archive as archives
from spoof_tui.storage import folders
from spoof_tui.storage.archive import Archive, archive, game_stem
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.seat_store import DiskSeatStore
from spoof_tui.storage.stored_log import read_entries
from spoof_tui.text.safe_text import file_name
from tests.helpers.tables import MemoryTable

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
    papers = DiskSeatStore(table.host.table.id, KEY)
    for entry in some or entries(table):
        papers.store(entry)
    return papers


def again(table: MemoryTable) -> DiskSeatStore:
    return DiskSeatStore(table.host.table.id, KEY)


def log_file(table: MemoryTable) -> Path:
    return folders.table_folder(table.host.table.id) / f"{KEY.hex()[:16]}.log"


def secrets_file(table: MemoryTable) -> Path:
    return log_file(table).with_suffix(".secrets")


def place(table: MemoryTable) -> Place:
    return Place(table.host.table.id, 1, 2, KEY)


def test_a_game_is_named_by_its_time_its_table_and_its_number() -> None:
    stem = game_stem(1_700_000_000_000, "the-golden-pier", 3)
    assert stem.startswith("2023-11-1")
    assert stem.endswith("-the-golden-pier-game-3")


@pytest.mark.parametrize("time", [0, 2**31 * 1000, 10**15, MAX_NUMBER])
def test_no_time_that_a_host_can_sign_keeps_a_game_from_being_named(time: int) -> None:
    assert game_stem(time, "table", 1).endswith("-table-game-1")


def test_a_finished_game_is_saved_as_record_and_log(
    played: MemoryTable, capsys: pytest.CaptureFixture[str]
) -> None:
    record = again(played).archive(played.host.table, played.host.log)
    assert record and record.parent == folders.games_folder()
    assert checking.main([str(record)]) == 0
    assert "1 games" in capsys.readouterr().out
    blobs = Frames(record.with_suffix(".log")).read()
    assert read_entries(blobs) == entries(played)


def test_the_saved_record_is_the_game_that_was_played(played: MemoryTable) -> None:
    record = archive(played.host.table, played.host.log)
    game = played.host.table.game
    assert record and game and game.winner is not None
    [read_back] = read([record.read_bytes()])
    assert not check(read_back).faults
    assert 'Event "Table"' in record.read_text()


def test_a_table_without_a_finished_game_saves_nothing() -> None:
    table = MemoryTable(2)
    assert archive(table.host.table, table.host.log) is None
    table.ready()
    assert table.host.table.phase is Phase.CHOOSING
    assert archive(table.host.table, table.host.log) is None


def test_the_name_of_a_table_cannot_lead_out_of_the_folder() -> None:
    stem = game_stem(0, file_name(ForeignText("../../etc/\x1b[31m\x00passwd")), 1)
    assert not set("/\\\x1b\x00.") & set(stem)


def test_each_game_is_verified_by_its_own_log_whatever_was_saved_before(
    monkeypatch: pytest.MonkeyPatch, played: MemoryTable
) -> None:
    stems = iter(("one", "two", "three", "four"))
    monkeypatch.setattr(archives, "game_stem", lambda *_: next(stems))
    saved, log = Archive(), played.host.log
    for length in (len(log) - 3, len(log), len(log) - 1, len(log)):
        record = saved.save(played.host.table, log[:length])
        assert record
        blobs = [entry.blob for entry in log[:length]]
        assert Frames(record.with_suffix(".log")).read() == blobs


def test_a_saved_log_that_was_changed_is_not_built_upon(
    monkeypatch: pytest.MonkeyPatch, played: MemoryTable
) -> None:
    stems = iter(("one", "two", "three"))
    monkeypatch.setattr(archives, "game_stem", lambda *_: next(stems))
    saved, log = Archive(), played.host.log
    first = saved.save(played.host.table, log[:-1])
    assert first
    first.with_suffix(".log").write_bytes(b"something else")
    second = saved.save(played.host.table, log)
    assert second and len(Frames(second.with_suffix(".log")).read()) == len(log)
    second.with_suffix(".log").unlink()
    third = saved.save(played.host.table, log)
    assert third and len(Frames(third.with_suffix(".log")).read()) == len(log)


def test_an_accusation_keeps_the_log_and_what_does_not_follow(played: MemoryTable) -> None:
    lie = Entry.sign(played.host_key, 0, played.host.log.head, 0, GameStarted(())).blob
    path = again(played).accuse(lie, played.host.log, "entry 9: it does not follow")
    assert path and path.with_suffix(".txt").read_text() == "entry 9: it does not follow"
    *before, last = Frames(path).read()
    assert (read_entries(before), last) == (entries(played), lie)


def test_the_evidence_convinces_anybody(played: MemoryTable) -> None:
    lie = Entry.sign(
        played.host_key, 0, played.host.log.head, played.host.table.time, GameStarted(())
    )
    path = again(played).accuse(lie.blob, played.host.log, "why")
    assert path
    *_, last = Frames(path).read()
    signed = Entry.read(last, played.host_key.public)
    with pytest.raises(Exception, match="needs two players"):
        fold(played.host.table, signed)


def test_an_accusation_of_the_very_first_entry_is_kept_too() -> None:
    path = DiskSeatStore(bytes(32), KEY).accuse(
        b"no entry at all", Guest(SigningKey(KEY)).log, "why"
    )
    assert path and Frames(path).read() == [b"no entry at all"]
