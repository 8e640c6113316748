"""What is typed at a shell, and what `spoof` prints: `tests/golden/commands`."""

from pathlib import Path

import pytest

from tests.helpers import golden, transcripts
from tests.spoof_tui.commands.shell import Shell

UNIX = pytest.mark.unix("doors, systemd, and its own words for a folder within a file")
FILES = [
    pytest.param(path, id=path.stem, marks=UNIX if path.stem == "unix" else ())
    for path in sorted(golden.FOLDER.joinpath("commands").glob("*.txt"))
]


@pytest.mark.parametrize("path", FILES)
def test_a_command_prints_what_was_accepted(
    path: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        numbers = iter(range(1000))
        transcripts.check(request, path, lambda: Shell(tmp_path / str(next(numbers)), monkeypatch))
