"""`spoof history`: the list, and what can be done with the games on it."""

import csv
import json
from pathlib import Path

import pytest

from protocol.notation import read
from spoof_tui.commands.history import main
from tests.helpers.histories import fill


@pytest.fixture
def told(state: Path, capsys: pytest.CaptureFixture[str]) -> pytest.CaptureFixture[str]:
    fill(state, 60)
    return capsys


def lines(told: pytest.CaptureFixture[str], *words: str) -> list[str]:
    assert main([*words]) == 0
    return told.readouterr().out.splitlines()


def test_the_last_games_are_listed(told: pytest.CaptureFixture[str]) -> None:
    found = lines(told)
    assert len(found) == 21 and "40 more" in found[-1]
    assert [line.split()[0] for line in found[:20]] == [*map(str, range(1, 21))]


@pytest.mark.parametrize(
    ("words", "holds"),
    [
        (["--rules", "hollywood"], "Hollywood"),
        (["--with", "eve"], "Eve"),
        (["--result", "won", "--rules", "milan"], "won"),
    ],
)
def test_they_can_be_filtered(
    told: pytest.CaptureFixture[str], words: list[str], holds: str
) -> None:
    found = lines(told, *words, "--count", "60")
    assert 0 < len(found) < 60 and all(holds in line for line in found)


def test_nothing_that_fits_is_told(told: pytest.CaptureFixture[str]) -> None:
    assert lines(told, "--with", "Nobody") == ["There is no such game."]


def test_before_the_first_game_it_is_told_which_games_are_kept(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "No games are kept yet" in lines(capsys)[0]


def test_one_game_is_told_with_its_files(told: pytest.CaptureFixture[str], state: Path) -> None:
    found = lines(told, "2")
    assert found[1].startswith("  1. ")
    assert Path(found[-1].strip()).parent == state / "games"


@pytest.mark.parametrize("words", [["99"], ["99", "--export", "csv"], ["99", "--review"]])
def test_a_number_that_no_game_has_is_told(
    told: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert main(words) == 2
    assert told.readouterr().err == "There is no game with that number.\n"


def test_an_act_needs_a_game(told: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--replay"])
    assert "say which game" in told.readouterr().err


def test_games_are_printed_or_written(told: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "games.csv"
    assert lines(told, "--export", "csv", "--output", str(path)) == []
    rows = [*csv.DictReader(path.read_text("utf-8").splitlines())]
    assert len({row["game"] for row in rows}) == 60
    printed = "\n".join(lines(told, "3", "--export", "spoof"))
    assert len([*read([printed.encode()])]) == 1


def test_json_is_one_document(told: pytest.CaptureFixture[str]) -> None:
    assert len(json.loads("\n".join(lines(told, "--json", "--rules", "milan")))["games"]) > 0


def test_a_file_that_cannot_be_written_is_told(told: pytest.CaptureFixture[str]) -> None:
    assert main(["--export", "json", "--output", "/nowhere/at/all"]) == 2
    assert told.readouterr().err.startswith("/nowhere/at/all: ")


def test_a_file_that_is_there_is_replaced_only_if_that_is_said(
    told: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "kept"
    path.write_text("mine", "utf-8")
    assert main(["--export", "csv", "--output", str(path)]) == 2
    assert "--replace" in told.readouterr().err and path.read_text("utf-8") == "mine"
    assert main(["--export", "csv", "--output", str(path), "--replace"]) == 0
    assert path.read_text("utf-8").startswith("game,")


def test_the_history_is_made_anew(told: pytest.CaptureFixture[str]) -> None:
    assert lines(told, "--rebuild") == ["60 games in the history."]


def test_a_game_is_reviewed(told: pytest.CaptureFixture[str]) -> None:
    found = lines(told, "1", "--review", "--rules", "milan")
    assert found[0] == "Ada"


def test_a_game_without_its_log_cannot_be_verified(told: pytest.CaptureFixture[str]) -> None:
    assert main(["1", "--verify"]) == 2
    assert "cannot be read" in told.readouterr().err


def test_a_replay_needs_a_terminal(told: pytest.CaptureFixture[str]) -> None:
    assert main(["1", "--replay"]) == 2
    assert "needs a terminal" in told.readouterr().err
