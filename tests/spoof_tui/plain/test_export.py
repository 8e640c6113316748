"""Games written to a file from the lobby in plain lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from spoof_tui.visiting import DOOR_VARIABLE
from tests.helpers.histories import fill
from tests.spoof_tui.plain.stage import LobbyStage


def test_games_are_written_once_and_in_a_kind_that_there_is(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    fill(state, 3)
    lobby = LobbyStage()
    assert "Written" in " ".join(lobby.hear(">", "export games.csv"))
    assert len((tmp_path / "games.csv").read_text().splitlines()) > 3
    assert "A file with that name exists" in " ".join(lobby.hear(">", "export games.csv"))
    assert ".csv, .json" in " ".join(lobby.hear(">", "export games.txt"))
    monkeypatch.setenv(DOOR_VARIABLE, "own")
    assert "You are playing through a door" in " ".join(lobby.hear(">", "export games.json"))
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["games.csv"]
