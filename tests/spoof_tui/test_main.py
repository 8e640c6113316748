"""The command line: what is run, and with which arguments and status."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from spoof_tui.__main__ import main
from spoof_tui.commands.printing import WIDEST
from spoof_tui.commands.summaries import COMMANDS
from spoof_tui.text import i18n
from spoof_tui.text.documents import TOPICS, page


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[object, str]:
    """The status, and all output."""
    try:
        status: object = main(words)
    except SystemExit as stop:
        status = stop.code
    return status, "".join(capsys.readouterr())


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_of_its_own_and_takes_no_unknown_option(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for words in ([name, "--help"], ["help", name]):
        status, told = said(capsys, *words)
        is_topic = words[0] == "help" and name in TOPICS
        assert status == 0 and told.startswith(f"usage: spoof {name} ") is not is_topic
    status, told = said(capsys, name, "--no-such-option\x1b[2J\u202e")
    assert status == 2 and f"Try: spoof {name} --help" in told
    assert told.replace("\n", "").isprintable()
    assert f"\n  {name} " in said(capsys, "--help")[1]


def test_no_word_of_argparse_is_left_in_english(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(i18n.VARIABLE, "uk")
    told = [said(capsys, *words)[1] for words in (
        ["host", "--help"], ["history", "--rebuild", "--json"], ["check"], ["join", "a", "b", "c"],
        ["host", "--name"], ["host", "--open=yes"], ["host", "--nam", "x", "--s", "3"],
    )]  # fmt: skip
    english = "usage options show error argument required unrecognized expected allowed ambiguous"
    assert [word for word in english.split() if any(f"{word} " in each for each in told)] == []
    assert "\nопції:\n" in told[0], "the options of a command, which are no settings"


@pytest.mark.parametrize("language", i18n.LANGUAGES)
@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_printed_by_each_of_its_names(
    topic: str, language: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SPOOF_LANG", language)
    said(capsys, "help")
    names = (topic, *page(topic).names, topic.upper())
    pages = {said(capsys, "help", name)[1] for name in names}
    i18n.install("en")
    assert len(pages) == 1 and len(text := pages.pop()) > 200
    assert all(len(line) <= WIDEST for line in text.splitlines())


@pytest.mark.parametrize("contents", ["", "raise ImportError('six')"])
def test_another_package_called_protocol_is_noticed(tmp_path: Path, contents: str) -> None:
    package = tmp_path / "protocol"
    package.mkdir()
    (package / "__init__.py").write_text(contents)
    command = [sys.executable, "-m", "spoof_tui", "--version"]
    done = subprocess.run(
        command, cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode == 1 and done.stdout == ""
    [line] = done.stderr.splitlines()
    assert line.startswith("spoof: the package `protocol` of this Python is not Spoof's.")


@pytest.mark.parametrize(("error", "status"), [(KeyboardInterrupt, 130), (BrokenPipeError, 1)])
def test_an_interrupted_command_ends_quietly(
    error: type[BaseException], status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(words: object) -> int:
        raise error

    monkeypatch.setattr("spoof_tui.commands.demo.main", fail)
    assert main(["demo"]) == status


@pytest.mark.unix("an interrupt that a program sends itself")
def test_an_interrupt_while_modules_are_loaded_ends_the_program_quietly() -> None:
    program = """
import os, signal
from spoof_tui import __main__ as program
program.main = lambda: os.kill(os.getpid(), signal.SIGINT)
program.run()
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert (done.returncode, done.stderr) == (-signal.SIGINT, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize(
    "words", ["rules", "demo", "help keys", "stats", "--version", "host --help"]
)
def test_a_disk_without_room_for_what_is_printed_is_told_in_a_sentence(
    words: str, unbuffered: str
) -> None:
    environment = {**os.environ, "PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "spoof_tui", *words.split()]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment
        )
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line == "spoof: the output could not be written: No space left on device"


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
