"""Where a door keeps what belongs to its visitors."""

import pytest

from spoof_tui.door import folders
from spoof_tui.door.folders import (
    folder_of_guest,
    folder_of_key,
    forget_guests,
    has_guest,
    is_guest,
)

TABLE = bytes(range(32))


def test_a_key_leads_to_the_same_private_directory() -> None:
    folder = folder_of_key(b"Ann's")
    assert folder == folder_of_key(b"Ann's") != folder_of_key(b"Ben's")
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
    assert (old.exists(), mine.exists(), kept.exists()) == (False, True, True)


def test_who_was_away_longest_makes_room(monkeypatch: pytest.MonkeyPatch) -> None:
    import os

    monkeypatch.setattr(folders, "MAX_KEPT", 3)
    first = [folder_of_key(bytes([number])) for number in range(3)]
    for age, folder in enumerate(first):
        os.utime(folder, (age, age))
    folder_of_key(bytes([0]))
    folder_of_key(b"new")
    assert [folder.exists() for folder in first] == [True, False, True]
