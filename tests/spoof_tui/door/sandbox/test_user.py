"""Another user for a process of root."""

import os
from pathlib import Path

from tests.spoof_tui.door.sandbox.walled import needs_root, told

CHANGED = """
import os
from pathlib import Path
from spoof_tui.door.sandbox import become_another
home = Path({home!r})
os.umask(0o077)
if not become_another(home / "own", [home / "deep" / "shown", home / "deep"]):
    raise SystemExit(1)
print(os.geteuid(), *os.getgroups(), os.getcwd() == str(home / "own"))
print((home / "deep" / "shown" / "one").read_text(), (home / "deep" / "two").read_text())
print(os.listdir(home))
(home / "own" / "new").write_text("new")
print(tries(lambda: os.setuid(0)), tries((home / "own" / "old").unlink))
"""


@needs_root
def test_root_becomes_somebody_who_sees_nothing_of_what_is_shut(state: Path) -> None:
    for name in ("own", "other", "deep/shown"):
        (state / name).mkdir(parents=True)
        (state / name / "one").write_text("one")
    (state / "deep" / "two").write_text("two")
    (state / "own" / "old").touch()
    program = CHANGED.format(home=str(state))
    user, in_own, *read, first, second, left, deleted = told(program).split()
    assert int(user) != 0 and in_own == "True"
    assert read == ["one", "two"] and "other" not in first + second
    assert left != "0" and deleted == "0"
    assert (state / "own" / "new").stat().st_uid == int(user) == (state / "own").stat().st_uid
    assert told(program).split()[0] == user


@needs_root
def test_where_others_may_not_read_the_program_root_stays_root(state: Path) -> None:
    (state / "own").mkdir()
    (state / "deep").mkdir(mode=0o700)
    program = CHANGED.format(home=str(state)).replace("raise SystemExit(1)", "raise SystemExit")
    assert told(program) == ""
    assert (state / "own").stat().st_uid == os.geteuid()
