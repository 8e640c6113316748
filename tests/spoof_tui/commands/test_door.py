"""`spoof door`."""

import configparser
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from spoof_tui.commands import door
from spoof_tui.commands.door import main

SPOOF = [sys.executable, "-m", "spoof_tui", "door"]


def test_the_unit_of_systemd_opens_a_door(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--unit"]) == 0
    unit = configparser.ConfigParser(interpolation=None)
    unit.read_string(capsys.readouterr().out)
    assert unit["Service"]["ExecStart"].endswith(" door")
    hard = {
        "NoNewPrivileges",
        "ProtectHome",
        "PrivateUsers",
        "PrivateDevices",
        "RestrictNamespaces",
    }
    assert {unit["Service"][each] for each in hard} == {"yes"}
    assert unit["Service"]["CapabilityBoundingSet"] == ""
    # A list of what is allowed would shut out the calls of Landlock, where systemd has no name for
    # them.
    assert unit["Service"]["SystemCallFilter"].startswith("~")
    assert unit["Install"]["WantedBy"] == "multi-user.target"


def test_without_the_library_it_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "missing", lambda: "pip install it")
    assert main([]) == 1
    assert capsys.readouterr().err == "spoof: pip install it\n"


def test_a_port_that_is_taken_is_said() -> None:
    with subprocess.Popen([*SPOOF, "--port", "0"], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout
        port = first.stdout.readline().split("-p ")[1].split()[0]
        second = subprocess.run(
            [*SPOOF, "--port", port], capture_output=True, text=True, timeout=60, check=False
        )
        first.send_signal(signal.SIGTERM)
    assert second.returncode == 1 and second.stderr.startswith("spoof: ")
    assert first.returncode == 0


def test_it_tells_the_command_and_its_key_and_ends_when_it_is_told_to(state: Path) -> None:
    with subprocess.Popen([*SPOOF, "--port", "0"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        told = process.stdout.readline(), process.stdout.readline()
        os.kill(process.pid, signal.SIGTERM)
    assert "ssh -p " in told[0] and "SHA256:" in told[1]
    assert process.returncode == 0
    assert (state / "door" / "host_key").stat().st_mode & 0o777 == 0o600
