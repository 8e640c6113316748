"""`spoof arena`: its table, its JSON, its records, and its sentences."""

import json
import sys
from pathlib import Path

import pytest

from spoof_tui.bots.tournament import Result
from spoof_tui.commands import arena, check
from spoof_tui.commands.arena import Records
from tests.helpers.pty import Terminal
from tests.spoof_tui.runtime.engines import engine

PLAIN = ["random", "small", "small", "--games", "20", "--jobs", "1", "--seed", "7"]


def printed(words: list[str], capsys: pytest.CaptureFixture[str], status: int = 0) -> str:
    assert arena.main(words) == status
    out, err = capsys.readouterr()
    return err if status else out


def test_the_table_names_everybody_once_with_rate_and_error(
    capsys: pytest.CaptureFixture[str],
) -> None:
    head, empty, _, *rows, gap, fair = printed(PLAIN, capsys).splitlines()
    assert head == "20 games of milan, seed 7"
    assert (empty, gap) == ("", "")
    assert {row.split()[0] for row in rows} == {"random", "small"}
    assert all(" % ± " in row for row in rows)
    assert [row.endswith(" each") for row in rows if row.startswith("small")] == [True]
    assert fair.startswith("Fair is 33.3 %.")


def test_the_same_seed_prints_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(PLAIN, capsys) == printed(PLAIN, capsys)


def test_json_has_the_same_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    words = [*PLAIN, "--rules", "hollywood", "--json"]
    found = json.loads(printed(words, capsys))
    assert (found["rules"], found["games"], found["seed"]) == ("hollywood", 20, 7)
    assert sum(row["paid"] for row in found["players"]) + found["undecided"] == 20


def test_the_records_keep_the_rules(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "deep" / "records"
    printed([*PLAIN, "--records", str(folder), "--rules", "bid-spoof zero=opening-only"], capsys)
    [file] = folder.iterdir()
    assert file.name == "games-000001-000020.spoof"
    assert check.main([str(file)]) == 0
    assert "ok, 20 games" in capsys.readouterr().out


def test_the_records_of_another_tournament_are_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "games-000001-001000.spoof"
    kept.write_text("mine", "utf-8")
    assert "another tournament" in printed([*PLAIN, "--records", str(tmp_path)], capsys, status=1)
    assert kept.read_text("utf-8") == "mine"


def test_records_are_written_in_order_and_in_files_of_a_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arena, "GAMES_PER_FILE", 2)
    kept = Records(tmp_path)
    for number in (1, 0, 4, 2, 3):
        kept.add(Result(number, 0, 1, f"{number}\n"))
    kept.close()
    files = {path.name: path.read_text("utf-8") for path in tmp_path.iterdir()}
    assert files == {
        "games-000001-000002.spoof": "0\n\n1\n",
        "games-000003-000004.spoof": "2\n\n3\n",
        "games-000005-000005.spoof": "4\n",
    }


def test_a_folder_that_cannot_be_made_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "file"
    file.touch()
    sentence = printed([*PLAIN, "--records", str(file / "in")], capsys, status=1)
    assert sentence.startswith("spoof: ") and "Not a directory" in sentence


def test_an_engine_that_fails_is_two_sentences_and_status_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = engine(tmp_path, "    print('\\x1b[2J', flush=True)\n")
    words = ["random", f"engine:{bad}", "--games", "5", "--jobs", "1"]
    first, second = printed(words, capsys, status=1).splitlines()
    assert first.startswith("spoof: The engine Doubter has failed: its answer is no JSON")
    assert second.endswith("That was the second time in one game: it plays no more.")
    assert first.isprintable() and second.isprintable()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["hard"], "2 to 9 players sit at a table"),
        (["hard"] * 10, "2 to 9 players sit at a table"),
        (["hard", "gods"], "nobody is called gods"),
        (["hard", "a\x1bb"], "nobody is called a\\x1bb"),
        (["hard", "easy", "--games", "0"], "0 is not from 1 to"),
        (["hard", "easy", "--time", "0"], "a time is more than 0"),
        (["hard", "easy", "--rules", "poker"], "no preset is called 'poker'"),
    ],
)
def test_a_wrong_argument_is_one_sentence(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        arena.main(words)
    assert stop.value.code == 2
    last = capsys.readouterr().err.strip().splitlines()[-1]
    assert last.startswith("spoof arena: error: ") and sentence in last


def test_a_terminal_sees_how_far_it_is_and_after_ctrl_c_what_was_played() -> None:
    command = [sys.executable, "-m", "spoof_tui", "arena", "easy", "small"]
    with Terminal([*command, "--games", "9999999", "--jobs", "2"]) as terminal:
        terminal.wait("of 9999999 games")
        terminal.send("\x03")
        terminal.wait("Fair is 50.0 %.")
        assert terminal.wait_exit() == 130
        assert "Traceback" not in terminal.text()
