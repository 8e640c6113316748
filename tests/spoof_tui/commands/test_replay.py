"""`spoof replay`: what it cannot show it says in one sentence; the rest in a real terminal."""

import subprocess
import sys
from pathlib import Path

import pytest

from protocol.encoding.framing import frame
from spoof_tui.commands.replay import CannotReplay, main, source
from spoof_tui.storage.archive import archive
from tests.helpers.pty import Terminal
from tests.helpers.tables import MemoryTable
from tests.spoof_tui.ui.replay.recordings import TWO_GAMES

SPOOF = [sys.executable, "-m", "spoof_tui"]
RIGHT, DOWN = "\x1b[C", "\x1b[B"


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "train.spoof"
    path.write_text(TWO_GAMES, "utf-8")
    return path


def test_a_file_that_cannot_be_read_is_one_sentence_and_status_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in (tmp_path / "gone.spoof", tmp_path, "a\0b", tmp_path / "\x1b[31m"):
        assert main([str(name)]) == 2
        told = capsys.readouterr().err
        assert "cannot be read" in told and told.count("\n") == 1
        assert told.strip().isprintable()


def test_without_a_terminal_it_says_so(record: Path) -> None:
    done = subprocess.run([*SPOOF, "replay", record], capture_output=True, text=True, input="")
    assert done.returncode == 2
    assert "this needs a terminal to draw on" in done.stderr and done.stdout == ""


def test_a_wrong_command_line_is_told_without_control_characters(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["one", "two\x1b[31m"])
    assert stop.value.code == 2
    assert "\x1b" not in capsys.readouterr().err


def test_the_file_is_read_again_from_its_beginning(record: Path) -> None:
    read = source(str(record))
    assert b"".join(read()) == b"".join(read()) == TWO_GAMES.encode()


def test_what_is_called_a_log_and_is_none_is_told(tmp_path: Path) -> None:
    path = tmp_path / "table.log"
    path.write_bytes(b"\x00\x00\x00\x05hello")
    with pytest.raises(CannotReplay, match="holds no table’s log"):
        source(str(path))


def test_a_log_gives_the_records_of_all_its_games(tmp_path: Path) -> None:
    table = MemoryTable(3, seed=5)
    for _ in range(2):
        table.ready()
        table.play_on()
    record = archive(table.host.table, table.host.log)
    assert record is not None
    read = source(str(record.with_suffix(".log")))
    text = b"".join(read()).decode()
    assert text.count("[Rules ") == 2
    assert text.endswith(record.read_text("utf-8"))


def test_a_log_without_a_game_is_told(tmp_path: Path) -> None:
    table = MemoryTable(2)
    path = tmp_path / "table.log"
    path.write_bytes(b"".join(frame(entry.blob) for entry in table.host.log))
    with pytest.raises(CannotReplay, match="no game began"):
        source(str(path))


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_a_replay_in_a_real_terminal(record: Path) -> None:
    with Terminal([*SPOOF, "replay", str(record)]) as terminal:
        terminal.wait("Round the table: Svitlana (S), Dmytro (D), Maria (M).")
        terminal.send(DOWN)
        terminal.wait("All fists are in. Dmytro opens.")
        terminal.send(RIGHT * 4)
        terminal.wait("too high. Maria loses a coin.")
        terminal.send("2\r")
        terminal.wait("round 2 of 3")
        terminal.send("o")
        terminal.wait("hands open")
        terminal.send("]")
        terminal.wait("The way back")
        terminal.send("\x1b[F")
        terminal.wait("Dmytro wins")
        terminal.send("q")
        assert terminal.wait_exit() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_a_replay_plays_by_itself_and_costs_little(record: Path) -> None:
    with Terminal([*SPOOF, "replay", str(record)]) as terminal:
        terminal.wait("Round the table")
        terminal.settle()
        mark = terminal.mark()
        terminal.settle(0.5)
        assert terminal.painted_since(mark) == b""
        terminal.send("++++ ")
        terminal.wait("Every round keeps the rules.", timeout=20)
        terminal.settle()
        terminal.send("q")
        assert terminal.wait_exit() == 0
