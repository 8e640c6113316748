"""Which files a process may use."""

from errno import EACCES
from pathlib import Path

from tests.spoof_tui.door.sandbox.walled import needs_landlock, told

SHUT = """
import os, sys
from pathlib import Path
from spoof_tui.door import sandbox
sandbox.give_up_privileges()
shown, own, other = (Path({folder!r}, name) for name in ("shown", "own", "other"))
sandbox.restrict_access([shown, shown / "nowhere", shown / "one"], [own])
for attempt in (
    (shown / "one").read_bytes,
    lambda: (own / "two").write_bytes(b"2"),
    lambda: (own / "two").rename(own / "three"),
    lambda: (own / "three").unlink(),
    lambda: (shown / "one").write_bytes(b""),
    (other / "one").read_bytes,
    lambda: os.listdir(other),
    lambda: os.rename(other / "one", own / "one"),
    lambda: os.mkfifo(own / "pipe"),
    lambda: os.symlink("/", own / "link"),
    lambda: os.execv(shown / "one", ["one"]),
):
    print(tries(attempt), end=" ")
"""


@needs_landlock
def test_a_process_has_what_it_was_left_and_nothing_else(state: Path) -> None:
    for name in ("shown", "own", "other"):
        (state / name).mkdir()
        (state / name / "one").write_bytes(b"#!/bin/true")
        (state / name / "one").chmod(0o755)
    errors = [int(each) for each in told(SHUT.format(folder=str(state))).split()]
    assert errors == [0] * 4 + [EACCES] * 7
