"""How much of the machine a visitor's program may use."""

import os
import subprocess
import sys
from pathlib import Path

from spoof_tui.door import confinement, priority

REPORT = """
import os, resource
from spoof_tui.door.confinement import confine
from spoof_tui.storage.paths import state_folder
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 2000))
session = open({session!r})
confine(state_folder())
names = ("AS", "DATA", "FSIZE", "NOFILE", "CORE", "CPU")
print(*(resource.getrlimit(getattr(resource, f"RLIMIT_{name}"))[1] for name in names))
print(os.getpriority(os.PRIO_PROCESS, 0), os.umask(0), session.read())
"""


def test_a_program_limits_itself_for_good() -> None:
    session = priority.session("self") if priority.session("self").exists() else Path(os.devnull)
    said = subprocess.run(
        [sys.executable, "-c", REPORT.replace("{session!r}", repr(str(session)))],
        # The session that is told how much to yield is its own.
        start_new_session=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    limits = [int(each) for each in said[:8]]
    mapped, memory, files = confinement.MAPPED, confinement.MEMORY, confinement.OPEN_FILES
    assert limits[:6] == [mapped, memory, 2000, files, 0, confinement.SECONDS]
    assert limits[6] == priority.usual()
    assert limits[7] == 0o077
    assert said[8:] == [] or said[-2:] == ["nice", str(limits[6])]
