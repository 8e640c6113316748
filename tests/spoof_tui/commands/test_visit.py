"""The program that a door runs for one visitor."""

import subprocess
import sys
from pathlib import Path

import pytest

from spoof_tui.commands import play, visit
from spoof_tui.commands.door import VISIT
from spoof_tui.network.addresses import Address
from spoof_tui.runtime.launch import Launch
from spoof_tui.visiting import CODE_VARIABLE


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The port to which it would be confined, and what would be shown."""
    calls: list[object] = []

    def show(launch: Launch | None) -> int:
        calls.append(launch)
        return 3

    monkeypatch.setattr(visit, "confine", lambda folder, port: calls.append(port))
    monkeypatch.setattr(play, "show_app", show)
    return calls


THERE = Address("127.0.0.1", 7763)


@pytest.mark.parametrize(
    ("words", "code", "launch"),
    [
        ([], "", None),
        (["--name", "Ben", THERE.text], "", Launch(address=THERE)),
        ([THERE.text], "k7m4q", Launch(address=THERE, code="K7M4Q")),
    ],
)
def test_a_visitor_comes_to_the_table_of_the_door_with_its_code_or_else_to_the_lobby(
    ran: list[object],
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    code: str,
    launch: Launch | None,
) -> None:
    monkeypatch.setenv(CODE_VARIABLE, code)
    assert visit.main(words) == 3
    assert ran == [launch and THERE.port, launch]


def test_it_limits_itself_and_says_what_it_needs(state: Path) -> None:
    told = subprocess.run(
        [sys.executable, "-m", "spoof_tui.commands.visit"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert told.returncode == 2 and "needs a terminal" in told.stderr


def test_nothing_that_a_visitor_keeps_is_run_before_it_limits_itself(state: Path) -> None:
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    libraries = state / ".local" / "lib" / version / "site-packages"
    libraries.mkdir(parents=True)
    (libraries / "usercustomize.py").write_text("print('run')")
    (state / "argparse.py").write_text("print('run')")
    # A virtual environment may lack these libraries, but a program can be installed without one.
    python, options = sys._base_executable, VISIT[1 : VISIT.index("-m")]  # type: ignore[attr-defined]
    words = [python, *options, "-c", "import argparse"]
    env = {"HOME": str(state)}
    told = subprocess.run(words, cwd=state, env=env, capture_output=True, text=True, check=True)
    assert told.stdout == ""
