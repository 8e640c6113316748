"""`spoof check`: its lines, streams and exit codes, exactly as NOTATION.md has them."""

import io
import json
import sys
from pathlib import Path

import pytest

from spoof_tui.commands.check import MAX_STRANGE, main
from tests.protocol.notation.games import KYIV, SCHOOL, only

WRONG = KYIV.replace("= S3 D3 M2", "= S3 D3 M1").replace("S4 D!", "S3 D!")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_that_is_well_is_one_line_on_standard_output(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.spoof").write_text(KYIV + KYIV, encoding="utf-8")
    assert main(["a.spoof"]) == 0
    assert capsys.readouterr() == ("a.spoof: ok, 2 games, 6 rounds\n", "")


def test_every_fault_is_one_line_on_standard_error(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.spoof").write_text(WRONG, encoding="utf-8")
    assert main(["a.spoof"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "a.spoof:7: round 1: after this round the coins are S3 D3 M2 and not S3 D3 M1 (R7)\n"
        "a.spoof:8: round 2: 'S3' is not above the standing bid of 3 (R6)\n"
    )


def test_what_is_no_record_at_all_is_not_read_to_its_end(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.spoof").write_bytes(b"\xff\n" * 1000)
    assert main(["a.spoof"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == MAX_STRANGE + 1
    assert told[-1].endswith("this is no game record: the rest is not read")


def test_a_fault_outside_the_rounds_names_no_round(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.spoof").write_text(KYIV.replace("three", "four"), encoding="utf-8")
    assert main(["a.spoof"]) == 1
    assert capsys.readouterr().err.startswith("a.spoof:3: the rules cannot be read: ")


def test_a_file_that_cannot_be_read_is_2_and_the_others_are_checked(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.spoof").write_text(KYIV, encoding="utf-8")
    (here / "b.spoof").write_text(WRONG, encoding="utf-8")
    assert main(["none", ".", "a\0b", "b.spoof", "a.spoof"]) == 2
    out, err = capsys.readouterr()
    assert out == "a.spoof: ok, 1 games, 3 rounds\n"
    assert err.splitlines()[0] == "none: cannot be read: No such file or directory"
    assert err.splitlines()[1] == ".: cannot be read: Is a directory"
    assert len(err.splitlines()) == 5


def test_a_dash_is_the_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(KYIV.encode())))
    assert main(["-"]) == 0
    assert capsys.readouterr().out == "-: ok, 1 games, 3 rounds\n"


def test_no_files_and_unknown_options_are_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert main(["--nothing", "x"]) == 2
    assert main(["--help"]) == 0


def test_nothing_in_a_file_or_its_name_reaches_the_terminal_as_a_command(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "\x1b[2J\u202e.spoof"
    text = KYIV.replace("three-coins", "\x1b]0;x\x07\u202e").replace("M6", "\x9b2J").encode()
    (here / name).write_bytes(text + b"\xff\x00")
    assert main([name]) == 1
    assert main(["--json", name]) == 1
    assert main([name, "--json", name + "2"]) == 2
    assert main(["--" + name]) == 2
    out, err = capsys.readouterr()
    assert (out + err).replace("\n", "").isprintable()


def test_letters_of_other_alphabets_stay_readable(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "гра.spoof").write_text(KYIV.replace('"*"', '"Олена"'), encoding="utf-8")
    assert main(["гра.spoof"]) == 1
    assert capsys.readouterr().err == "гра.spoof:5: 'Олена' is the tag of no seat (notation)\n"


def test_what_a_terminal_cannot_write_is_escaped(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "гра").write_text(KYIV, encoding="utf-8")
    output = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(output, "ascii", write_through=True))
    assert main(["гра"]) == 0
    assert output.getvalue() == b"\\u0433\\u0440\\u0430: ok, 1 games, 3 rounds\n"


def test_json_holds_what_was_recomputed_and_the_errors(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.spoof").write_text(WRONG + KYIV, encoding="utf-8")
    assert main(["--json", "a.spoof"]) == 1
    out, err = capsys.readouterr()
    first, second = json.loads(out)["games"]
    assert err == ""
    assert list(second) == ["rules", "seats", "rounds", "winner", "errors"]
    assert (first["rounds"][0], second["errors"]) == (second["rounds"][0], [])
    assert second["rounds"][1]["words"][-1] == ["D", "call"]
    assert first["errors"][1] == {
        "line": 8,
        "round": 2,
        "clause": "R6",
        "message": "'S3' is not above the standing bid of 3",
    }


def test_a_school_is_checked_and_its_json_names_the_payer(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.spoof").write_text(SCHOOL, encoding="utf-8")
    assert main(["a.spoof"]) == 0
    assert capsys.readouterr().out == "a.spoof: ok, 1 games, 3 rounds\n"
    assert main(["--json", "a.spoof"]) == 0
    (game,) = json.loads(capsys.readouterr().out)["games"]
    assert list(game) == ["rules", "seats", "rounds", "payer", "errors"]
    assert game == only(SCHOOL).as_json()


def test_json_of_several_files_is_one_document_that_names_them(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a").write_text(KYIV, encoding="utf-8")
    (here / "b").write_text("", encoding="utf-8")
    assert main(["a", "none", "b", "--json"]) == 2
    games = json.loads(capsys.readouterr().out)["games"]
    assert [game["file"] for game in games] == ["a", "b"]
    assert games[1]["rules"] is None
