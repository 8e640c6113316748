"""`spoof rules`: rulebooks in plain text."""

import subprocess
import sys

import pytest

from protocol.rules.options import PRESETS
from spoof_tui.__main__ import main


@pytest.fixture(autouse=True)
def columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["rules", *words]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("columns", ["40", "80", "200"])
def test_a_whole_book_is_wrapped_to_the_terminal(
    preset: str,
    columns: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    text = printed(capsys, preset)
    assert max(map(len, text.splitlines())) <= min(int(columns), 88)
    assert "G6" in text and "Customs of the table" in text


def test_changes_are_words_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "milan", "cap=5", "zero=first-action")
    assert text.startswith("Milan, but cap 5, zero as first word\n")
    assert "The cap is 5" in text


def test_changes_may_be_one_word_as_in_a_record(capsys: pytest.CaptureFixture[str]) -> None:
    assert printed(capsys, "milan cap=5") == printed(capsys, "milan", "cap=5")


def test_what_differs_is_marked(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, "bid-spoof").splitlines()
    assert next(line for line in lines if " R8 " in line).startswith("* R8")
    assert next(line for line in lines if " R7 " in line).startswith("  R7")
    assert "       (Milan: no cap; here cap 3)" in lines


def test_a_book_without_differences_needs_no_legend(capsys: pytest.CaptureFixture[str]) -> None:
    assert "*" not in printed(capsys, "hollywood")


@pytest.mark.parametrize("columns", ["40", "60", "80", "120"])
def test_without_a_preset_the_presets_are_compared(
    columns: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    text = printed(capsys)
    assert max(map(len, text.splitlines())) <= int(columns)
    assert all(text.count(f"\n{name} ") or text.startswith(f"{name} ") for name in PRESETS)
    assert "\n  zero_starter" in text and "\n  impossible" in text


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        (["chess"], "no preset is called 'chess'"),
        (["mi\x1b[2Jlan"], "no preset is called 'mi\\x1b[2Jlan'"),
        (["milan", "cap"], "milan has no option called 'cap'"),
        (["milan", "cap=lots"], "cap is a number or none"),
        (["hollywood", "cap=3"], "hollywood has no option called 'cap'"),
    ],
)
def test_what_there_is_not_is_one_clear_sentence(
    words: list[str], wrong: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rules", *words]) == 2
    out, err = capsys.readouterr()
    assert not out
    assert err.startswith("spoof rules: ") and wrong in err
    assert err.count("\n") == 1 and "\x1b" not in err


def test_nothing_that_draws_is_imported() -> None:
    program = (
        "import sys; from spoof_tui.__main__ import main; main(['rules', 'milan']);"
        "sys.exit(any(name in sys.modules for name in ('textual', 'rich', 'asyncio', 'zeroconf')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=20)
    assert done.returncode == 0


def test_a_terminal_of_few_letters_gets_question_marks() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "spoof_tui", "rules", "milan"],
        capture_output=True,
        timeout=20,
        env={"PYTHONIOENCODING": "ascii", "PATH": ""},
    )
    assert done.returncode == 0
    assert b"?Start us off!?" in done.stdout


def test_the_book_of_a_table_with_buttons_speaks_of_buttons(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = printed(capsys, "milan", "token=buttons")
    assert "starts with three buttons" in text and "You hide buttons" in text
    assert "starts with three coins" in printed(capsys, "milan")
