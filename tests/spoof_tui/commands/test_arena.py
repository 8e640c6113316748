"""`spoof arena`: its records, and engines that fail."""

from pathlib import Path

import pytest

from spoof_tui.__main__ import main
from spoof_tui.bots.tournament import TournamentResult
from spoof_tui.commands import arena
from spoof_tui.commands.arena import Records
from tests.spoof_tui.runtime.engines import engine


def test_records_are_written_in_files_of_a_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "GAMES_PER_FILE", 2)
    kept = Records(tmp_path)
    for number in range(5):
        kept.add(TournamentResult(number, 0, 1, f"{number}\n"))
    kept.close()
    assert {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()} == {
        "games-000001-000002.spoof": "0\n\n1\n",
        "games-000003-000004.spoof": "2\n\n3\n",
        "games-000005-000005.spoof": "4\n",
    }


def test_an_engine_that_fails_twice_ends_it_in_words_that_command_no_terminal(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = engine(tmp_path, "    print('\\x1b[2J', flush=True)\n")
    assert main(["arena", "random", f"engine:{bad}", "--games", "5", "--jobs", "1"]) == 1
    (told,) = capsys.readouterr().err.splitlines()
    assert told.startswith("spoof: The engine Doubter made a mistake: its answer is not JSON")
    assert told.endswith("That was the engine’s second mistake in one game: it stops playing.")
    assert told.isprintable()
