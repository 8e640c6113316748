"""`spoof stats`: the years, and an evening."""

import json
from pathlib import Path

import pytest

from spoof_tui.commands.stats import main
from tests.helpers.histories import fill


def test_the_years_are_printed(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(state, 60)
    assert main([]) == 0
    assert capsys.readouterr().out.startswith("Games\n60 games, ")


def test_those_of_some_rules_only(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(state, 60)
    assert main(["--rules", "hollywood"]) == 0
    told = capsys.readouterr().out
    assert "Your guesses" in told and "Your bids" not in told


def test_an_evening_is_the_last_one_or_another(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(state, 20)
    first: list[str] = []
    for words in (["--evening"], ["--evening", "1"], ["--evening", "2"], ["--evening", "9"]):
        assert main(words) == 0
        first.append(capsys.readouterr().out.splitlines()[0])
    assert first[0] == first[1] != first[2]
    assert first[3] == "There is no such evening."


def test_both_are_json_documents(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(state, 20)
    assert main(["--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["games"] == 20 and set(told["odds"]) == {"call", "cliff", "spoof", "zero", "all"}
    assert main(["--evening", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["games"]) == 5 and told["table"][0]["places"]


def test_a_history_that_cannot_be_read_is_told(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (state / "games").touch()
    assert main([]) == 2
    assert capsys.readouterr().err.startswith("The history cannot be read: ")
