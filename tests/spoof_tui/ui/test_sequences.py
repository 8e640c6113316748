"""The sequences that draw: few bytes, and the very picture."""

from __future__ import annotations

import pyte
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.color import ColorSystem
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from spoof_tui import console
from spoof_tui.ui import sequences

WIDTH, HEIGHT = 20, 4

RED = Style.parse("#ff0000 on #101010")
BLUE = Style.parse("#0000ff on #101010")


LOOKS = (None, RED, BLUE, Style(bold=True), RED + Style(bold=True), Style(underline=True))

letters = st.sampled_from("ab  █◇")
texts = st.text(letters, min_size=1, max_size=4)
segments = st.tuples(texts, st.sampled_from(LOOKS)).map(lambda each: Segment(*each))
rows = st.lists(segments, max_size=3)


def written(*segments: tuple[str, Style | None]) -> str:
    strip = Strip([Segment(*segment) for segment in segments])
    told = sequences.written([(0, 0, strip)], ColorSystem.TRUECOLOR)
    return told.removeprefix("\x1b[1H")


def screen(*told: str) -> list[list[tuple[str, ...]]]:
    """Every cell of a terminal that is told this: its letter, and what can be seen of its look."""
    shown = pyte.Screen(WIDTH, HEIGHT)
    stream = pyte.Stream(shown)
    for each in told:
        stream.feed(each)
    cells = [[shown.buffer[y][x] for x in range(WIDTH)] for y in range(HEIGHT)]
    return [[_seen(cell) for cell in row] for row in cells]


def _seen(cell: pyte.screens.Char) -> tuple[str, ...]:
    has_ink = cell.data != " " or cell.underscore
    ink = (cell.fg, str(cell.bold), str(cell.underscore)) if has_ink else ()
    return (cell.data, cell.bg, *ink)


@given(st.lists(rows, min_size=HEIGHT, max_size=HEIGHT))
def test_the_picture_is_that_of_every_piece_by_itself(drawn: list[list[Segment]]) -> None:
    pieces = [(y, y, Strip(row)) for y, row in enumerate(drawn)]
    together = sequences.written(pieces, ColorSystem.TRUECOLOR)
    apart = []
    for y, x, strip in pieces:
        for segment in strip:
            apart.append(sequences.written([(y, x, Strip([segment]))], ColorSystem.TRUECOLOR))
            x += segment.cell_length
    assert screen(together) == screen(*apart)
    assert len(together) <= len("".join(apart))


def test_what_looks_the_same_is_written_together() -> None:
    row = Strip([Segment("red", RED), Segment("blue", BLUE)])
    told = sequences.written([(y, 0, row) for y in range(3)], ColorSystem.TRUECOLOR)
    assert told.count("38;5;196") == told.count("38;5;21") == 1


def test_within_a_row_the_cursor_only_changes_its_column() -> None:
    pieces = [(2, 0, Strip([Segment("a")])), (2, 9, Strip([Segment("b")]))]
    assert sequences.written(pieces, ColorSystem.TRUECOLOR) == "\x1b[3Ha\x1b[10Gb"


def test_text_without_style_is_written_as_it_is() -> None:
    assert written(("plain", None)) == "plain"


def test_a_style_says_only_what_is_new() -> None:
    assert written(("r", RED), ("b", BLUE)) == ("\x1b[38;5;196;48;2;16;16;16mr\x1b[38;5;21mb\x1b[m")


def test_pieces_of_one_style_are_one_piece() -> None:
    assert written(("re", RED), ("d", RED)) == written(("red", RED))


def test_a_blank_takes_any_colour() -> None:
    assert written(("r", RED), ("   ", BLUE), ("r", RED)) == written(("r   r", RED))


def test_an_attribute_ends_with_the_text_it_is_for() -> None:
    assert written(("b", Style(bold=True)), ("r", RED)) == (
        "\x1b[1mb\x1b[22;38;5;196;48;2;16;16;16mr\x1b[m"
    )
    assert written(("b", Style(underline=True)), ("p", None)) == "\x1b[4mb\x1b[mp"


def test_an_underlined_blank_keeps_its_colour() -> None:
    underlined = Style.parse("underline #0000ff on #101010")
    assert "38;5;21" in written(("r", RED), (" ", underlined))


def test_of_two_attributes_that_end_together_one_goes_on() -> None:
    both, bold = Style(bold=True, dim=True), Style(bold=True)
    assert written(("a", both), ("b", bold)) == "\x1b[1;2ma\x1b[22;1mb\x1b[m"


def test_signs_that_a_terminal_lacks_are_written_as_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "has_old_font", lambda: True)
    assert written(("╭◇✓", None)) == "┌◊√"
    monkeypatch.setenv("LC_ALL", "C")
    assert written(("╭◇✓", None)) == "+++"
