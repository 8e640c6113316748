"""Programs that are forked from one that has imported everything."""

import array
import json
import os
import socket
import subprocess
import sys

import pytest

from tests.helpers import warm


@pytest.mark.skipif(sys.platform != "linux", reason="forks are made on Linux only")
def test_a_launcher_that_is_killed_at_once_leaves_the_next_one_its_program() -> None:
    argv = [sys.executable, "-m", "spoof_tui", "--version"]
    _python, _isolated, _bare, _launcher, path, *_words = warm.words(argv)
    asked = {"module": "spoof_tui", "argv": ["--version"], "env": dict(os.environ), "cwd": "/"}
    null = os.open(os.devnull, os.O_RDWR)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as killed:
        killed.connect(path)
        rights = array.array("i", [null] * 3)
        killed.sendmsg(
            [json.dumps(asked).encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)]
        )
    os.close(null)
    told = subprocess.run(warm.words(argv), capture_output=True, text=True, check=True)
    assert told.stdout.startswith("spoof ")
