"""Files where the player says, and how little a visitor may say."""

import os
import sys
from pathlib import Path

import pytest

from spoof_tui.storage.chosen_file import named, write
from spoof_tui.visiting import DOOR_VARIABLE, DoorKind

TEXT = "a\nї\n"


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    """A file that is there already."""
    path = tmp_path / "kept"
    path.write_text("mine", "utf-8")
    return path


def test_a_text_is_written_as_it_is(tmp_path: Path) -> None:
    path = named(str(tmp_path / "games.csv"), replaces=False)
    write(path, TEXT)
    assert path.read_bytes() == TEXT.encode()


def test_a_file_that_is_there_is_replaced_only_if_that_is_meant(kept: Path) -> None:
    with pytest.raises(FileExistsError):
        named(str(kept), replaces=False)
    with pytest.raises(FileExistsError):
        write(kept, TEXT)
    assert kept.read_text("utf-8") == "mine"
    write(named(str(kept), replaces=True), TEXT, replaces=True)
    assert kept.read_text("utf-8") == TEXT


@pytest.mark.skipif(sys.platform == "win32", reason="links are for a few users only there")
def test_a_link_to_nowhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(FileExistsError):
        write(named(str(tmp_path / "link"), replaces=False), TEXT)
    assert not (tmp_path / "elsewhere").exists()


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    unfit = ["", "a\0b", str(tmp_path), str(tmp_path / ("x" * 300))]
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        unfit.append(str(tmp_path / "pipe"))
    for typed in unfit:
        with pytest.raises(ValueError):
            named(typed, replaces=True)


@pytest.mark.parametrize("kind", DoorKind)
def test_behind_a_door_no_path_leads_anywhere(
    kind: DoorKind, kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(DOOR_VARIABLE, kind.value)
    for path in (kept, kept.with_name("new"), Path("here")):
        with pytest.raises(ValueError, match="You play by ssh"):
            named(str(path), replaces=True)
        with pytest.raises(PermissionError):
            write(path, TEXT, replaces=True)
    assert kept.read_text("utf-8") == "mine" and not kept.with_name("new").exists()
