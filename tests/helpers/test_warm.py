"""Programs that are forked from one that has imported everything are like any others."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.callers import OPEN
from tests.end_to_end.homes import Home, eventually, free_port
from tests.helpers import warm
from tests.helpers.namespaces import Bridge, why_not
from tests.helpers.pty import Terminal

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")

STAGED = [sys.executable, "-m", "tests.end_to_end.staged"]


def started(*words: str, netns: str | None = None, **env: str) -> Terminal:
    return Terminal([*STAGED, *words], 80, 24, env, netns)


def test_what_it_writes_and_how_it_ends_is_its_own() -> None:
    with started("--version") as right, started("nothing") as wrong:
        assert isinstance(right.process, warm.WarmProgram)
        assert (right.wait_exit(), wrong.wait_exit()) == (0, 2)
        assert right.text().startswith("spoof ")
        assert "'nothing'" in wrong.text()


def test_it_has_a_session_and_an_environment_of_its_own(state: Path) -> None:
    with started("learn", SPOOF_STATE=str(state), SPOOF_LANG="uk") as terminal:
        terminal.wait("монет")
        session = Path(f"/proc/{terminal.pid}/stat").read_text().rpartition(")")[2].split()[3]
        assert session == str(terminal.pid)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_it_hears_signals(number: int, state: Path) -> None:
    with started(SPOOF_STATE=str(state)) as terminal:
        terminal.wait("quit")
        assert terminal.process.poll() is None
        terminal.kill(number)
        assert terminal.wait_exit() == (129 if number == signal.SIGTERM else -9)


def test_whoever_waits_for_it_in_vain_is_told(state: Path) -> None:
    with started(SPOOF_STATE=str(state)) as terminal, pytest.raises(subprocess.TimeoutExpired):
        terminal.process.wait(0.0)


@pytest.mark.skipif(why_not() is not None, reason=why_not() or "")
def test_it_lives_on_its_own_machine(state: Path) -> None:
    with Bridge(1) as bridge, started(netns=bridge.name(1), SPOOF_STATE=str(state)) as terminal:
        terminal.wait("quit")
        pids = bridge.run(1, ["ip", "netns", "pids", bridge.name(1)]).stdout.split()
        assert str(terminal.pid) in pids


def test_what_it_starts_itself_is_a_fork_too_and_ends_with_who_stands_for_it(state: Path) -> None:
    port, anna = free_port(), Home.make(state, "Anna")
    with anna.start("host", "--port", "0", "--ssh", str(port)) as terminal:
        terminal.wait(OPEN)
        assert is_heard(port)
        threads = Path(f"/proc/{terminal.pid}/task").glob("*/children")
        (stand_in,) = " ".join(each.read_text() for each in threads).split()
        assert b"launcher.py" in Path(f"/proc/{stand_in}/cmdline").read_bytes()
        os.kill(int(stand_in), signal.SIGKILL)
        eventually(lambda: not is_heard(port), "the end of the door", 30)


def is_heard(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
        return True
    return False


def test_a_seed_begins_from_nothing() -> None:
    assert warm.can_start([*STAGED, "--swift", "host"])
    assert not warm.can_start([*STAGED, "--seed", "1", "host"])
    assert not warm.can_start([sys.executable, "-m", "spoof_tui"])


def test_whoever_starts_one_by_its_words_has_its_pipes_its_signals_and_its_end(state: Path) -> None:
    words = warm.words([sys.executable, "-m", "spoof_tui", "host", "--headless", "--port", "0"])
    assert words[4].endswith("programs")
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout and "port" in process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait() == 0
    said = subprocess.run(warm.words([*STAGED, "nothing"]), capture_output=True, check=False)
    assert said.returncode == 2 and b"'nothing'" in said.stderr
