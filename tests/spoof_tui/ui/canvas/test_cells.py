"""A sheet of cells: whatever is drawn on it, every line is as wide as it is."""

from dataclasses import dataclass

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from spoof_tui.ui.canvas.cells import Part, Place, Row, Sheet, drawn, fit

WIDE = "中文字"

texts = st.text(st.sampled_from("ab c中文ї★─"), max_size=12)
puts = st.lists(st.tuples(st.integers(-3, 12), st.integers(-1, 2), texts), max_size=8)


def lines(sheet: Sheet) -> list[str]:
    return [strip.text for strip in sheet.lines()]


def test_an_empty_sheet_is_blank() -> None:
    assert lines(Sheet(3, 2)) == ["   ", "   "]


def test_text_is_drawn_where_it_is_put() -> None:
    sheet = Sheet(8, 2)
    assert sheet.put(2, 1, "abc") == 5
    assert lines(sheet) == ["        ", "  abc   "]


def test_pieces_follow_each_other() -> None:
    sheet = Sheet(8, 1)
    end = sheet.pieces(1, 0, [("中", Style(bold=True)), ("ab", Style())])
    assert (end, lines(sheet)) == (5, [" 中ab   "])


@pytest.mark.parametrize(("x", "y"), [(-2, 0), (6, 0), (0, -1), (0, 9), (100, 100)])
def test_what_would_lie_outside_is_cut_off(x: int, y: int) -> None:
    sheet = Sheet(8, 2)
    sheet.put(x, y, "abcd")
    assert [len(line) for line in lines(sheet)] == [8, 8]


def test_half_a_wide_letter_is_not_drawn() -> None:
    sheet = Sheet(4, 1)
    sheet.put(1, 0, WIDE)
    assert lines(sheet) == [" 中 "]


def test_a_line_is_one_strip_of_its_styles() -> None:
    sheet = Sheet(6, 1)
    sheet.put(0, 0, "ab", Style(bold=True))
    sheet.put(2, 0, "cd", Style(italic=True))
    [strip] = sheet.lines()
    assert [(s.text.strip(), bool(s.style and s.style.bold)) for s in strip][:2] == [
        ("ab", True),
        ("cd", False),
    ]


@pytest.mark.parametrize("x", [0, 1, 2])
def test_a_letter_over_half_of_a_wide_one_takes_its_whole_place(x: int) -> None:
    sheet = Sheet(6, 1)
    sheet.put(0, 0, "中文")
    sheet.put(x, 0, "a")
    assert [strip.cell_length for strip in sheet.lines()] == [6]


@given(puts)
@example([(0, 0, "中"), (1, 0, "a")])
def test_every_line_is_as_wide_as_the_sheet(drawn: list[tuple[int, int, str]]) -> None:
    sheet = Sheet(10, 3)
    for x, y, text in drawn:
        sheet.put(x, y, text)
    assert [strip.cell_length for strip in sheet.lines()] == [10, 10, 10]


@given(st.integers(0, 8), st.integers(0, 8))
def test_a_box_of_any_size_stays_on_the_sheet(width: int, height: int) -> None:
    sheet = Sheet(8, 4)
    sheet.box(1, 1, width, height, Style())
    assert [strip.cell_length for strip in sheet.lines()] == [8] * 4


@given(texts, st.integers(0, 9))
def test_what_is_centred_has_as_much_room_on_either_side(text: str, width: int) -> None:
    sheet = Sheet(9, 1)
    sheet.centre(0, 0, width, text)
    [line] = lines(sheet)
    assert cell_len(line) == 9
    assert cell_len(line.rstrip()) <= width


@given(texts, st.integers(-2, 14))
def test_what_is_fitted_fits(text: str, width: int) -> None:
    fitted = fit(text, width)
    assert cell_len(fitted) <= max(width, 0)
    assert fitted == text or fitted == "" or fitted.endswith("…")


def test_faded_lines_keep_their_letters_and_their_ground() -> None:
    sheet = Sheet(6, 1)
    sheet.put(0, 0, "ab", Style(color="red", bold=True))
    sheet.put(3, 0, "c", Style(bgcolor="#1c1c1c"))
    [before] = sheet.lines()
    sheet.fade("#6c6c6c")
    [after] = sheet.lines()
    assert (after.text, after.cell_length) == (before.text, before.cell_length)
    styles = [segment.style for segment in after if segment.text.strip() and segment.style]
    assert {style.color and style.color.name for style in styles} == {"#6c6c6c"}
    assert not any(style.bold for style in styles)
    assert [style.bgcolor and style.bgcolor.name for style in styles] == [None, "#1c1c1c"]


