"""`spoof review`: one player's words in a game, judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from spoof_tui.commands.review import main

GAME = """[Event "An evening"]
[Rules "milan"]
[Seats "G:Guinea F:Florin D:Drachma"]
[Result "D"]

1.< G3 D4 F8 G! (G1 F0 D0) F- = G3 F2 D3
2.< F2 G5 D! (G1 F1 D1) G- = G2 F2 D3
3.< G3 D! (G1 F1 D1) D- = G2 F2 D2
4. D3 G5 F! (G1 F1 D2) G- = G1 F2 D2
5.< G1 D2 F! (G0 F0 D0) D- = G1 F2 D1
6. D2 G= (G1 F2 D1) G- = G0 F2 D1
7. F1 D= (F0 D1) D+ = F2 D2
8. D2 F4 D! (F0 D0) F- = F1 D2
9. F1 D2 F= (F1 D0) F- = F0 D2
"""


@pytest.fixture
def record(tmp_path: Path) -> str:
    path = tmp_path / "game.spoof"
    path.write_text(GAME, "utf-8")
    return str(path)


def test_the_words_of_a_player_are_judged(record: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([record, "--player", "Florin"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Florin\n")
    assert "Round 1, holding 0, on a bid of 4: bid 8 cost" in told and "What to learn:" in told


def test_every_word_is_in_the_json_document(
    record: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([record, "--player", "Drachma", "--json"]) == 0
    (game,) = json.loads(capsys.readouterr().out)
    assert [each["said"] for each in game["decisions"]] == [
        "4", "call", "call", "3", "2", "2", "cliff", "2", "call", "2",
    ]  # fmt: skip
    assert len(game["chances"]) == 10 and game["chances"][-1] == [0.0, 0.0, 1.0]


@pytest.mark.parametrize("words", [[], ["--player", "Nobody"]])
def test_it_says_who_there_is_where_nobody_is_meant(
    record: str, words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([record, *words]) == 2
    assert "Guinea, Florin, Drachma" in capsys.readouterr().err


def test_a_file_that_is_no_record_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").write_text("", "utf-8")
    assert main([str(tmp_path / "empty")]) == 2
    assert main([str(tmp_path / "missing")]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 2
