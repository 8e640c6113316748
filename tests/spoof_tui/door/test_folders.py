"""Where a door keeps what belongs to its visitors."""

import pytest

from spoof_tui.door import folders
from spoof_tui.door.folders import folder_of_guest, folder_of_key, forget_guests

TABLE = bytes(range(32))


def test_a_key_leads_to_the_same_private_directory() -> None:
    folder = folder_of_key(b"Ann's")
    assert folder == folder_of_key(b"Ann's") != folder_of_key(b"Ben's")
    assert folder.stat().st_mode & 0o777 == 0o700
    assert folder.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize(
    "other", [(b"", "10.0.0.1", "Ann"), (TABLE, "10.0.0.2", "Ann"), (TABLE, "10.0.0.1", "Ben")]
)
def test_a_guest_is_a_name_at_an_address_for_one_table(other: tuple[bytes, str, str]) -> None:
    folder = folder_of_guest(TABLE, "10.0.0.1", "Ann")
    assert folder == folder_of_guest(TABLE, "10.0.0.1", "Ann") != folder_of_guest(*other)


def test_no_name_leads_out_of_the_directory() -> None:
    parent = folder_of_guest(TABLE, "10.0.0.1", "Ann").parent
    assert folder_of_guest(TABLE, "10.0.0.1", "../../keys").parent == parent


def test_guests_of_tables_that_are_closed_are_forgotten() -> None:
    old, kept = folder_of_guest(bytes(32), "10.0.0.1", "Ann"), folder_of_key(b"Ann's")
    mine = folder_of_guest(TABLE, "10.0.0.1", "Ann")
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
