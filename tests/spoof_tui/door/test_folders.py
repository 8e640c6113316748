"""Where a door keeps its visitors' files."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from spoof_tui.door import folders
from spoof_tui.door.folders import (
    Stay,
    doors_folder,
    forget_guests,
    has_guest,
    is_guest,
)

TABLE = bytes(range(32))
PLACE = "10.0.0.1"

SECOND_DOOR = "from spoof_tui.door.folders import forget_guests; forget_guests(b'')"


_stays: list[Stay] = []


@pytest.fixture(autouse=True)
def _gone() -> Iterator[None]:
    yield
    while _stays:
        _stays.pop().end()


def stay_of_key(key: bytes, place: str = PLACE) -> Stay:
    """A visitor who is here until the end of the test."""
    _stays.append(folders.stay_of_key(key, place))
    return _stays[-1]


def stay_of_guest(table: bytes, name: str, word: str) -> Stay:
    _stays.append(folders.stay_of_guest(table, name, word, PLACE))
    return _stays[-1]


def folder_of_key(key: bytes, place: str = PLACE) -> Path:
    """The directory of a visitor who has gone again."""
    stay = stay_of_key(key, place)
    stay.end()
    return stay.folder


def folder_of_guest(table: bytes, name: str, word: str) -> Path:
    stay = stay_of_guest(table, name, word)
    stay.end()
    return stay.folder


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is kept."""
    monkeypatch.setattr(folders, "MAX_KEPT", 5)
    monkeypatch.setattr(folders, "MAX_OF_PLACE", 3)


@pytest.fixture
def awaited(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """The directories of those who have a seat."""
    seated: set[Path] = set()
    monkeypatch.setattr(folders, "is_missed", lambda folder, wall: folder in seated)
    return seated


def test_a_key_leads_to_the_same_private_directory() -> None:
    folder = folder_of_key(b"Ann's")
    assert folder == folder_of_key(b"Ann's", "10.0.0.2") != folder_of_key(b"Ben's")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "other", [(b"", "Ann", "WORD"), (TABLE, "Ben", "WORD"), (TABLE, "Ann", "W0RD")]
)
def test_a_guest_is_a_name_and_a_word_for_one_table(other: tuple[bytes, str, str]) -> None:
    folder = folder_of_guest(TABLE, "Ann", "WORD")
    assert folder == folder_of_guest(TABLE, "Ann", "WORD")
    assert is_guest(TABLE, "ann", "WORD") and has_guest(TABLE, "ann")
    assert not is_guest(*other)
    assert folder != folder_of_guest(*other)


def test_of_a_word_there_is_but_a_hash_on_the_disk() -> None:
    folder = folder_of_guest(TABLE, "Ann", "WORD")
    assert "WORD" not in str(folder) and not list(folder.iterdir())


def test_no_name_leads_out_of_the_directory() -> None:
    parent = folder_of_guest(TABLE, "Ann", "WORD").parent
    assert folder_of_guest(TABLE, "../../keys", "../../x").parent == parent
    assert not has_guest(TABLE, "*")


def test_guests_of_tables_that_are_closed_are_forgotten() -> None:
    old, kept = folder_of_guest(bytes(32), "Ann", "WORD"), folder_of_key(b"Ann's")
    mine = folder_of_guest(TABLE, "Ann", "WORD")
    forget_guests(TABLE)
    assert (old.parent.exists(), mine.exists(), kept.exists()) == (False, True, True)


def test_a_second_door_leaves_the_guests_of_the_first(awaited: set[Path]) -> None:
    inside = stay_of_guest(TABLE, "Ann", "WORD")
    awaited.add(away := folder_of_guest(TABLE, "Ben", "WORD"))
    gone = folder_of_guest(TABLE, "Cleo", "WORD")
    forget_guests(bytes(32))
    assert [each.exists() for each in (inside.folder, away, gone)] == [True, True, False]


def test_a_guest_is_seen_from_the_program_of_another_door() -> None:
    inside = stay_of_guest(TABLE, "Ann", "WORD")
    subprocess.run([sys.executable, "-c", SECOND_DOOR], check=True)
    assert inside.folder.exists()
    inside.end()
    subprocess.run([sys.executable, "-c", SECOND_DOOR], check=True)
    assert not inside.folder.exists()


@pytest.mark.usefixtures("small")
def test_who_was_away_longest_makes_room() -> None:
    first = [folder_of_key(bytes([number])) for number in range(3)]
    for age, folder in enumerate(first):
        os.utime(folder, (age, age))
    folder_of_key(bytes([0]))
    folder_of_key(b"new")
    assert [folder.exists() for folder in first] == [True, False, True]
    assert len([*doors_folder().glob("keys/*")]) == 6  # with a file beside each of them


@pytest.mark.usefixtures("small")
def test_who_sat_at_a_table_goes_after_those_who_did_not() -> None:
    player = folder_of_key(b"player")
    (player / "tables" / "one").mkdir(parents=True)
    (player / "tables" / "one" / "seat.journal").touch()
    os.utime(player, (0, 0))
    for number in range(20):
        folder_of_key(bytes([number]))
    assert player.exists()


@pytest.mark.usefixtures("small")
def test_fresh_keys_take_nothing_from_those_who_are_here_or_have_a_seat(
    awaited: set[Path],
) -> None:
    inside = stay_of_key(b"inside")
    awaited.add(away := folder_of_key(b"away"))
    elsewhere = folder_of_key(b"elsewhere", "10.0.0.2")
    for each in (inside.folder, away, elsewhere):
        os.utime(each, (0, 0))
    for number in range(20):
        folder_of_key(bytes([number]))
    assert all(each.exists() for each in (inside.folder, away, elsewhere))


@pytest.mark.usefixtures("small")
def test_newcomers_are_refused_where_nobody_can_go() -> None:
    here = [stay_of_key(bytes([number])) for number in range(3)]
    with pytest.raises(OSError, match="only they can come in"):
        stay_of_key(b"new")
    here += [stay_of_key(bytes([number]), "10.0.0.2") for number in (3, 4)]
    with pytest.raises(OSError, match="only they can come in"):
        stay_of_key(b"new", "10.0.0.3")
    assert folder_of_key(bytes([0])).exists()
    here[4].end()
    assert folder_of_key(b"new", "10.0.0.3").exists()
    assert all(each.folder.exists() for each in here[:4])


@pytest.mark.usefixtures("small")
def test_the_busiest_place_makes_room_for_a_new_one() -> None:
    folder_of_key(b"rare", "10.0.0.9")
    crowd = [folder_of_key(bytes([number])) for number in range(3)]
    folder_of_key(b"other", "10.0.0.8")
    folder_of_key(b"new", "10.0.0.7")
    assert [each.exists() for each in crowd].count(False) == 1
    assert folder_of_key(b"rare", "10.0.0.9").exists()
