"""The command line: what is run, and with which words and status."""

import contextlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import spoof_tui.__main__ as command_line
from protocol.version import PROGRAM
from spoof_tui import system
from spoof_tui.__main__ import main, run_command
from spoof_tui.commands.summaries import COMMANDS
from spoof_tui.ui.table.controls import ENDING_KEYS, Act

README = Path(command_line.__file__).parents[1].joinpath("README.md").read_text("utf-8")


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[str]]]:
    """The commands that would have run."""
    calls: list[tuple[str, list[str]]] = []

    def run(name: str, words: list[str]) -> int:
        calls.append((name, words))
        return 3

    monkeypatch.setattr(command_line, "run_command", run)
    return calls


Ran = list[tuple[str, list[str]]]


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_gets_the_words_after_it(name: str, ran: Ran) -> None:
    assert main([name, "--help", "x", "--version"]) == 3
    assert ran == [(name, ["--help", "x", "--version"])]


def test_without_a_command_the_lobby_opens(ran: Ran) -> None:
    assert main([]) == 3
    assert ran == [("lobby", [])]


@pytest.mark.parametrize("flag", ["--plain", "--no-plain"])
def test_plain_lines_are_asked_for_alone_or_before_a_command(flag: str, ran: Ran) -> None:
    main([flag])
    main([flag, "host", "--open"])
    assert ran == [("lobby", [flag]), ("host", [flag, "--open"])]


def test_the_words_of_the_process_are_the_default(
    ran: Ran, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["spoof", "demo", "x"])
    main()
    assert ran == [("demo", ["x"])]


def test_no_letter_ends_the_program(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "spoof_tui", "--help"]
    wanted = {"PYTHONIOENCODING": "cp1252", "SPOOF_LANG": "uk", "SPOOF_STATE": str(tmp_path)}
    printed = subprocess.run(command, capture_output=True, env=os.environ | wanted, check=True)
    assert b"Spoof: ???" in printed.stdout


@pytest.mark.parametrize("words", [["--version"], ["--version", "host"]])
def test_the_version_is_printed(
    words: list[str], ran: Ran, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 0
    assert capsys.readouterr().out == f"spoof {PROGRAM}\n"
    assert ran == []


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    said = capsys.readouterr().out
    assert all(f"    {name} " in said for name in COMMANDS)


@pytest.mark.parametrize("words", [["hots"], ["plays"], ["--nonsense"], ["-x"], [""]])
def test_what_is_no_command_is_one_sentence(
    words: list[str], ran: Ran, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    assert capsys.readouterr().err.strip().splitlines()[-1].startswith("spoof: error: ")
    assert ran == []


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_of_its_own(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status: object = run_command(name, ["--help"])
    except SystemExit as stop:
        status = stop.code
    assert status == 0
    assert capsys.readouterr().out.startswith(f"usage: spoof {name} ")


@pytest.mark.parametrize("name", COMMANDS)
def test_no_command_takes_an_unknown_option(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        status: object = run_command(name, ["--no-such-option"])
    except SystemExit as stop:
        status = stop.code
    assert status == 2
    assert f"spoof {name}: error: " in capsys.readouterr().err


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt, 130), (BrokenPipeError, 1)])
def test_an_interrupted_command_ends_quietly(
    error: type[BaseException], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(words: object) -> int:
        raise error

    monkeypatch.setattr("spoof_tui.commands.demo.main", fail)
    assert main(["demo"]) == status


def test_without_a_terminal_it_is_said_what_to_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(system, "has_terminal", lambda: False)
    assert main([]) == 2
    assert "spoof demo" in capsys.readouterr().err


def test_a_reader_that_went_away_is_no_traceback(state: Path) -> None:
    record = state / "long.spoof"
    record.write_text("nonsense\n" * 20_000)
    process = subprocess.Popen(
        [sys.executable, "-m", "spoof_tui", "check", "--json", str(record)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout and process.stderr
    process.stdout.read(1)
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert b"Traceback" not in errors
    assert process.wait(20) in (1, 120)


# The page for players


def test_the_readme_names_every_command_and_no_other() -> None:
    assert set(re.findall(r"`spoof ([a-z]+)", README)) == set(COMMANDS)


def test_every_option_in_the_readme_is_one_of_a_command(capsys: pytest.CaptureFixture[str]) -> None:
    for name in COMMANDS:
        with contextlib.suppress(SystemExit):
            run_command(name, ["--help"])
    known = set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))
    said = re.findall(r"--[a-z][a-z-]*", README.partition("## For developers")[0])
    of_pip = {"--quiet", "--prefer-binary"}
    assert set(said) - of_pip <= known | {"--version"}


def test_the_readme_names_every_key_of_the_table_and_no_other() -> None:
    rows = re.findall(r"^\| (.*?) \| .* \|$", README.partition("### Rules")[0], re.MULTILINE)
    said = {key for row in rows for key in re.findall(r"`([a-z?])`", row)}
    keys = {act.value for act in Act if len(act.value) == 1} | set(ENDING_KEYS) | {"d", "?"}
    assert said == keys
