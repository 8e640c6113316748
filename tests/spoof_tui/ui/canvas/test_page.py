"""Pages to read: rows in two columns, scrolled so that what is bright is seen."""

import pytest
from rich.cells import cell_len

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.page import (
    BRIGHT,
    Row,
    draw_framed,
    entry,
    find,
    following,
    framed_room,
    most_top,
    paragraph,
)

TEN = [Row([(f"row {number}", palette.TEXT)], str(number)) for number in range(10)]


def text(row: Row) -> str:
    return "".join(piece for piece, _look in row.pieces)


def test_a_text_hangs_beside_its_label() -> None:
    rows = entry([("R8", palette.BOLD)], "one two three four", 5, 14, palette.TEXT, "R8")
    assert [text(row) for row in rows] == ["R8   one two", "     three", "     four"]
    assert {row.anchor for row in rows} == {"R8"}


def test_a_label_too_long_for_its_column_stands_above_its_text() -> None:
    rows = entry([("a long label", palette.BOLD)], "text", 5, 14)
    assert [text(row) for row in rows] == ["a long label", "     text"]


def test_an_empty_paragraph_takes_no_row() -> None:
    assert paragraph("", 10) == []


@pytest.mark.parametrize("height", range(3, 20))
def test_a_frame_is_never_higher_than_its_room_and_shows_what_it_says(height: int) -> None:
    lines = [strip.text for strip in draw_framed("Title", [("Esc", "back")], TEN, 40, height)]
    assert len(lines) <= height
    assert {cell_len(line) for line in lines} == {40}
    assert sum("row" in line for line in lines) == framed_room(len(TEN), height)


def test_a_frame_scrolled_to_the_end_shows_the_last_row_and_a_bar() -> None:
    lines = [strip.text for strip in draw_framed("Title", [], TEN, 40, 6, top=99)]
    assert "row 9" in lines[-2]
    assert "▐" in lines[-2] and "▐" not in lines[1]


def test_a_page_that_fits_has_no_bar() -> None:
    assert "▐" not in "".join(strip.text for strip in draw_framed("Title", [], TEN, 40, 20))


def test_an_anchor_is_found() -> None:
    assert find(TEN, "4") == 4
    assert find(TEN, "R99") is None


@pytest.mark.parametrize(
    ("bright", "top", "begins"), [(0, 5, 0), (9, 0, 6), (5, 4, 4), (5, 0, 2), (5, 6, 5)]
)
def test_what_is_bright_is_always_seen(bright: int, top: int, begins: int) -> None:
    rows = [Row(row.pieces, BRIGHT if y == bright else "") for y, row in enumerate(TEN)]
    assert following(rows, top, 4) == begins


def test_without_anything_bright_the_page_stays_where_it_is() -> None:
    assert following(TEN, 3, 4) == 3
    assert following(TEN, 99, 4) == most_top(TEN, 4) == 6
