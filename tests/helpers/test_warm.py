"""Programs that are forked from one that has imported everything are like any others."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

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


def test_a_seed_and_a_door_begin_from_nothing() -> None:
    assert warm.can_start([*STAGED, "--swift", "host"])
    assert not warm.can_start([*STAGED, "--seed", "1", "host"])
    assert not warm.can_start([*STAGED, "door"])
    assert not warm.can_start([sys.executable, "-m", "spoof_tui"])
