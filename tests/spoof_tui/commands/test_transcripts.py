"""What is typed at a shell, and what `spoof` prints: `tests/golden/commands`."""

from pathlib import Path

import pytest

from tests.helpers import golden, transcripts
from tests.spoof_tui.commands.shell import Shell

WORDS = "its own paths, and its words for what is wrong with a file"
OF_UNIX = dict.fromkeys(("check", "doctor", "history", "records", "verify"), WORDS)
OF_UNIX["doors"] = "a door, and systemd"
FILES = [
    pytest.param(
        path,
        id=path.stem,
        marks=[pytest.mark.unix(OF_UNIX[path.stem])] if path.stem in OF_UNIX else (),
    )
    for path in sorted(golden.FOLDER.joinpath("commands").glob("*.txt"))
]


@pytest.mark.parametrize("path", FILES)
def test_a_command_prints_what_was_accepted(
    path: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        numbers = iter(range(1000))
        transcripts.check(request, path, lambda: Shell(tmp_path / str(next(numbers)), monkeypatch))
