"""Where files are kept, and that nobody else can read them."""

import stat
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from spoof_tui.storage import folders, paths
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.identity import Identity
from spoof_tui.storage.settings import Settings

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has other permissions")

payloads = st.lists(st.binary(min_size=1, max_size=40), max_size=6)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def written(path: Path, *parts: bytes) -> Frames:
    path.write_bytes(b"".join(parts))
    return Frames(path)


def test_the_variable_names_the_state_directory(state: Path) -> None:
    assert folders.home() == state


def test_the_state_directory_is_made(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(paths.STATE_VARIABLE, str(state / "deep" / "down"))
    assert folders.home().is_dir()


def test_without_the_variable_the_system_says_where(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(paths.STATE_VARIABLE, "")
    monkeypatch.setenv("XDG_STATE_HOME", str(state / "xdg"))
    monkeypatch.setattr(Path, "home", lambda: state)
    monkeypatch.setenv("HOME", str(state))
    assert state in folders.home().parents


@posix_only
def test_everything_is_private(state: Path) -> None:
    state.chmod(0o755)
    Settings("Maria").save()
    Identity.claim().release()
    Frames(folders.table_folder(bytes(32)) / "host.log").append(b"entry")
    folders.games_folder()
    modes: dict[bool, set[int]] = {True: set(), False: set()}
    for path in [state, *state.rglob("*")]:
        modes[path.is_dir()].add(mode(path))
    assert modes == {True: {0o700}, False: {0o600}}
