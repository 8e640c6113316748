"""What is done in front of the screens is seen: `scripts.py` says how the texts are written."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.spoof_tui.ui.scripts import failures, scripts

FOLDER: Final = Path(__file__).parent
FILES: Final = sorted(
    path.relative_to(FOLDER).with_suffix("").as_posix()
    for path in FOLDER.rglob("*.txt")
    if path.read_text("utf-8").startswith("# ")
)


@pytest.mark.parametrize("name", FILES)
async def test_what_is_done_is_seen(name: str) -> None:
    assert await failures(scripts(name)) == []
