"""Reading what may be anything: bounded, shown once it takes long, and ended by Ctrl-C."""

import contextlib
import os
import sys
import threading
from pathlib import Path

import pytest

from spoof_tui.commands import reading
from spoof_tui.commands.reading import CannotRead, chunks, lasting
from tests.helpers.pty import Terminal

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    path = tmp_path / "pipe.spoof"
    os.mkfifo(path)
    return path


def test_a_file_comes_in_pieces_that_make_the_whole(tmp_path: Path) -> None:
    path = tmp_path / "a.spoof"
    path.write_bytes(b"x" * 200_000)
    parts = list(chunks(str(path)))
    assert len(parts) > 1
    assert b"".join(parts) == path.read_bytes()


def test_a_file_that_is_too_large_is_refused_before_a_byte_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 1 << 20)
    path = tmp_path / "a.spoof"
    path.write_bytes(bytes((1 << 20) + 1))
    with pytest.raises(CannotRead, match="larger than 1 MB"):
        next(chunks(str(path)))
    with pytest.raises(CannotRead, match="larger than 1 MB"):
        lasting(str(path))


def test_a_device_without_an_end_is_refused_where_it_gets_too_large(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reading, "MAX_BYTES", 1 << 20)
    taken = 0
    with pytest.raises(CannotRead, match="larger than 1 MB"):
        for part in chunks("/dev/zero"):
            taken += len(part)
    assert taken == 1 << 20


def test_a_pipe_cannot_be_read_again_and_again(pipe: Path) -> None:
    for name in (str(pipe), "-"):
        with pytest.raises(CannotRead, match="pipe or a device"):
            lasting(name)


@pytest.mark.parametrize("name", ["no such file", "a\0b"])
def test_a_name_without_a_file_is_told(name: str) -> None:
    with pytest.raises(CannotRead):
        next(chunks(name))
    with pytest.raises(CannotRead):
        lasting(name)


def blank_lines(pipe: Path) -> None:
    """Write lines with nothing but a blank in them until nobody reads."""
    with contextlib.suppress(OSError), pipe.open("wb", buffering=0) as file:
        while True:
            file.write(b" \n" * 2048)


@pytest.mark.parametrize("command", ["check"])
def test_what_takes_long_is_shown_and_ends_at_ctrl_c(command: str, pipe: Path) -> None:
    with Terminal([sys.executable, "-m", "spoof_tui", command, str(pipe)]) as terminal:
        # While nobody writes, too.
        terminal.wait("0/? bytes")
        threading.Thread(target=blank_lines, args=[pipe], daemon=True).start()
        terminal.wait_gone("0/? bytes")
        terminal.wait("Ctrl-C stops")
        terminal.send("\x03")
        assert terminal.wait_exit() == 130
