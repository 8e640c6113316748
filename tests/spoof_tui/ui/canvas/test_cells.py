"""A sheet of cells: whatever is drawn on it, every line is as wide as it is."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style

from spoof_tui.ui.canvas.cells import Sheet, faded, fit, wrap

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


@given(texts, st.integers(2, 14))
def test_wrapped_lines_fit_and_hold_every_letter(text: str, width: int) -> None:
    wrapped = wrap(text, width)
    assert wrapped
    assert all(cell_len(line) <= width for line in wrapped)
    assert "".join(wrapped).replace(" ", "") == text.replace(" ", "")


def test_words_are_kept_whole_where_they_fit() -> None:
    assert wrap("the quick brown fox", 9) == ["the quick", "brown fox"]
    assert wrap("a transcontinental b", 6) == ["a", "transc", "ontine", "ntal b"]


@given(texts, st.integers(-5, 0))
def test_what_has_no_width_is_wrapped_as_if_it_had_one_column(text: str, width: int) -> None:
    assert wrap(text, width) == wrap(text, 1)


def test_faded_lines_keep_their_letters_and_their_ground() -> None:
    sheet = Sheet(6, 1)
    sheet.put(0, 0, "ab", Style(color="red", bold=True))
    sheet.put(3, 0, "c", Style(bgcolor="#1c1c1c"))
    [before], [after] = sheet.lines(), faded(sheet.lines(), "#6c6c6c")
    assert (after.text, after.cell_length) == (before.text, before.cell_length)
    styles = [segment.style for segment in after if segment.text.strip() and segment.style]
    assert {style.color and style.color.name for style in styles} == {"#6c6c6c"}
    assert not any(style.bold for style in styles)
    assert [style.bgcolor and style.bgcolor.name for style in styles] == [None, "#1c1c1c"]
