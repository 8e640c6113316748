"""How pages of the history are printed."""

import sqlite3

import pytest

from spoof_tui.commands import pages
from spoof_tui.history.schema import FILE
from spoof_tui.storage import folders, paths
from spoof_tui.ui.history.pictures import Tone


def test_what_is_no_terminal_gets_no_colours(capsys: pytest.CaptureFixture[str]) -> None:
    pages.print_page([(("a", Tone.TITLE), ("b  ", Tone.BAD)), ()])
    assert capsys.readouterr().out == "ab\n\n"


def test_a_terminal_gets_colours_unless_nobody_wants_them(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    pages.print_page([(("a", Tone.TITLE),)])
    monkeypatch.setenv("NO_COLOR", "1")
    pages.print_page([(("a", Tone.TITLE),)])
    assert capsys.readouterr().out == "\x1b[1;33ma\x1b[0m\na\n"


def test_ascii_gets_ascii(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "C")
    pages.print_page([(("0–20 % …", Tone.TEXT),)])
    assert capsys.readouterr().out.isascii()


def test_a_damaged_file_is_told_of_and_all_goes_on(capsys: pytest.CaptureFixture[str]) -> None:
    (paths.state_folder() / FILE).write_bytes(b"no database at all " * 100)
    assert pages.asked(lambda connection: 7) == 7
    assert "The file of the history was damaged" in capsys.readouterr().err


def test_a_record_that_is_passed_over_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    folder = folders.games_folder()
    for number in range(5):
        (folder / f"{number}.spoof").mkdir()
    assert pages.asked(lambda connection: 7) == 7
    told = capsys.readouterr().err.splitlines()
    assert told[0].startswith("The record 0.spoof is passed over: ")
    assert len(told) == 4 and told[-1].startswith("2 more")


def test_what_cannot_be_read_is_a_sentence() -> None:
    def fails(_connection: sqlite3.Connection) -> None:
        raise sqlite3.OperationalError("database is locked")

    with pytest.raises(pages.CannotConsult, match="database is locked"):
        pages.asked(fails)


def test_a_page_is_neither_too_wide_nor_too_narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    for columns, width in (("10", 40), ("80", 79), ("300", 96)):
        monkeypatch.setenv("COLUMNS", columns)
        assert pages.width() == width
