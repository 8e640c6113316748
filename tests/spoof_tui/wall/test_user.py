"""Another user for a process of root."""

import os
from pathlib import Path

from tests.spoof_tui.wall.walled import needs_root, told

CHANGED = """
import os
from pathlib import Path
from spoof_tui.wall.user import become_another
home = Path({home!r})
if not become_another(home / "own", [home / "shown"]):
    raise SystemExit(1)
print(os.geteuid(), *os.getgroups(), os.getcwd() == str(home / "own"))
print((home / "shown" / "one").read_text(), os.listdir(home))
(home / "own" / "new").write_text("new")
print(tries(lambda: os.setuid(0)), tries((home / "own" / "old").unlink))
"""


@needs_root
def test_root_becomes_somebody_who_sees_nothing_of_what_is_shut(state: Path) -> None:
    for name in ("own", "shown", "other"):
        (state / name).mkdir()
        (state / name / "one").write_text(name)
    (state / "own" / "old").touch()
    program = CHANGED.format(home=str(state))
    user, in_own, shown, *seen, left, deleted = told(program).split()
    assert int(user) != 0 and in_own == "True"
    assert shown == "shown" and "other" not in "".join(seen)
    assert left != "0" and deleted == "0"
    assert (state / "own" / "new").stat().st_uid == int(user) == (state / "own").stat().st_uid
    assert told(program).split()[0] == user


@needs_root
def test_where_others_may_not_read_the_program_root_stays_root(state: Path) -> None:
    for name in ("own", "shown"):
        (state / name).mkdir()
    (state / "shown").chmod(0o700)
    program = CHANGED.format(home=str(state)).replace("raise SystemExit(1)", "raise SystemExit")
    assert told(program) == ""
    assert (state / "own").stat().st_uid == os.geteuid()
