"""Where the log of an old table is found."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.encoding.framing import frame
from spoof_tui.storage import folders, paths
from spoof_tui.storage.old_logs import old_log
from spoof_tui.storage.seat_store import DiskSeatStore
from tests.protocol.stories import Story, signing_key


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv(paths.STATE_VARIABLE, str(tmp_path / "state"))
    return tmp_path


def save(path: Path, story: Story) -> Path:
    path.write_bytes(b"".join(frame(entry.blob) for entry in story.entries))
    return path


def found(story: Story, *beside: Path, length: int = 1) -> int | None:
    entries = old_log(story.table.id, length, beside)
    return None if entries is None else len(entries)


def test_it_is_one_of_the_files_that_are_named(state: Path) -> None:
    story = Story(2)
    assert found(story, save(state / "any.name", story)) == len(story.entries)


def test_it_lies_in_the_folder_of_the_new_one(state: Path) -> None:
    story = Story(2)
    save(state / "old.log", story)
    assert found(story, state / "new.log") == len(story.entries)


def test_it_is_in_the_archive() -> None:
    story = Story(2)
    save(folders.games_folder() / "a-game.log", story)
    assert found(story) == len(story.entries)


def test_it_is_that_of_an_own_seat() -> None:
    story = Story(2)
    DiskSeatStore(story.table.id, signing_key(0).public).store(*story.entries)
    assert found(story) == len(story.entries)


def test_of_several_it_is_one_that_is_long_enough(state: Path) -> None:
    story, longer = Story(2), Story(2).start(0, 1)
    short = save(state / "short.log", story)
    save(folders.games_folder() / "long.log", longer)
    assert found(story, short, length=len(longer.entries)) == len(longer.entries)


def test_nothing_else_is_taken_for_it(state: Path) -> None:
    (state / "noise.log").write_bytes(b"\n" * 9000)
    (state / "folder.log").mkdir()
    other = save(state / "other.log", Story(2, salt=7))
    assert found(Story(2), other, state / "missing.log") is None
