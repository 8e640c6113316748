"""Where the parts of a table lie, and the pictures that all tables share."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoof_tui.ui.canvas import palette
from spoof_tui.ui.canvas.cells import Part, Place
from spoof_tui.ui.table.framed import Bar, Column, Hint, at_ends, column, fixed, frame, panel, prose
from tests.spoof_tui.ui.table.scenes import lines


def rows(parts: list[Part], width: int, height: int) -> list[str]:
    return [strip.text.rstrip() for strip in lines(parts, width, height)]


KEYS: list[Hint] = [("r", "ready"), ("q", "leave")]


def panel_of(told: list[str], width: int = 40, height: int = 6, keys: list[Hint] = KEYS) -> str:
    title, beside = [("Title", palette.STRONG)], [("beside", palette.QUIET)]
    said = [line for text in told for line in prose(text, width)]
    place = Place(0, 0, width, height)
    return "\n".join(rows(panel(place, title, beside, said, keys), width, height))


@given(st.integers(1, 300), st.integers(1, 100))
def test_the_parts_of_a_frame_never_overlap(width: int, height: int) -> None:
    places = frame(width, height)
    assert places.bar.width == places.panel.width <= width
    assert places.ring.y == places.bar.y + 1
    assert places.panel.y == places.ring.y + places.ring.height
    assert places.panel.y + places.panel.height <= height or height < 6
    assert places.ring.x + places.ring.width <= places.side.x or not places.ring.width


def test_the_usual_size_has_a_column() -> None:
    places = frame(80, 24)
    assert (places.ring, places.side) == (Place(0, 1, 58, 15), Place(59, 1, 20, 15))


@pytest.mark.parametrize(("width", "column"), [(73, 0), (74, 18), (200, 40)])
def test_a_column_has_its_bounds(width: int, column: int) -> None:
    assert frame(width, 24).side.width == column


@pytest.mark.parametrize(("height", "rows"), [(12, 6), (18, 8), (31, 8), (32, 11)])
def test_a_panel_is_as_high_as_there_is_room(height: int, rows: int) -> None:
    assert frame(80, height).panel.height == rows


def test_on_a_large_screen_the_table_stands_in_the_middle() -> None:
    places = frame(200, 60)
    assert (places.ring.width, places.ring.height) == (110, 36)
    assert places.ring.x == 200 - places.side.x - places.side.width - 1
    assert places.bar.y > 0


def test_a_bar_has_its_end_at_the_right() -> None:
    bar = Bar("Night train", "Milan", ("step 1", palette.QUIET))
    assert rows([Part(Place(0, 0, 40, 1), bar)], 40, 1) == [
        " ● SPOOF  Night train · Milan" + " " * 4 + "step 1"
    ]


def test_a_panel_tells_its_title_what_is_beside_it_and_the_keys() -> None:
    shown = panel_of(["one two three"])
    assert shown.startswith("── Title ──") and " beside ──" in shown
    assert shown.endswith("r ready  q leave")


def test_lines_that_do_not_fit_leave_the_keys_alone() -> None:
    shown = panel_of([f"line {number}" for number in range(9)])
    assert "line 3" in shown and "line 4" not in shown
    assert shown.endswith("r ready  q leave")


def test_a_title_without_room_beside_it_stands_alone() -> None:
    assert "beside" not in panel_of([], width=16)


def test_a_column_has_lines_above_and_at_its_bottom() -> None:
    pieces = fixed([[("first", palette.TEXT)]]), fixed([[("last", palette.TEXT)]])
    shown = rows([Part(Place(0, 0, 12, 4), Column("Title", *pieces))], 12, 4)
    assert shown == ["TITLE", "first", "", "last"]


def test_what_stands_at_both_ends_of_a_line_fills_it() -> None:
    line = at_ends([("a", palette.TEXT)], [("b", palette.TEXT)], 10)
    assert "".join(text for text, _style in line) == "a" + " " * 8 + "b"


@given(st.integers(0, 20), st.integers(0, 20))
def test_a_column_is_split_into_two_parts_of_its_own(height: int, split: int) -> None:
    upper, lower = column(Place(3, 1, 12, height), split, Column("a", ()), Column("b", ()))
    assert upper.place.height + lower.place.height == height or split > height
    assert lower.place.y == 1 + split
