"""How much of the disk a visitor may use."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from spoof_tui.storage import quota
from tests.spoof_tui.storage.filling import fill

pytestmark = pytest.mark.unix("blocks of files: only doors have a quota")


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quota, "QUOTA", 64 << 10)
    monkeypatch.setattr(quota, "MAX_FILES", 100)


def test_what_is_used_is_counted_in_all_folders(state: Path) -> None:
    fill(state / "settings.json", 32)
    assert not quota.is_exceeded(state)
    fill(state / "games" / "deep" / "one", 36)
    assert quota.is_exceeded(state)


def test_many_small_files_are_too_much_as_well(state: Path) -> None:
    for number in range(101):
        (state / str(number)).touch()
    assert quota.is_exceeded(state)


def test_what_a_link_leads_to_belongs_to_somebody_else(state: Path) -> None:
    (state / "link").symlink_to("/")
    assert not quota.is_exceeded(state)


def test_old_games_make_room_and_then_tables_of_other_days(state: Path) -> None:
    today = time.time()
    own = fill(state / "identity", 0)
    running = fill(state / "tables" / "t" / "a.journal", 8, today)
    kept = [
        fill(state / "games" / "2.log", 8, 2),
        fill(state / "games" / "0.spoof", 8, 0),
        fill(state / "games" / "1.spoof", 8, 1),
        fill(state / "games" / "3.log", 8, 3),
        fill(state / "tables" / "u" / "b.journal", 8, 4),
    ]
    for gone in range(len(kept) + 1):
        quota.make_room(state)
        assert [each.exists() for each in kept] == [False] * gone + [True] * (len(kept) - gone)
        fill(state / "more" / str(gone), 8)
    assert own.exists() and running.exists()


def test_many_small_games_make_room_as_well(state: Path) -> None:
    games = [fill(state / "games" / f"{number}.spoof", 0, number) for number in range(150)]
    quota.make_room(state)
    assert [each.exists() for each in games] == [False] * 75 + [True] * 75
