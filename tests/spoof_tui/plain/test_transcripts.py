"""Input and output of plain lines: `tests/golden/lines`."""

import time
from pathlib import Path

import pytest

from spoof_tui.text import coin_words, i18n
from tests.helpers import golden, transcripts
from tests.spoof_tui.plain.stage import Stage

FILES = sorted(golden.FOLDER.joinpath("lines").glob("*.txt"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_in_plain_lines_is_told_what_was_accepted(
    path: Path, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A minute after the tables in memory were opened.
    monkeypatch.setattr(time, "time_ns", lambda: 1_700_000_060 * 10**9)
    transcripts.check(request, path, Stage)
    i18n.play_with(coin_words.COINS)
