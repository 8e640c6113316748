"""How much of the disk a visitor may use."""

import os
from pathlib import Path

import pytest

from spoof_tui.door import folders


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folders, "QUOTA", 64 << 10)
    monkeypatch.setattr(folders, "_SPARE", 16 << 10)
    monkeypatch.setattr(folders, "MAX_FILES", 100)


def fill(path: Path, kib: int, time: int = 0) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(os.urandom(kib << 10))
    os.utime(path, (time, time))
    return path


def test_what_is_used_is_counted_in_all_folders(state: Path) -> None:
    fill(state / "settings.json", 32)
    assert not folders.is_exceeded(state)
    fill(state / "games" / "deep" / "one", 36)
    assert folders.is_exceeded(state)


def test_many_small_files_are_too_much_as_well(state: Path) -> None:
    for number in range(101):
        (state / str(number)).touch()
    assert folders.is_exceeded(state)


def test_what_a_link_leads_to_belongs_to_somebody_else(state: Path) -> None:
    (state / "link").symlink_to("/")
    assert not folders.is_exceeded(state)


def test_the_oldest_games_make_room_for_new_ones(state: Path) -> None:
    own = fill(state / "identity", 16)
    old, log = fill(state / "games" / "old", 16, 1), fill(state / "tables" / "t" / "log", 16, 2)
    new = fill(state / "games" / "new", 16, 3)
    folders.make_room(state)
    assert [each.exists() for each in (own, old, log, new)] == [True, False, True, True]
