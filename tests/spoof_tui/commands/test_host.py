"""`spoof host`: its arguments, and a table without a screen."""

import asyncio
import contextlib
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from protocol.errors import Malformed
from protocol.table.log import position_of
from spoof_tui.commands import host
from spoof_tui.runtime.notices import ViewChanged, WhileAway
from spoof_tui.runtime.player import Player
from spoof_tui.storage.frames import Frames
from spoof_tui.storage.stored_log import read_entries
from tests.helpers import warm
from tests.helpers.tables import MemoryTable

if sys.platform == "linux":
    import resource

LIMIT = 20.0

Starts = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Starts]:
    """Starts a process; it is gone at the end."""
    running: list[subprocess.Popen[str]] = []

    def new(*words: str) -> subprocess.Popen[str]:
        command = warm.words([sys.executable, "-m", "spoof_tui", *words])
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8"
        )
        running.append(process)
        return process

    yield new
    for process in running:
        process.kill()
        process.communicate()


def port_of(process: subprocess.Popen[str]) -> int:
    """The port that a host says it listens on."""
    assert process.stdout
    said = process.stdout.readline()
    found = re.search(r"listens on port (\d+)\.", said)
    assert found, said
    return int(found[1])


@pytest.mark.unix("a door")
def test_a_table_without_a_screen_has_a_door_that_ends_with_it(start: Starts) -> None:
    process = start("host", "--headless", "--port", "0", "--ssh")
    said = wait_for(process, "SHA256:")
    port = int(said.partition("ssh -p ")[2].split()[0])
    with socket.create_connection(("127.0.0.1", port), LIMIT) as client:
        assert client.recv(8) == b"SSH-2.0-"
        process.kill()
        client.settimeout(LIMIT)
        while client.recv(4096):
            pass


@pytest.mark.skipif(sys.platform != "linux", reason="limits another program's files")
def test_a_disk_that_takes_nothing_for_a_moment_leaves_no_hole_in_the_log(
    start: Starts, state: Path
) -> None:
    words = ["--open", "--bots", "2", "--level", "easy", "--character", "miser", "--port", "0"]
    process = start("host", "--headless", *words)
    port_of(process)
    assert "code" not in wait_for(process, "2 of 9 seats taken, playing")
    [holder] = state.glob("identities/*.holder")
    pid = int(holder.read_text().split()[0])
    before = resource.prlimit(pid, resource.RLIMIT_FSIZE)
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (1, before[1]))
    wait_for(process, "the table stands still")
    [log] = state.glob("tables/*/*.journal")
    size = log.stat().st_size
    resource.prlimit(pid, resource.RLIMIT_FSIZE, before)
    wait_for(process, "the table goes on")
    while log.stat().st_size <= size:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.1)
    process.kill()
    process.wait(LIMIT)
    # What stands behind a hole is not read as a part of the log.
    frames, written = Frames(log).read(), list[bytes]()
    for each in frames:
        with contextlib.suppress(Malformed):
            position_of(each)
            written.append(each)
    assert [entry.blob for entry in read_entries(frames)] == written


@pytest.mark.unix("a device that is always full")
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")
def test_output_for_which_there_is_no_room_ends_no_table(state: Path) -> None:
    words = ["host", "--headless", "--port", "0", "--bots", "2", "--level", "easy"]
    command = [sys.executable, "-m", "spoof_tui", *words]
    with Path("/dev/full").open("w") as full, subprocess.Popen(command, stdout=full) as process:
        wait_for_game(process, state)
        process.send_signal(signal.SIGTERM)
    assert process.returncode in (0, 120)


@pytest.mark.unix("a signal that asks a program to end")
def test_a_table_outlives_the_reader_of_its_lines(start: Starts, state: Path) -> None:
    process = start("host", "--headless", "--port", "0", "--bots", "2", "--level", "easy")
    port_of(process)
    assert process.stdout and process.stderr
    process.stdout.close()
    wait_for_game(process, state)
    process.send_signal(signal.SIGTERM)
    assert process.wait(LIMIT) == 0
    assert not process.stderr.read()


def test_a_table_without_a_screen_tells_how_many_sit_there_and_not_what_it_missed(
    capsys: pytest.CaptureFixture[str],
) -> None:
    table = MemoryTable(2)
    player = cast(Player, SimpleNamespace(table=None))
    reporter = host._Reporter(player, asyncio.Event())
    reporter.hear(ViewChanged(table.clients[0].view))
    reporter.hear(WhileAway(tuple(table.host.log)))
    assert capsys.readouterr().out == "2 of 9 seats taken, gathering\n"


def wait_for_game(process: subprocess.Popen[Any], state: Path) -> None:
    """Wait until bots have sat down and play at the table of a program, which runs on."""
    while sum(path.stat().st_size for path in state.glob("tables/*/*.journal")) < 5_000:
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.1)


def wait_for(process: subprocess.Popen[str], words: str) -> str:
    """Wait until a program prints these words; returns all its output."""
    assert process.stdout
    said = ""
    while words not in said:
        assert process.poll() is None
        said += process.stdout.readline()
    return said


def test_a_port_that_is_taken_is_a_sentence(start: Starts) -> None:
    with socket.create_server(("0.0.0.0", 0)) as taken:
        process = start("host", "--headless", "--port", str(taken.getsockname()[1]))
        output, errors = process.communicate(timeout=LIMIT)
    assert (process.returncode, output) == (1, "")
    assert errors == (
        "spoof: the table cannot be opened: another program has that port; choose another with "
        "--port, or leave that out\n"
    )


@pytest.mark.parametrize("option", ["--ssh", "--web"])
def test_where_no_door_can_be_opened_no_table_is_opened_with_one(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], state: Path
) -> None:
    monkeypatch.setattr("sys.platform", "win32")
    assert host.main(["--headless", option]) == 1
    assert capsys.readouterr() == ("", "spoof: A door needs Linux or macOS.\n")
    assert list(state.iterdir()) == []
