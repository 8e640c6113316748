"""Pages of the history: colours, letters, and files that are not a history."""

import sqlite3
from pathlib import Path

import pytest

from spoof_tui.__main__ import main
from spoof_tui.commands import pages
from spoof_tui.history.index import FILE
from spoof_tui.plain import app as plain
from spoof_tui.runtime.launch import Launch
from spoof_tui.storage import paths
from spoof_tui.storage.settings import Settings
from spoof_tui.ui.history.pictures import Ink
from tests.helpers.histories import fill

Caught = pytest.CaptureFixture[str]


def test_a_terminal_gets_colours_unless_nobody_wants_them(
    capsys: Caught, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = (("a", Ink.TITLE), (" ", Ink.TITLE), ("b  ", Ink.TEXT))
    pages.print_page([line, ()])
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    pages.print_page([line])
    monkeypatch.setenv("NO_COLOR", "1")
    pages.print_page([line])
    assert capsys.readouterr().out == "a b\n\n\x1b[1;33ma\x1b[0m b\na b\n"


def test_records_that_cannot_be_read_are_told_and_all_goes_on(state: Path, capsys: Caught) -> None:
    fill(state, 1)
    (paths.state_folder() / FILE).write_bytes(b"no database at all " * 100)
    for number in range(4):
        (paths.games_folder() / f"{number}.spoof").mkdir()
    assert main(["history"]) == 0
    out, err = capsys.readouterr()
    told = err.splitlines()
    assert out.startswith("   1  2016-01-01 ")
    assert told[0].startswith("The record 0.spoof was skipped: ")
    assert told[3:] == ["1 more record was skipped."]


@pytest.mark.parametrize("command", ["history", "stats"])
def test_a_history_that_cannot_be_read_is_a_sentence(
    command: str, state: Path, capsys: Caught, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_anything: object, anew: bool) -> None:
        raise sqlite3.OperationalError("database is locked")

    (state / "games").touch()
    assert main([command]) == 2
    monkeypatch.setattr(pages, "consult", fails)
    assert main([command]) == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("spoof: The history cannot be read: ")
    assert second == "spoof: The history cannot be read: database is locked"


def test_a_player_without_a_name_is_given_one_that_is_kept_and_one_for_now_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names: list[str] = []

    def run_plain(settings: Settings, launch: Launch | None) -> int:
        names.append(settings.name)
        return 0

    monkeypatch.setattr(plain, "run_plain", run_plain)
    for words in ([], ["play"], ["join", "10.0.0.1", "--name", "Maria"]):
        assert main(["--plain", *words]) == 0
    assert names == [names[0], Settings.load().name, "Maria"] and names[0]
    Settings("Olha", plain=True).save()
    assert main([]) == 0 and main(["--no-plain"]) == 2
