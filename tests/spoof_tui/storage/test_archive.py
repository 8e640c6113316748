"""Finished games and evidence: what is saved, and that it convinces."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from protocol.crypto.keys import SigningKey
from protocol.encoding.framing import frame
from protocol.guest.guest import Guest
from protocol.limits import MAX_NUMBER
from protocol.notation.checking import check
from protocol.notation.reading import read
from protocol.table.fold import Table, fold
from protocol.table.log import Entry
from protocol.table.statements import GameStarted
from protocol.table.verify import LogReport, verify
from spoof_tui.commands import check as checking
from spoof_tui.storage import files, paths, quota
from spoof_tui.storage.archive import Archive, GameLog, accuse, game_stem
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.journal import Journal
from spoof_tui.storage.stored_log import read_entries
from spoof_tui.visiting import DOOR_VARIABLE, DoorKind
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.storage.failing_disk import room_for
from tests.spoof_tui.storage.filling import fill
from tests.spoof_tui.storage.played import ID, TABLE, WHOLE

OVER = TABLE.host.table


@pytest.mark.parametrize("time", [0, 2**31 * 1000, 10**15, MAX_NUMBER])
def test_no_time_that_a_host_can_sign_keeps_a_game_from_being_named(time: int) -> None:
    assert game_stem(time, "table", 1).endswith("-table-game-1")


def verdict(record: Path) -> LogReport:
    """What is judged of a finished game."""
    log = GameLog.of(record)
    return verify(log.part([log.path.read_bytes()]))


def test_a_finished_game_is_saved_as_record_and_log(capsys: pytest.CaptureFixture[str]) -> None:
    record = Journal(ID, bytes(32)).archive(OVER, TABLE.host.log)
    assert record and record.parent == paths.games_folder()
    assert checking.main([str(record)]) == 0
    assert "1 game," in capsys.readouterr().out
    [read_back] = read([record.read_bytes()])
    assert not check(read_back).faults and 'Event "Table"' in record.read_text()
    assert read_entries(Frames(GameLog.of(record).path).read()) == WHOLE


def test_a_table_without_a_finished_game_saves_nothing(state: Path) -> None:
    table = MemoryTable(2)
    assert Archive().save(table.host.table, table.host.log) is None
    table.ready()
    assert Archive().save(table.host.table, table.host.log) is None
    assert list(state.iterdir()) == []


def test_where_there_is_no_room_no_game_is_half_saved() -> None:
    with room_for(200), pytest.raises(OSError, match="large"):
        Archive().save(OVER, TABLE.host.log)
    assert [path.suffix for path in paths.games_folder().iterdir()] == [".log"]


def four_games() -> Iterator[tuple[Table, list[Entry]]]:
    """A table at the end of each of four games, with its log."""
    table = MemoryTable(2, seed=5)
    for _ in range(4):
        table.ready()
        table.play_on()
        yield table.host.table, list(table.host.log)


FOUR: Final = list(four_games())


def assert_verified(records: Sequence[Path], ends: Sequence[list[Entry]]) -> None:
    """Each of these games is verified by its log up to its own last entry."""
    assert [verdict(record).length for record in records] == [len(log) for log in ends]
    for record, log in zip(records, ends, strict=True):
        found = verdict(record)
        assert found.holds and found.running is None and found.table
        assert found.table.head == log[-1].head


def saved(archive: Archive, table: Table, log: Sequence[Entry]) -> Path:
    record = archive.save(table, log)
    assert record
    return record


def test_all_games_of_a_table_share_a_log_in_which_each_is_verified_up_to_its_end() -> None:
    archive = Archive()
    records = [saved(archive, *each) for each in FOUR]
    [log] = paths.games_folder().glob("*.log")
    assert read_entries(Frames(log).read()) == FOUR[-1][1]
    assert_verified(records, [log for _, log in FOUR])


def test_programs_of_one_user_at_one_table_save_its_games_into_one_log() -> None:
    first, second, late = Archive(), Archive(), Archive()
    order = [(first, 0), (second, 0), (second, 1), (first, 1), (first, 3), (second, 2), (late, 3)]
    records = [saved(archive, *FOUR[number]) for archive, number in order]
    assert len(list(paths.games_folder().glob("*.log"))) == 1
    assert_verified(records, [FOUR[number][1] for _, number in order])


def folder_instead(log: Path) -> None:
    log.unlink()
    log.mkdir()


SPOILING: Final[Mapping[str, Callable[[Path], object]]] = {
    "untouched": lambda log: None,
    "replaced": lambda log: log.write_bytes(b"something else"),
    "deleted": Path.unlink,
    "torn": lambda log: log.write_bytes(log.read_bytes()[:-7]),
    "garbage at its end": lambda log: log.write_bytes(log.read_bytes() + bytes(100)),
    "a folder": folder_instead,
}


@pytest.mark.parametrize("spoil", SPOILING.values(), ids=SPOILING)
@pytest.mark.parametrize("is_same", [True, False], ids=["same program", "another program"])
def test_the_next_game_is_verified_whatever_became_of_the_log(
    spoil: Callable[[Path], object], is_same: bool
) -> None:
    archive = Archive()
    for number, each in enumerate(FOUR):
        record = saved(archive, *each)
        assert_verified([record], [each[1]])
        if number % 2:
            spoil(GameLog.of(record).path)
        archive = archive if is_same else Archive()


def test_a_game_that_ended_before_its_table_lost_entries_keeps_the_log_it_ended_in() -> None:
    archive = Archive()
    [(early, log), _, (late, longer), _] = FOUR
    first = saved(archive, early, log)
    # The table went on from an entry before the end of that game.
    lost = [*log[:-2], *longer[len(log) - 2 : -1], longer[0]]
    saved(archive, replace(late, time=late.time + 1), lost)
    again = saved(archive, late, longer)
    assert_verified([first, again], [log, longer])


def test_a_whole_log_beside_its_record_is_read_as_before(tmp_path: Path) -> None:
    record, (_table, log) = tmp_path / "2026-01-02-030405-Table-game-1.spoof", FOUR[1]
    record.with_suffix(".log").write_bytes(b"".join(frame(entry.blob) for entry in log))
    for beside in (None, "{", "[]", '{"log": "../x.log", "end": 5}', '{"log": "x.txt", "end": 5}'):
        if beside is not None:
            record.with_suffix(".json").write_text(beside)
        assert GameLog.of(record) == GameLog(record.with_suffix(".log"), None)
        assert_verified([record], [log])


def test_a_log_that_ends_before_the_game_verifies_nothing() -> None:
    record = saved(Archive(), *FOUR[1])
    log = GameLog.of(record).path
    log.write_bytes(b"".join(frame(entry.blob) for entry in FOUR[0][1]))
    with pytest.raises(files.Unfit, match="ends before the game"):
        verdict(record)


def test_where_there_is_no_room_a_game_is_saved_once_there_is() -> None:
    archive = Archive()
    first = saved(archive, *FOUR[0])
    log = GameLog.of(first).path
    with room_for(log.stat().st_size + 99), pytest.raises(OSError, match="large"):
        archive.save(*FOUR[1])
    second = saved(archive, *FOUR[1])
    assert_verified([first, second], [FOUR[0][1], FOUR[1][1]])
    assert list(paths.games_folder().glob("*.log")) == [log]


@pytest.mark.unix("blocks of files")
def test_a_visitor_with_many_old_games_has_room_for_the_next(
    monkeypatch: pytest.MonkeyPatch, state: Path
) -> None:
    monkeypatch.setattr(quota, "QUOTA", 192 << 10)
    monkeypatch.setenv(DOOR_VARIABLE, DoorKind.HOST.value)
    old = [fill(state / "games" / f"{number}.spoof", 8, number) for number in range(40)]
    archive = Archive()
    for each in FOUR:
        assert saved(archive, *each).exists() and not quota.is_exceeded(state)
    assert_verified([saved(archive, *FOUR[3])], [FOUR[3][1]])
    assert 0 < sum(path.exists() for path in old) < len(old)


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
