"""Every state of the screens looks as it did when somebody last accepted it, and cuts no word."""

from __future__ import annotations

import functools
import itertools
import re
import sys
from collections.abc import Iterator

import pytest
from rich.style import Style

from spoof_tui.text import documents, i18n
from spoof_tui.text.i18n import LANGUAGES, _
from spoof_tui.ui.canvas.cells import Sheet, wrap
from spoof_tui.ui.table.felt import centre
from tests.helpers import golden, wordings
from tests.helpers.drawings import PLAYERS
from tests.helpers.moments import NAMES, TABLE
from tests.helpers.states import TALK, scenes, states

SMALL = ((80, 24), (60, 20), (45, 20), (40, 12), (36, 10))
"""Sizes at which words are nearly cut."""

WRITTEN = ("The way back", "Night train Kyiv-Lviv", "Maria's table")
"""Texts in a record that is replayed, and of an advert."""

_CUT = re.compile(r"(\w(?:[\w ]*\w)?)…")


@pytest.fixture(scope="module", params=sorted(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    """A language to draw in: a scene keeps some sentences as they were first shown."""
    i18n.install(request.param)
    _forget()
    yield request.param
    i18n.install("en")
    _forget()


def _forget() -> None:
    states.cache_clear()
    scenes.cache_clear()


@pytest.fixture
def clipped(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that went over the edge of their sheet in the middle of a word."""
    found: list[str] = []
    put = Sheet.put

    def watched(sheet: Sheet, x: int, y: int, text: str, style: Style | None = None) -> int:
        ends = (-x, sheet.width - x)
        is_cut = any(0 < at < len(text) and text[at - 1 : at + 1].isalnum() for at in ends)
        if 0 <= y < sheet.height and is_cut:
            found.append(text)
        return put(sheet, x, y, text, style)

    monkeypatch.setattr(Sheet, "put", watched)
    return found


@pytest.fixture
def wrapped(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """Every text that was wrapped into several rows."""
    found: list[list[str]] = []

    def watched(text: str, width: int) -> list[str]:
        rows = wrap(text, width)
        if len(rows) > 1:
            found.append(rows)
        return rows

    for module in [each for each in sys.modules.values() if vars(each).get("wrap") is wrap]:
        # The words in the middle of the felt are no running text.
        if module.__name__.startswith("spoof_tui.ui") and module is not centre:
            monkeypatch.setattr(module, "wrap", watched)
    return found


def breaks_off(text: list[str], screen: list[str]) -> bool:
    """Whether a text begins on a screen, and has there neither its end nor the sign of more."""
    for y in (y for y, row in enumerate(screen) if text[0] in row):
        for said, row in zip(text, [*screen[y:], *[""] * len(text)], strict=False):
            kept, sign, _more = row.partition("…")
            if sign and (kept.rstrip().endswith(said) or said.split()[0] in kept):
                return False
            if said not in row:
                return True
    return False


def is_foreign(text: str) -> bool:
    """Whether this is part of what others wrote, which may have any length."""
    own, last = text.rpartition("  ")[2].strip(), text.split()[-1]
    seated = [f"Player{seat}" for seat in range(1, 10)]
    names = (*NAMES, *PLAYERS, *map(_, PLAYERS), *seated)
    is_name = any(name.startswith(last) for name in names)
    return is_name or any(own in whole for whole in (*names, TABLE, *TALK, *WRITTEN))


def test_every_screen_looks_as_it_was_accepted_and_cuts_no_word(
    language: str, request: pytest.FixtureRequest, clipped: list[str], wrapped: list[list[str]]
) -> None:
    legend = golden.Legend(grows=golden.accepts(request))
    shown, cut, broken = {}, [], []
    for name, each in states().items():
        draw = functools.cache(each)
        shown[name] = golden.told(draw, legend, golden.SIZES)
        screens = []
        for size in SMALL:
            wrapped.clear()
            screens.append([row.strip().text for row in each(size).rows])
            broken += [(name, size, text) for text in wrapped if breaks_off(text, screens[-1])]
        assert all("".join(lines).strip() for lines in screens), f"nothing is drawn of {name}"
        lines = itertools.chain.from_iterable(screens)
        found = [text for line in lines for text in _CUT.findall(line) if not is_foreign(text)]
        cut += [(name, text) for text in found + clipped]
        clipped.clear()
    golden.check(request, golden.FOLDER / language, shown)
    assert cut == []
    assert broken == []


def test_every_word_reads_as_it_was_accepted(language: str, request: pytest.FixtureRequest) -> None:
    golden.check(request, golden.FOLDER / language / "texts", wordings.texts())


def test_the_page_of_keys_has_the_acts_as_they_were_accepted(
    language: str, request: pytest.FixtureRequest
) -> None:
    path = documents.FOLDER / language / "keys.md"
    now = wordings.keys_page(path.read_text("utf-8"))
    if golden.accepts(request):
        path.write_text(now, "utf-8")
    assert path.read_text("utf-8") == now
