"""Transcripts: input of the program and its answers, as text in files.

A line at the margin is input, an indented line is an answer to it. A line that begins with `# `
heads a new scene. `pytest --update` writes the answers again.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

import pytest

from tests.helpers.golden import accepts

Answer = Callable[[str], Iterable[str]]
"""Takes an input, and returns the lines of the answer."""

HEADING: Final = "# "


def check(request: pytest.FixtureRequest, path: Path, scene: Callable[[], Answer]) -> None:
    """Replay a file; fail if an answer differs. `scene` begins each scene."""
    kept = path.read_text("utf-8")
    now = _replayed(kept, scene)
    if accepts(request):
        path.write_text(now, "utf-8")
    elif now != kept:
        changes = difflib.unified_diff(kept.splitlines(), now.splitlines(), path.name, lineterm="")
        pytest.fail("look at it, and accept it as tests/README.md says:\n" + "\n".join(changes))


def _replayed(kept: str, scene: Callable[[], Answer]) -> str:
    lines: list[str] = []
    answer = scene()
    for said in kept.splitlines():
        if said.startswith(HEADING):
            answer = scene()
            lines += ["", said]
        elif said and not said.startswith(" "):
            lines += [said, *(f"  {line}".rstrip() or "  ." for line in answer(said))]
    return "\n".join(lines).strip() + "\n"
