"""Every state at every size in both languages: no text is cut inside a word."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from rich.style import Style

from spoof_tui.text import i18n
from spoof_tui.text.i18n import LANGUAGES
from spoof_tui.ui.canvas.cells import Sheet
from tests.helpers.drawings import PLAYERS
from tests.helpers.moments import NAMES, TABLE
from tests.helpers.states import TALK, states

SIZES = [(80, 24), (60, 20), (40, 12)]
"""States with less room than on larger screens."""

EVENT = "The way back"
"""The text of a record that is replayed."""

_CUT = re.compile(r"(\w(?:[\w ]*\w)?)…")


@pytest.fixture(params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """A language to draw in."""
    i18n.install(request.param)
    yield request.param
    i18n.install("en")


@pytest.fixture
def clipped(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that went over the edge of their sheet in the middle of a word."""
    found: list[str] = []
    put = Sheet.put

    def watched(sheet: Sheet, x: int, y: int, text: str, style: Style | None = None) -> int:
        at = sheet.width - x
        if 0 <= y < sheet.height and 0 < at < len(text) and text[at - 1 : at + 1].isalnum():
            found.append(text)
        return put(sheet, x, y, text, style)

    monkeypatch.setattr(Sheet, "put", watched)
    return found


def is_foreign(text: str) -> bool:
    """Whether this is part of what others wrote, which may have any length."""
    own, last = text.rpartition("  ")[2].strip(), text.split()[-1]
    names = (*NAMES, *PLAYERS)
    is_name = any(name.startswith(last) for name in names)
    return is_name or any(own in whole for whole in (*names, TABLE, *TALK, EVENT))


@pytest.mark.parametrize("size", SIZES)
def test_no_text_is_cut_inside_a_word(
    size: tuple[int, int], language: str, clipped: list[str]
) -> None:
    cut = []
    for name, draw in states().items():
        lines = [line.text for line in draw(size).lines()]
        assert "".join(lines).strip(), f"nothing is drawn of {name}"
        found = [text for line in lines for text in _CUT.findall(line) if not is_foreign(text)]
        cut += [(name, text) for text in found + clipped]
        clipped.clear()
    assert cut == []
