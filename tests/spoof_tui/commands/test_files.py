"""Files of all kinds: bounded, and nothing in them or in their names commands a terminal."""

import errno
import io
import os
import sys
from pathlib import Path

import pytest

from protocol.encoding.untrusted import ForeignText
from spoof_tui.__main__ import main
from spoof_tui.commands import check, reading
from spoof_tui.commands.reading import CannotRead, CannotReplay, chunks, lasting, source
from spoof_tui.storage.archive import Archive, GameLog
from tests.helpers.tables import MemoryTable
from tests.protocol.notation.games import KYIV
from tests.spoof_tui.commands.logs import LOGS

BAD = "\x1b[2J\u202e"
RECORD = KYIV.replace("three-coins", "\x1b]0;x\x07\u202e").replace("M6", "\x9b2J").encode()
MEGABYTE = 1 << 20


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.unix("names of any characters")
@pytest.mark.parametrize(
    ("command", "data"),
    [("check", RECORD + b"\xff\x00"), ("verify", LOGS["hostile"]()), ("replay", b""),
     ("review", RECORD)],
)  # fmt: skip
def test_nothing_in_a_file_or_its_name_reaches_the_terminal_as_a_command(
    command: str, data: bytes, here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / BAD).write_bytes(data)
    for words in ([BAD], ["--json", BAD], [BAD + "2"], ["a\0b"], ["--" + BAD], [BAD, BAD]):
        try:
            assert main([command, *words]) in (1, 2)
        except SystemExit as stop:
            assert stop.code == 2
    with pytest.raises(SystemExit):
        main(["rules", BAD])
    out, err = capsys.readouterr()
    assert err and (out + err).replace("\n", "").isprintable()


@pytest.mark.unix("output in another encoding")
@pytest.mark.parametrize(
    ("command", "data"), [("check", KYIV.encode()), ("verify", LOGS["olena"]())]
)
def test_what_a_terminal_cannot_write_is_escaped(
    command: str, data: bytes, here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "гра").write_bytes(data)
    output = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(output, "ascii", write_through=True))
    assert main([command, "гра"]) == 0
    assert output.getvalue().startswith(b"\\u0433\\u0440\\u0430")


def test_what_is_no_record_at_all_is_not_read_to_its_end(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "a.spoof").write_bytes(b"\xff\n" * 1000)
    assert main(["check", "a.spoof"]) == 1
    told = capsys.readouterr().err.splitlines()
    assert len(told) == check.MAX_STRANGE + 1
    assert told[-1].endswith("this is not a game record: the rest is not read")


@pytest.mark.unix("a device without an end")
def test_what_is_larger_than_any_evening_is_refused_as_soon_as_it_is_known(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", MEGABYTE)
    path, taken = tmp_path / "a.spoof", 0
    path.write_bytes(bytes(MEGABYTE))
    assert lasting(str(path)) == path and sum(map(len, chunks(str(path)))) == MEGABYTE
    path.write_bytes(bytes(MEGABYTE + 1))
    for read in (lambda: next(chunks(str(path))), lambda: lasting(str(path))):
        with pytest.raises(CannotRead, match="larger than 1 MB"):
            read()
    with pytest.raises(CannotRead, match="larger than 1 MB"):
        for part in chunks("/dev/zero"):
            taken += len(part)
    assert taken == MEGABYTE


def test_a_folder_is_called_one_although_windows_says_that_opening_it_is_not_permitted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(_path: Path, _mode: str) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(CannotRead, match="directory"):
        next(chunks(str(tmp_path)))
    with pytest.raises(CannotReplay, match="directory"):
        source(str(tmp_path))


@pytest.mark.unix("pipes with a name")
def test_a_pipe_cannot_be_read_again_and_again(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in (str(tmp_path / "pipe"), "-"):
        with pytest.raises(CannotRead, match="pipe or a device"):
            lasting(name)


def test_a_replayed_file_is_read_anew_each_time_and_a_log_gives_all_its_games(
    tmp_path: Path,
) -> None:
    table = MemoryTable(3, seed=5)
    for _ in range(2):
        table.ready()
        table.play_on()
    record = Archive().save(table.host.table, table.host.log)
    assert record is not None
    read = source(str(GameLog.of(record).path))
    text = b"".join(read()).decode()
    assert text.count("[Rules ") == 2 and text.endswith(record.read_text("utf-8"))
    again = source(str(record))
    assert b"".join(again()) == b"".join(again()) == record.read_bytes()


def test_a_name_of_letters_that_cannot_be_seen_is_refused(
    capsys: pytest.CaptureFixture[str],
) -> None:
    for name in ("\x1b]0;x\x07", "a\x00b", "\udcff", "\u202eabc", ForeignText("x").raw + "\n\x9b"):
        with pytest.raises(SystemExit):
            main(["join", "10.0.0.1", "--name", name])
        assert "a name may only have printable characters" in capsys.readouterr().err
