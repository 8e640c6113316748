"""What is typed at a shell, and what `spoof` prints: `tests/golden/commands`."""

from pathlib import Path

import pytest

from tests.helpers import golden, transcripts
from tests.spoof_tui.commands.shell import Shell

FILES = sorted(golden.FOLDER.joinpath("commands").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_command_prints_what_was_accepted(
    path: Path, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        numbers = iter(range(1000))
        transcripts.check(request, path, lambda: Shell(tmp_path / str(next(numbers)), monkeypatch))
