"""The sequences that draw: few bytes, and exactly the right picture."""

from __future__ import annotations

from collections.abc import Iterable

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from spoof_tui import console
from spoof_tui.ui import sequences
from spoof_tui.ui.painting import ShownCells
from tests.helpers.painted import put

WIDTH, HEIGHT = 20, 4

RED = Style.parse("#ff0000 on #101010")
BLUE = Style.parse("#0000ff on #101010")


LOOKS = (None, RED, BLUE, Style(bold=True), RED + Style(bold=True), Style(underline=True))

letters = st.sampled_from("ab  █◇")
texts = st.text(letters, min_size=1, max_size=4)
segments = st.tuples(texts, st.sampled_from(LOOKS)).map(lambda each: Segment(*each))
rows = st.lists(segments, max_size=3)


def told_of(placed: Iterable[tuple[int, int, Strip]]) -> str:
    shown = ShownCells()
    for y, x, strip in placed:
        put(shown, y, x, strip)
    return sequences.written(shown.differing())


def written(*segments: tuple[str, Style | None]) -> str:
    told = told_of([(0, 0, Strip([Segment(*segment) for segment in segments]))])
    return told.removeprefix("\x1b[1H")


def screen(*told: str) -> list[list[tuple[str, ...]]]:
    """Every cell of a terminal that gets this: its letter, and the visible part of its look."""
    shown = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.Stream(shown)
    for each in told:
        stream.feed(each)
    cells = [[shown.buffer[y][x] for x in range(WIDTH)] for y in range(HEIGHT)]
    return [[_seen(cell) for cell in row] for row in cells]


def _seen(cell: pyte.screens.Char) -> tuple[str, ...]:
    if cell.data == "█" and not (cell.bold or cell.underscore):
        return (" ", cell.fg)
    has_ink = cell.data != " " or cell.underscore
    ink = (cell.fg, str(cell.bold), str(cell.underscore)) if has_ink else ()
    return (cell.data, cell.bg, *ink)


@given(st.lists(rows, min_size=HEIGHT, max_size=HEIGHT))
def test_the_picture_is_that_of_every_piece_by_itself(drawn: list[list[Segment]]) -> None:
    pieces = [(y, y, Strip(row)) for y, row in enumerate(drawn)]
    together = told_of(pieces)
    apart = []
    for y, x, strip in pieces:
        for segment in strip:
            apart.append(told_of([(y, x, Strip([segment]))]))
            x += segment.cell_length
    assert screen(together) == screen(*apart)
    assert len(together.encode()) <= len("".join(apart).encode())


UNDERLINED = Style.parse("underline #0000ff on #101010")
BOTH = Style(bold=True, dim=True)
ON_RED = "\x1b[38;5;196;48;2;16;16;16m"
ON_BLUE = "\x1b[38;5;21;48;2;16;16;16m"


@pytest.mark.parametrize(
    ("segments", "told"),
    [
        ([("grey", Style(color="#1c1c1c"))], "\x1b[38;5;234mgrey\x1b[m"),
        ([("r", RED), ("b", BLUE)], f"{ON_RED}r\x1b[38;5;21mb\x1b[m"),
        ([("r", RED), ("   ", BLUE), ("r", RED)], f"{ON_RED}r   r\x1b[m"),
        ([("r", RED), (" ", UNDERLINED)], f"{ON_RED}r\x1b[4;38;5;21m \x1b[m"),
        ([("a", BOTH), ("b", Style(bold=True))], "\x1b[1;2ma\x1b[22;1mb\x1b[m"),
        ([("███", BLUE)], "\x1b[48;5;21m   \x1b[m"),
        ([("▀█▀", BLUE)], f"{ON_BLUE}▀█▀\x1b[m"),
    ],
)
def test_a_style_says_only_what_is_new(segments: list[tuple[str, Style | None]], told: str) -> None:
    assert written(*segments) == told


def test_signs_that_a_terminal_lacks_are_written_as_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "has_old_font", lambda: True)
    assert written(("╭◇✓", None)) == "┌◊√"
    monkeypatch.setenv("LC_ALL", "C")
    assert written(("╭◇✓", None)) == "++v"