def test_a_mark_stays_with_its_letter() -> None:
    sheet = Sheet(4, 1)
    sheet.put(0, 0, "\u0301aq\u0301b")
    assert sheet.rows[0].letters == ["a", "q\u0301", "b", " "]


def test_a_mark_of_a_letter_that_is_cut_off_is_cut_off_too() -> None:
    sheet = Sheet(2, 1)
    sheet.put(-1, 0, "q\u0301abc\u0301")
    assert lines(sheet) == ["ab"]


@pytest.mark.parametrize("text", ["\x1b[2J", "a\u202eb", "\u200d\ufe0f"])
def test_what_prints_nothing_never_lies_on_a_sheet(text: str) -> None:
    sheet = Sheet(8, 1)
    sheet.put(0, 0, text)
    assert lines(sheet)[0].isprintable()


# What differs


def row(text: str, style: Style | None = None, width: int = 0) -> Row:
    strip = Strip([Segment(text, style)])
    return Sheet.of([strip], width or strip.cell_length, 1).rows[0]


letters = st.text("ab 中é", min_size=1, max_size=30)


@given(letters, letters)
def test_outside_the_changed_spans_two_rows_are_the_same(old: str, new: str) -> None:
    before, after = row(old, width=40), row(new, width=40)
    patched = before.strip()
    for start, end in after.changes(before):
        middle = after.strip().crop(start, end)
        patched = Strip.join([patched.crop(0, start), middle, patched.crop(end)])
    assert patched.text == after.strip().text


@given(letters)
def test_a_row_does_not_differ_from_itself(text: str) -> None:
    assert list(row(text, width=40).changes(row(text, width=40))) == []


def spans(old: str, new: str) -> list[tuple[int, int]]:
    return list(row(new).changes(row(old)))


def test_only_the_cells_from_the_first_to_the_last_difference_change() -> None:
    assert spans("bid: 12 coins", "bid: 34 coins") == [(5, 7)]


def test_near_changes_are_one_span_and_far_ones_two() -> None:
    assert spans("a1234b", "c1234d") == [(0, 6)]
    assert spans("a12345b", "c12345d") == [(0, 1), (6, 7)]


def test_a_wide_letter_changes_as_a_whole() -> None:
    assert spans("x中y", "xaby") == [(1, 3)]
    assert spans("xa中", "x中a") == [(1, 4)]


def test_a_new_style_is_a_change() -> None:
    assert list(row("one", Style(bold=True)).changes(row("one"))) == [(0, 3)]


def test_ink_on_a_blank_is_no_change_and_a_background_is_one() -> None:
    assert list(row("   ", Style(color="red")).changes(row("   "))) == []
    assert list(row("   ", Style(bgcolor="red")).changes(row("   "))) == [(0, 3)]


def test_a_changed_mark_repaints_its_letter() -> None:
    assert spans("aq\u0301a", "aq\u0300a") == [(1, 2)]


# Parts


@dataclass(frozen=True)
class Words:
    """A picture of some text."""

    text: str
    x: int = 0

    def draw(self, sheet: Sheet) -> None:
        sheet.put(self.x, 0, self.text)


def test_of_two_parts_that_overlap_the_later_one_is_seen() -> None:
    parts = [Part(Place(0, 0, 6, 1), Words("abcdef")), Part(Place(2, 0, 6, 1), Words("XY", x=1))]
    assert lines(drawn(parts, 8, 1)) == ["abcXYf  "]


@pytest.mark.parametrize("x", [-3, -1, 0, 5, 7, 20])
@pytest.mark.parametrize("text", ["abcd", "中文"])
def test_a_part_that_hangs_over_the_edge_is_cut(text: str, x: int) -> None:
    sheet = drawn([Part(Place(x, 0, 4, 2), Words(text))], 8, 1)
    assert [strip.cell_length for strip in sheet.lines()] == [8]


@given(st.integers(-4, 9), st.integers(-4, 9))
def test_wide_letters_of_two_parts_never_share_a_cell(x: int, other: int) -> None:
    places = (Place(column, 0, 4, 1) for column in (x, other))
    sheet = drawn([Part(place, Words("中文")) for place in places], 8, 1)
    assert [strip.cell_length for strip in sheet.lines()] == [8]
