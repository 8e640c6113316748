"""What is said where nothing is kept, or where others can read it; and that it is true."""

from __future__ import annotations

import errno
import os
import sys
import tempfile
from pathlib import Path

import pytest

from spoof_tui.history.index import consult
from spoof_tui.history.queries import games
from spoof_tui.storage import keeping, paths
from spoof_tui.storage.identity import Identity
from spoof_tui.storage.journal import open_journal
from spoof_tui.storage.settings import Settings
from tests.spoof_tui.storage.played import BLOBS, ID, OVER, WHOLE
from tests.spoof_tui.storage.refusing import without_modes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")

KEY = bytes(32)


def keeps() -> tuple[bool, bool, bool]:
    """Whether seats, tables and settings are kept."""
    identity = Identity.claim()
    is_seat_kept, is_saved = identity.may_be_wanted, True
    identity.release()
    try:
        Settings("Maria").save()
    except OSError:
        is_saved = False
    return is_seat_kept, open_journal(ID, KEY).is_lasting, is_saved


def test_nothing_is_said_where_all_is_kept(state: Path) -> None:
    assert keeping.trouble() == "" and keeps() == (True, True, True)


@pytest.mark.parametrize("mask", [0o022, 0o077])
def test_a_folder_without_modes_keeps_everything_and_it_is_said_who_can_read_it(
    state: Path, mask: int
) -> None:
    with without_modes(state, mask):
        told = f"Others who use this computer can read what is kept here: {state}"
        assert keeping.trouble() == ("" if mask == 0o077 else told)
        assert keeps() == (True, True, True)
        store = open_journal(ID, KEY)
        store.write(*WHOLE)
        assert [entry.blob for entry in store.read().entries] == BLOBS
        assert store.archive(OVER, WHOLE) and len(consult(games)[0]) == 1
        store.close()
    assert keeping.trouble() == ""


def test_a_folder_of_another_user_keeps_nothing(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    with without_modes(state, 0o022):
        why = "it belongs to another user"
        assert keeping.trouble() == f"Nothing can be saved in {state}: {why}."
        assert keeps() == (False, False, False)
    monkeypatch.undo()
    assert keeping.trouble() == ""


@pytest.mark.parametrize("name", ["identities", "tables", "games"])
def test_it_is_said_which_folder_keeps_nothing(state: Path, name: str) -> None:
    (state / name).touch()
    assert keeping.trouble() == f"Nothing can be saved in {state / name}: File exists."
    (state / name).unlink()
    assert keeping.trouble() == ""


def test_below_the_home_directory_the_path_is_short(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(state.parent))
    monkeypatch.setenv(paths.STATE_VARIABLE, str(state / "file" / "below"))
    (state / "file").touch()
    folder = Path("~") / state.name / "file" / "below"
    assert keeping.trouble() == f"Nothing can be saved in {folder}: Not a directory."


@pytest.mark.parametrize(
    ("number", "told"),
    [(errno.EROFS, "Read-only file system."), (errno.ENOSPC, ""), (errno.EDQUOT, "")],
)
def test_a_disk_that_cannot_be_written_keeps_nothing_and_a_full_one_waits(
    state: Path, number: int, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(dir: Path) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "access", lambda *_: False)
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    assert keeping.trouble() == (f"Nothing can be saved in {state}: {told}" if told else "")


def test_looking_writes_nothing_where_all_is_well(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "TemporaryFile", None)
    assert keeping.trouble() == ""
