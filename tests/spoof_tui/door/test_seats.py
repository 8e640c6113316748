"""Whether somebody waits for a visitor who is not here."""

from __future__ import annotations

import os
from pathlib import Path

from spoof_tui.door.folders import BROKEN_OFF, EVENING, has_sat, is_missed
from spoof_tui.storage import paths
from spoof_tui.storage.journal import Journal
from tests.helpers.tables import MemoryTable


def kept(table: MemoryTable, seat: int | None) -> Path:
    """The log of this seat in the directory of a visitor, which is the state directory here."""
    key = bytes(32) if seat is None else table.host.table.seats[seat].key
    store = Journal(table.host.table.id, key)
    store.write(*table.host.log)
    store.close()
    return paths.home()


def missed(folder: Path, later: int) -> bool:
    """Whether somebody waits, this many milliseconds after the log was written."""
    (log,) = folder.glob("tables/*/*.journal")
    return is_missed(folder, log.stat().st_mtime_ns // 1_000_000 + later)


def playing() -> MemoryTable:
    table = MemoryTable(3)
    table.ready()
    return table


def test_who_is_in_a_game_is_missed_until_it_is_given_up() -> None:
    folder = kept(playing(), 1)
    assert has_sat(folder)
    assert [missed(folder, later) for later in (0, EVENING + 1, BROKEN_OFF)] == [True] * 3
    assert not missed(folder, BROKEN_OFF + 1)


def test_who_sits_between_two_games_is_missed_for_an_evening() -> None:
    folder = kept(MemoryTable(3), 1)
    assert missed(folder, EVENING) and not missed(folder, EVENING + 1)


def test_nobody_waits_for_somebody_without_a_seat() -> None:
    assert not missed(kept(playing(), None), 0)


def test_nothing_in_there_keeps_the_door_waiting(state: Path) -> None:
    folder = state / "tables" / "x"
    folder.mkdir(parents=True)
    os.mkfifo(folder / "pipe.log")
    (folder / "link.log").symlink_to("/dev/zero")
    (folder / "odd.log").write_bytes(b"\xff" * 1000)
    assert not is_missed(state, 0)
