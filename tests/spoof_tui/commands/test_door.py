"""`spoof door`: it says how to come in, and ends in good order."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.unix("a door")

SPOOF = [sys.executable, "-m", "spoof_tui", "door", "--port"]


def test_it_tells_its_command_and_key_and_keeps_its_port_until_it_is_told_to_end(
    state: Path,
) -> None:
    with subprocess.Popen([*SPOOF, "0"], stdout=subprocess.PIPE, text=True) as first:
        assert first.stdout
        command, key = first.stdout.readline(), first.stdout.readline()
        port = command.split("ssh -p ")[1].split()[0]
        second = subprocess.run([*SPOOF, port], capture_output=True, text=True, check=False)
        first.send_signal(signal.SIGTERM)
    assert second.returncode == 1 and second.stderr.startswith("spoof: ")
    assert "SHA256:" in key and first.returncode == 0
    assert (state / "door" / "host_key").stat().st_mode & 0o777 == 0o600
